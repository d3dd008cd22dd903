import type { Value } from '../model/fields.ts';
import { type Column, parseRecord, type ShownRecord, type Table } from '../model/table.ts';
import type { Bind, Row, Statement, Values } from './types.ts';
import { organizationColumn, quote, versionColumn } from './schema.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { TableFacts } from './table-facts.ts';
import type { ListSearch } from './table-parts.ts';
import { shownValue, type ValueStorage } from './values.ts';

/** An expression over columns of a row: the bytes of their strings, which engines know without reading them, and of lists. */
const textBytes = ({ columns }: Table, storage: ValueStorage): string =>
  columns
    .flatMap((column) => {
      const value = shownValue(column, storage);
      return column.type === 'text' ? [value] : column.type === 'json' ? [`cast(${value} as text)`] : [];
    })
    .map((text) => `coalesce(octet_length(${text}), 0)`)
    .join(' + ') || '0';

/** An assignment of each update: it raises the version of its rows, which a condition of a client may name. */
const raisedVersion = `${quote(versionColumn)} = ${quote(versionColumn)} + 1`;

/** A row that a write has locked. */
export interface LockedRow {
  /** The columns that were read. */
  readonly record: ShownRecord;
  /** The bytes of their JSON. */
  readonly bytes: number;
  readonly version: number;
}

/**
 * The statements on one table's records of one organization. It is the first parameter of each statement, and every table in
 * them is named by `from` or `#where`, which leave out the rows of the others.
 */
export class TableSql {
  readonly table: Table;
  readonly dialect: QueryDialect;
  readonly organization: number;
  /** See `mayBeLarge`. */
  readonly isLarge: boolean;
  readonly #facts: TableFacts;

  constructor(facts: TableFacts, dialect: QueryDialect, organization: number) {
    this.table = facts.table;
    this.isLarge = facts.isLarge;
    this.dialect = dialect;
    this.organization = organization;
    this.#facts = facts;
  }

  /** A statement whose text is built once for each key, or is the key. Its first parameter is the organization; `values` follow. */
  statement(key: string, values: Values, build = (): string => key): Statement {
    const { texts } = this.#facts;
    let text = texts.get(key);
    if (text === undefined) texts.set(key, (text = build()));
    return { text, values: [this.organization, ...values] };
  }

  /** A condition: the value of a column is the organization. */
  inOrganization(column: string): string {
    return `${column} = ${this.param(0)}`;
  }

  /** The parameter of the nth of a statement's `values`, from 1; the organization is the 0th. */
  param(n: number): string {
    return this.dialect.parameter(n + 1);
  }

  /** Values of parameters, and a function that adds one. @param bound the first ones */
  binding(...bound: (Value | readonly Value[])[]): { readonly bound: Values; readonly bind: Bind } {
    return { bound, bind: (value) => this.param(bound.push(value)) };
  }

  /** The rows of the organization that meet all conditions, as they follow `from`. */
  organizationRows(conditions: readonly string[] = []): string {
    return this.#facts.name + this.#where(conditions);
  }

  /** Rows that meet all conditions, if they are few. */
  fewRows(conditions: readonly string[]): string {
    return this.dialect.fewRows(this.#facts.name, this.#where(conditions));
  }

  /** Rows that meet all conditions, if the primary key finds them, and they are few. */
  fromPrimaryKey(conditions: readonly string[]): string {
    return this.dialect.byPrimaryKey(this.table) + this.#where(conditions);
  }

  /** A condition: a search for these words finds the row. */
  matches(words: readonly string[], bind: Bind, mayUseIndex = true): string {
    return this.#search.matches(bind(this.#search.queryOf(words, this.organization)), mayUseIndex);
  }

  /** @throws Error if the table is not searched */
  get #search(): ListSearch {
    const search = this.#facts.hidden.find((column) => column.search)?.search;
    if (!search) throw new Error(`The table ${this.table.name} is not searched.`);
    return search;
  }

