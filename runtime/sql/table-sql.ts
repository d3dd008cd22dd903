import type { Value } from '../model/fields.ts';
import type { Column, ShownRecord, Table } from '../model/table.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import { cacheEntries } from '../records/limits.ts';
import type { Bind, Row, Statement, Values } from './types.ts';
import { organizationColumn } from './helper-tables.ts';
import type { QueryDialect } from './query-dialect.ts';
import { quote, versionColumn } from './schema.ts';
import { ownWord, searchColumn, searched, type SearchIndex, searchOf, wordsOf } from './search.ts';
import { foldedColumns, foldedValues } from './unique.ts';
import { shownValue, sortableValue, unitStorage } from './values.ts';

/** An expression over columns of a row: the bytes of their strings, which engines know without reading them, and of lists. */
export const textBytes = (columns: readonly Column[]): string =>
  columns
    .flatMap((column) => {
      const value = shownValue(column, unitStorage);
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

/** A table, and what every write would derive from it again. */
export interface TableFacts {
  readonly table: Table;
  /** The texts of its statements, whichever organization they are for. */
  readonly texts: BoundedMap<string, string>;
  /** The index of each column. */
  readonly positions: ReadonlyMap<string, number>;
  readonly search: SearchIndex | undefined;
  /** The hidden columns of fields that are compared without case. */
  readonly folds: ReadonlyMap<string, string>;
}

/** Derives once what every write of a table needs. */
export const factsOf = (table: Table): TableFacts => ({
  table,
  texts: new BoundedMap(cacheEntries),
  positions: new Map(table.columns.map(({ name }, i) => [name, i])),
  search: searchOf(table),
  folds: foldedColumns(table),
});

/**
 * The statements on one table's records of one organization. It is the first parameter of each statement, and every table in
 * them is named by `from` or `#where`, which leave out the rows of the others.
 */
export class TableSql {
  readonly table: Table;
  readonly dialect: QueryDialect;
  readonly organization: number;
  readonly #facts: TableFacts;

  constructor(facts: TableFacts, dialect: QueryDialect, organization: number) {
    this.table = facts.table;
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
    return quote(this.table.name) + this.#where(conditions);
  }

  /** The same, where one of the conditions is `matches`, and its rows are few. */
  fromSearch(conditions: readonly string[]): string {
    return this.dialect.searched(quote(this.table.name), this.#where(conditions));
  }

  /** The same, if the primary key finds the rows, and they are few. */
  fromPrimaryKey(conditions: readonly string[]): string {
    return this.dialect.byPrimaryKey(this.table) + this.#where(conditions);
  }

  /** A condition: each of these folded words begins a word of the row. */
  matches(words: readonly string[], bind: Bind, mayUseIndex = true): string {
    return this.dialect.matches(this.#search, bind(this.#queryOf(words)), mayUseIndex);
  }

  /** @throws Error if the table is not searched */
  get #search(): SearchIndex {
    const { search } = this.#facts;
    if (!search) throw new Error(`The table ${this.table.name} is not searched.`);
    return search;
  }

  #queryOf(words: readonly string[]): string {
    return this.dialect.searchQuery(words.map((word) => ownWord(this.organization, word)));
  }

  /** ` where …`, with the organization of the rows. */
  #where(conditions: readonly string[]): string {
    const ofOrganization = this.inOrganization(`${quote(this.table.name)}.${quote(organizationColumn)}`);
    return ` where ${[ofOrganization, ...conditions].join(' and ')}`;
  }

  /** A record as the dialect returns it, and its version. */
  get(id: string): Statement {
    return this.statement('get', [id], () => this.#versioned(this.#one));
  }

  /** The same, which locks the row; for `lockedRow`. @param names the columns that are read; without them it is the whole record */
  forUpdate(id: string, names?: readonly string[], strength: keyof QueryDialect['lock'] = 'exclusive'): Statement {
    return this.statement(
      `get ${strength} ${names?.join() ?? '*'}`,
      [id],
      () => this.#versioned(this.#one, this.#withColumns(names)) + this.dialect.lock[strength],
    );
  }

  /** The table with some of its columns. */
  #withColumns(names: readonly string[] | undefined): Table {
    const { table } = this;
    return names ? { ...table, columns: table.columns.filter(({ name }) => names.includes(name)) } : table;
  }

  /** The bytes of a record's JSON. */
  bytes(id: string): Statement {
    const build = (): string => `select octet_length(${this.dialect.recordJson(this.table)}) from ${this.#one}`;
    return this.statement('bytes', [id], build);
  }

  /** The row whose id is the first parameter, as it follows `from`. */
  get #one(): string {
    return this.organizationRows([`"id" = ${this.param(1)}`]);
  }

  #versioned(rows: string, table = this.table): string {
    return `select ${this.dialect.returned(table)}, ${quote(versionColumn)} from ${rows}`;
  }

  /** Updates rows, and raises their versions. @param source a relation that they are joined with */
  updateOf(assignments: string, conditions: readonly string[], source?: string): string {
    const from = source === undefined ? '' : ` from ${source}`;
    return `update ${quote(this.table.name)} set ${assignments}, ${raisedVersion}${from}${this.#where(conditions)}`;
  }

  /** The one record of a singleton; see `get`. */
  only(): Statement {
    return this.statement('only', [], () => this.#versioned(`${this.organizationRows()} order by "id" limit 1`));
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
    const bytes = `select ${textBytes(this.table.columns)} as "_bytes" from ${rows}`;
    return `select coalesce(sum("_bytes"), 0) from (${bytes}) as _rows`;
  }

  /** The number of rows, as they follow `from`, counted one by one; with a maximum, up to that. */
  count(rows: string, values: Values, max?: number): Statement {
    if (max === undefined) return this.statement(`select count(*) from ${rows}`, values);
    const some = `select 1 from ${rows} limit +${this.param(values.length + 1)}`;
    return this.statement(`select count(*) from (${some}) as _some`, [...values, max]);
  }

  /** The number of rows that a search finds. The organization is in the words: where the index has rows, the table is not read. */
  countFound(words: readonly string[], max?: number): Statement {
    const found = this.dialect.found?.(this.#search, this.param(1));
    return this.count(
      found ?? this.fromSearch([this.matches(words, () => this.param(1))]),
      [this.#queryOf(words)],
      max,
    );
  }

  /** Whether an insert returns no row if the values of unique fields are those of another record. */
  get skipsClashes(): boolean {
    return this.table.unique !== undefined && this.dialect.skipsClashes;
  }

  insert(values: readonly Value[], version = 1): Statement {
    const { columns } = this.table;
    const hidden = this.#hiddenOf(this.byName(values));
    const stored = [...values, ...Object.values(hidden), version];
    return this.statement('insert', stored, () => {
      const names = [organizationColumn, ...columns.map(({ name }) => name), ...Object.keys(hidden), versionColumn];
      const parameters = ['', ...stored].map((_, i) => this.stored(columns[i - 1], this.param(i)));
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
        const value =
          name === searchColumn
            ? this.dialect.words.replaced(searched(this.#search, set), parameter)
            : this.stored(this.column(name), parameter);
        return `${quote(name)} = ${value}`;
      });
      const updated = this.updateOf(assignments.join(', '), [`"id" = ${this.param(1)}`]);
      return `${updated} returning ${this.dialect.returned(this.table)}`;
    });
  }

  /** Reads a row of `forUpdate`. */
  lockedRow(row: Row, names?: readonly string[]): LockedRow {
    const json = this.dialect.returnedJson(this.#withColumns(names), row);
    return { record: JSON.parse(json) as ShownRecord, bytes: Buffer.byteLength(json), version: Number(row.at(-1)) };
  }

  /** An expression: the state of a row, if states can lock it. */
  get state(): string {
    const { lock } = this.table;
    return lock ? this.sortable(lock.field) : 'null';
  }

  /** Locks a row; returns its id and state if it exists. */
  lock(id: Value, strength: keyof QueryDialect['lock']): Statement {
    const build = (): string => `select "id", ${this.state} from ${this.#one}${this.dialect.lock[strength]}`;
    return this.statement(`lock ${strength}`, [id], build);
  }

  /** A parameter, as the column that it belongs to stores it. */
  stored(column: Column | undefined, parameter: string): string {
    return column ? this.dialect.values.parameter(column, parameter) : parameter;
  }

  column(name: string): Column {
    return this.table.columns[this.position(name)] as Column;
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
    return sortableValue(this.column(column), this.dialect.values);
  }

  /** The values of hidden columns that follow from these values: words, and folded texts. */
  #hiddenOf(values: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
    const { search, folds } = this.#facts;
    const words = search && wordsOf(search, this.organization, values);
    return { ...(words && { [searchColumn]: this.dialect.words.stored(words) }), ...foldedValues(folds, values) };
  }
}