  /** ` where …`, with the organization of the rows. */
  #where(conditions: readonly string[]): string {
    return ` where ${[this.#facts.ofOrganization, ...conditions].join(' and ')}`;
  }

  /** A record as the dialect returns it, and its version. */
  get(id: string): Statement {
    return this.statement('get', [id], () => this.#versioned(this.#rowById));
  }

  /**
   * A record as `get` reads it; locks the row; for `lockedRow`.
   *
   * @param id the first parameter
   * @param names the columns that are read; without them it is the whole record
   * @param selection a query for the id, in which the parameter is another one
   */
  forUpdate(
    id: string | readonly string[],
    names?: readonly string[],
    strength: keyof QueryDialect['lock'] = 'exclusive',
    selection?: string,
  ): Statement {
    return this.statement(`get ${strength} ${names?.join() ?? '*'} ${selection ?? ''}`, [id], () => {
      const rows =
        selection === undefined ? this.#rowById : this.organizationRows([this.dialect.isSelected('"id"', selection)]);
      return this.#versioned(rows, this.#withColumns(names)) + this.dialect.lock[strength];
    });
  }

  /** Records as `forUpdate` reads them, without a lock. */
  some(ids: readonly string[], names: readonly string[]): Statement {
    return this.statement(`some ${names.join()}`, [ids], () => {
      const rows = this.organizationRows([this.dialect.isIn(this.column('id'), '"id"', this.param(1))]);
      return this.#versioned(rows, this.#withColumns(names));
    });
  }

  /** The table with some of its columns. */
  #withColumns(names: readonly string[] | undefined): Table {
    const { table } = this;
    return names ? { ...table, columns: table.columns.filter(({ name }) => names.includes(name)) } : table;
  }

  /** The bytes of a record's JSON. */
  bytes(id: string): Statement {
    const build = (): string => `select octet_length(${this.dialect.recordJson(this.table)}) from ${this.#rowById}`;
    return this.statement('bytes', [id], build);
  }

  /** The row whose id is the first parameter, as it follows `from`. */
  get #rowById(): string {
    return this.organizationRows([`"id" = ${this.param(1)}`]);
  }

  #versioned(rows: string, table = this.table): string {
    return `select ${this.dialect.returned(table)}, ${quote(versionColumn)} from ${rows}`;
  }

  /** Updates rows, and raises their versions. @param source a relation that they are joined with */
  updateOf(assignments: string, conditions: readonly string[], source?: string): string {
    const from = source === undefined ? '' : ` from ${source}`;
    return `update ${this.#facts.name} set ${assignments}, ${raisedVersion}${from}${this.#where(conditions)}`;
  }

  /** The one record of a singleton; see `get`. @param names the columns that are read; without them it is the whole record */
  only(names?: readonly string[]): Statement {
    const build = (): string =>
      this.#versioned(`${this.organizationRows()} order by "id" limit 1`, this.#withColumns(names));
    return this.statement(`only ${names?.join() ?? '*'}`, [], build);
  }

  /** Ids, one in a row, or null: the last one with each name that the table has had. */
  newest(): Statement {
    return this.statement('newest', [], () =>
      [this.table.name, ...(this.table.renamedFrom ?? [])]
        // In the order of bytes, a bracket follows all digits of ids, and a name that only begins alike follows it.
        .map((name) => `select max("id") from ${this.organizationRows([`"id" between '${name}_' and '${name}_['`])}`)
        .join(' union all '),
    );
  }

  /** Selects the bytes of all strings of rows, as they follow `from`. */
  selectBytes(rows: string): string {
    const bytes = `select ${textBytes(this.table, this.dialect.values)} as "_bytes" from ${rows}`;
    return `select coalesce(sum("_bytes"), 0) from (${bytes}) as _rows`;
  }

  /** The number of rows, as they follow `from`, counted one by one; with a maximum, up to that. */
  count(rows: string, values: Values, max?: number): Statement {
    if (max === undefined) return this.statement(`select count(*) from ${rows}`, values);
    const some = `select 1 from ${rows} limit +${this.param(values.length + 1)}`;
    return this.statement(`select count(*) from (${some}) as _some`, [...values, max]);
  }

  /** The number of rows that a search finds. Its index has those of the organization apart: where it has rows, the table is not read. */
  countFound(words: readonly string[], max?: number): Statement {
    const { bound, bind } = this.binding();
    const isMatch = this.matches(words, bind);
    return this.count(this.#search.found?.(this.param(1)) ?? this.fewRows([isMatch]), bound, max);
  }

  /** Whether an insert returns no row if the values of unique fields are those of another record. */
  get skipsClashes(): boolean {
    return this.#facts.mayClash && this.dialect.skipsClashes;
  }

  /** @param named the values by their columns */
  insert(values: readonly Value[], version = 1, named = this.byName(values)): Statement {
    const { columns } = this.table;
    const hidden = this.#hiddenOf(named);
    const stored = [...values, ...Object.values(hidden), version];
    return this.statement('insert', stored, () => {
      const names = [organizationColumn, ...columns.map(({ name }) => name), ...Object.keys(hidden), versionColumn];
      const parameters = names.map((name, i) => this.stored(this.#facts.columns.get(name), this.param(i)));
      const insert = `insert into ${quote(this.table.name)} (${names.map(quote).join(', ')})`;
      const skip = this.skipsClashes ? ' on conflict do nothing' : '';
      return `${insert} values (${parameters.join(', ')})${skip} returning ${this.dialect.inserted(this.table)}`;
    });
  }

  /** The values of a row by the names of their columns. */
  byName(values: readonly Value[]): Readonly<Record<string, Value>> {
    const named: Record<string, Value> = {};
    for (const [name, i] of this.#facts.positions) named[name] = values[i] as Value;
    return named;
  }

  /** Deletes rows. */
  erase(ids: readonly string[]): Statement {
    return this.statement('erase', [ids], () => {
      const rows = this.organizationRows([this.dialect.isIn(this.column('id'), '"id"', this.param(1))]);
      return `delete from ${rows}`;
    });
  }

  /** Sets columns and raises the version; returns the record. */
  update(id: string, set: Readonly<Record<string, Value>>): Statement {
    const all = { ...set, ...this.#hiddenOf(set) };
    return this.statement(`update ${Object.keys(set).join()}`, [id, ...Object.values(all)], () => {
      const assignments = Object.keys(all).map((name, i) => {
        const parameter = this.param(i + 2);
        const { changed, fields = [] } = this.#facts.hidden.find((column) => column.name === name) ?? {};
        const setFields = fields.filter((field) => field in set);
        return `${quote(name)} = ${changed?.(setFields, parameter) ?? this.stored(this.column(name), parameter)}`;
      });
      const updated = this.updateOf(assignments.join(', '), [`"id" = ${this.param(1)}`]);
      return `${updated} returning ${this.dialect.returned(this.table)}`;
    });
  }

  /** Reads a row of `forUpdate`. */
  lockedRow(row: Row, names?: readonly string[]): LockedRow {
    const json = this.dialect.returnedJson(this.#withColumns(names), row);
    return { record: parseRecord(this.table, json), bytes: Buffer.byteLength(json), version: Number(row.at(-1)) };
  }

  /** The fields whose values can lock a record. */
  get lockFields(): string[] {
    return this.table.locks?.map(({ field }) => field) ?? [];
  }

  /** Expressions: the values of `lockFields` in a row; null if there are none. */
  get states(): string {
    return this.lockFields.map((field) => this.sortable(field)).join(', ') || 'null';
  }

  /** Locks a row; returns its id and states if it exists. @param isRead for `readRow` */
  lock(id: Value, strength: keyof QueryDialect['lock'], isRead = false): Statement {
    return this.statement(`lock ${strength} ${isRead}`, [id], () => {
      const read = isRead ? `, ${this.dialect.returned(this.table)}, ${quote(versionColumn)}` : '';
      return `select "id", ${this.states}${read} from ${this.#rowById}${this.dialect.lock[strength]}`;
    });
  }

  /** The row that `lock` has read, as `forUpdate` returns it. */
  readRow(row: Row): Row {
    return row.slice(1 + Math.max(1, this.lockFields.length));
  }

  /** A parameter, as the column that it belongs to stores it. */
  stored(column: Column | undefined, parameter: string): string {
    return column ? this.dialect.values.parameter(column, parameter) : parameter;
  }

  /** A column, which may be a hidden one. */
  column(name: string): Column {
    return this.#facts.columns.get(name) as Column;
  }

  /** The column that names the parent of a line item; empty for other records. */
  get parentField(): string {
    return this.table.parent?.field ?? '';
  }

  /** The index of a column. */
  position(column: string): number {
    return this.#facts.positions.get(column) ?? -1;
  }

  /** A column has the value of a parameter, which is not null. */
  equals(column: string, parameter: string): string {
    return column === this.table.parent?.field
      ? this.dialect.isParent(quote(column), parameter)
      : `${quote(column)} = ${parameter}`;
  }

  /** A column as it is compared and sorted: by the value that records show, texts by code points. */
  sortable(column: string): string {
    return this.#facts.sortable.get(column) as string;
  }

  /** The column that lists are sorted by if they are sorted by a field. */
  sorting(field: string): string {
    return this.#facts.hidden.find(({ orders }) => orders === field)?.name ?? field;
  }

  /** The values of hidden columns that follow from these values. */
  #hiddenOf(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
    const hidden: Record<string, Value> = {};
    for (const { name, fields, valueOf } of this.#facts.hidden) {
      if (fields.some((field) => field in values)) hidden[name] = valueOf(values, this.organization);
    }
    return hidden;
  }
}
