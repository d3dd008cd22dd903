import type { Value } from '../schema/fields.ts';
import type { Column, Table } from '../schema/table.ts';
import { BoundedMap } from './bounded-map.ts';
import {
  isCounted,
  literal,
  organizationColumn,
  parentColumns,
  quote,
  rowCounters,
  shownValue,
  sortKey,
  sortKeyOf,
} from './ddl.ts';
import type { Page, WriteOf } from './store.ts';

/** An SQL statement with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  /** Each returned row adds this to the row counter of the table or, for line items, of the parent in its second column. */
  readonly counts?: { readonly sql: TableSql; readonly rows: 1 | -1 };
}

/** The parts of the statements on records that differ between engines. */
export interface Dialect {
  /** The nth parameter, from 1. */
  parameter(n: number): string;
  /** An expression over the columns of a row: its JSON. */
  recordJson(table: Table): string;
  /** An expression: the JSON of a value, as `recordJson` has it. */
  valueJson(column: Column): string;
  /** The id of a row, compared as the columns of other tables that hold it: in their indexes it is looked up so. */
  idIn(row: string): string;
  /** An expression: those of the texts that are not null, separated by commas. */
  joined(texts: readonly string[]): string;
  /** A query for the JSON of rows; `rows` follows `from`. */
  selectJson(table: Table, rows: string): string;
  /** The condition that a line item belongs to a parent, in the form that the index on `field` supports. */
  isParent(field: string, parameter: string): string;
  /** The later one of a timestamp column and a parameter. */
  later(column: string, parameter: string): string;
  /** The end of a `select` that locks its rows against deletion or any change; empty if the engine has a single writer. */
  readonly lock: { readonly againstDelete: string; readonly exclusive: string };
  /** A relation `_position` of `id` and `idx`, built from a parameter that is a JSON array of objects. */
  positions(parameter: string): string;
  /**
   * Completes an insert or a delete of an organization, whose parameter is given, so that its rows are counted. An insert returns the record's JSON in the first column.
   * For line items the second column is the parent, the third the new value of its row counter if it is known.
   */
  withCounter(table: Table, change: string, kind: 'insert' | 'delete', organization: string): string;
  /** Locks a parent that is stored outside this service; undefined if the engine has a single writer. */
  lockExternalParent(sql: TableSql, parent: Value): Statement | undefined;
}

/** A selection of rows and their order: everything that filters, counts or pages is built from it. */
interface Rows extends Pick<Page, 'where' | 'after'> {
  /** The reverse order of the list. */
  readonly isReversed?: boolean;
}

/** `Rows` as SQL. Parameters added to it follow those of `values`. */
export interface RowsSql {
  /** The rows in their order, as it follows `from`. */
  readonly ordered: string;
  /**
   * All records in their order, followed by those of other organizations, which are to be left out. SQLite compares each row
   * that an offset skips with the conditions of an index: without an end of the rows, it skips them in half the time.
   */
  readonly unbounded?: () => string;
  readonly orderBy: string;
  readonly values: readonly Value[];
  /** An expression: whether the line item of the cursor exists. Undefined for records, whose cursor may be deleted. */
  readonly cursorExists: string | undefined;
  /** The number of rows without the cursor. Its values are the first of `values`. */
  readonly total: Statement;
  /** Whether `total` counts the rows one by one, as they have no row counter. */
  readonly isTotalCounted: boolean;
}

/** Adds the rows of a query (organization, table, parent, shard, count) to the row counters; missing ones are inserted. */
export const addCount = (query: string): string =>
  `insert into ${rowCounters} ${query} on conflict (${organizationName}, "table", "parent", "shard") ` +
  `do update set "count" = ${rowCounters}."count" + excluded."count"`;

const organizationName = quote(organizationColumn);

/** Statement texts cached for a table: each set of updated fields has its own. */
const maxCachedTexts = 200;

/** The statements on one table, whichever organization they are for. */
class TableTexts {
  readonly table: Table;
  readonly dialect: Dialect;
  readonly json: string;
  readonly texts = new BoundedMap<string, string>(maxCachedTexts);

  constructor(table: Table, dialect: Dialect) {
    this.table = table;
    this.dialect = dialect;
    this.json = dialect.recordJson(table);
  }
}

/**
 * The statements on one table's records of one organization. It is the first parameter of each statement, and every table in
 * them is named by `from` or `#where`, which leave out the rows of the others.
 */
export class TableSql {
  readonly table: Table;
  readonly dialect: Dialect;
  readonly organization: number;
  readonly json: string;
  readonly #texts: BoundedMap<string, string>;

  constructor({ table, dialect, json, texts }: TableTexts, organization: number) {
    this.table = table;
    this.dialect = dialect;
    this.organization = organization;
    this.json = json;
    this.#texts = texts;
  }

  /** A statement whose text is built once for each key. Its first parameter is the organization; `values` follow. */
  statement(key: string, values: readonly Value[], build: () => string, counts?: 1 | -1): Statement {
    let text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, (text = build()));
    const all = [this.organization, ...values];
    return counts ? { text, values: all, counts: { sql: this, rows: counts } } : { text, values: all };
  }

  /** A condition: the value of a column is the organization. */
  isOwn(column: string): string {
    return `${column} = ${this.#organization}`;
  }

  /** The parameter of the nth of a statement's `values`, from 1. */
  at(n: number): string {
    return this.dialect.parameter(n + 1);
  }

  /** The rows of the organization that meet all conditions, as they follow `from`. */
  from(conditions: readonly string[] = [], alias?: string): string {
    return `${quote(this.table.name)}${alias === undefined ? '' : ` as ${alias}`}${this.#where(conditions, alias)}`;
  }

  /** ` where …`, with the organization of the rows. */
  #where(conditions: readonly string[], alias = quote(this.table.name)): string {
    return ` where ${[this.isOwn(`${alias}.${organizationName}`), ...conditions].join(' and ')}`;
  }

  get #organization(): string {
    return this.dialect.parameter(1);
  }

  get(id: string): Statement {
    return this.statement('get', [id], () => this.dialect.selectJson(this.table, this.from([`"id" = ${this.at(1)}`])));
  }

  /** The one record of a singleton. */
  only(): Statement {
    return this.statement('only', [], () =>
      this.dialect.selectJson(this.table, `${this.from()} order by "id" limit 1`),
    );
  }

  /** Ids, one in a row, or null: the last one with each name that the table has had. */
  newest(): Statement {
    return this.statement('newest', [], () =>
      [this.table.name, ...(this.table.renamedFrom ?? [])]
        // In the order of bytes, a bracket follows all digits of ids, and a name that only begins alike follows it.
        .map((name) => `select max("id") from ${this.from([`"id" between '${name}_' and '${name}_['`])}`)
        .join(' union all '),
    );
  }

  rows({ where = {}, after, isReversed = false }: Rows): RowsSql {
    const { table } = this;
    const values: Value[] = [];
    const bind = (value: Value): string => this.at(values.push(value));
    const conditions = Object.entries(where).map(([column, value]) => {
      return value === null ? `${quote(column)} is null` : this.#equals(column, bind(value));
    });
    const isTotalCounted = !this.#hasCounter(where);
    const total = this.#total(isTotalCounted, [...conditions], [...values]);

    const isItem = table.kind === 'line-item';
    const keys = isItem ? ['"idx"', sortKey(table)] : [sortKey(table)];
    const isDescending = isItem === isReversed;
    let cursorExists: string | undefined;
    if (after !== undefined) {
      const key = bind(sortKeyOf(table, after));
      const compare = isDescending ? '<' : '>';
      if (isItem) {
        const cursor = this.from([`"id" = ${bind(after)}`, ...conditions]);
        cursorExists = `exists (select 1 from ${cursor})`;
        conditions.push(`(${keys.join(', ')}) ${compare} ((select "idx" from ${cursor}), ${key})`);
      } else {
        conditions.push(`${keys[0]} ${compare} ${key}`);
      }
    }
    const inOrder = (key: string): string => (isDescending ? `${key} desc` : key);
    const orderBy = ` order by ${keys.map(inOrder).join(', ')}`;
    const ordered = this.from(conditions) + orderBy;
    const isWhole = conditions.length === 0;
    const unbounded = (): string =>
      `${quote(table.name)} where ${organizationName} ${isDescending ? '<=' : '>='} ${this.#organization} ` +
      `order by ${[organizationName, ...keys].map(inOrder).join(', ')}`;
    return { ordered, ...(isWhole && { unbounded }), orderBy, values, cursorExists, total, isTotalCounted };
  }

  /** A row counter has the number of all records or of a parent's line items. */
  #hasCounter(where: Readonly<Record<string, Value>>): boolean {
    const { kind, parent } = this.table;
    const columns = Object.keys(where).length;
    return parent ? columns === 1 && isCounted(where[parent.field] ?? null) : kind === 'record' && columns === 0;
  }

  #total(isTotalCounted: boolean, conditions: readonly string[], values: readonly Value[]): Statement {
    const { parent } = this.table;
    if (isTotalCounted) {
      const build = (): string => `select count(*) from ${this.from(conditions)}`;
      return this.statement(`count ${conditions.join(' and ')}`, values, build);
    }
    const counter = (): string => this.counterOf(parent ? this.at(1) : "''");
    return this.statement('total', values, () => `select coalesce(sum("count"), 0) from ${counter()}`);
  }

  /**
   * Inserts a record, or a line item if its parent exists. An item without `idx` is appended if a safe integer follows the
   * last `idx`.
   */
  insert(values: readonly Value[], parentSql?: TableSql): Statement {
    const { table } = this;
    const parents = parentColumns(table);
    const isAppended = table.parent !== undefined && values[this.position('idx')] === null;
    const isNull = parents.map((column) => values[this.position(column)] === null);
    const key = table.parent ? `insert ${isAppended} ${isNull.join()}` : 'insert';
    const parameterOf = (column: string): string => this.at(this.position(column) + 1);
    return this.#change('insert', key, values, () => {
      const sources: string[] = [];
      if (isAppended) {
        const siblings = parents.map((column, i) =>
          isNull[i] ? `${quote(column)} is null` : this.#equals(column, parameterOf(column)),
        );
        sources.push(`(select coalesce(max("idx"), 0) as "idx" from ${this.from(siblings)}) as _last`);
      }
      if (table.parent && parentSql) {
        // The parent of an appended item is locked by an earlier statement, so that this one sees the last item.
        const lock = isAppended ? '' : this.dialect.lock.againstDelete;
        const isParent = `"id" = ${parameterOf(table.parent.field)}`;
        sources.push(`(select 1 from ${parentSql.from([isParent])}${lock}) as _parent`);
      }
      const names = [organizationColumn, ...table.columns.map(({ name }) => name)];
      const insert = `insert into ${quote(table.name)} (${names.map(quote).join(', ')})`;
      if (sources.length === 0) {
        return `${insert} values (${[this.#organization, ...values.map((_, i) => this.at(i + 1))].join(', ')})`;
      }
      const selected = table.columns.map(({ name, type }) => {
        const value = `cast(${parameterOf(name)} as ${type})`;
        return isAppended && name === 'idx' ? `coalesce(${value}, _last."idx" + 1)` : value;
      });
      const where = isAppended ? `_last."idx" < ${Number.MAX_SAFE_INTEGER}` : 'true';
      const organization = `cast(${this.#organization} as bigint)`;
      return `${insert} select ${[organization, ...selected].join(', ')} from ${sources.join(', ')} where ${where}`;
    });
  }

  delete(id: string): Statement {
    return this.#change('delete', 'delete', [id], () => `delete from ${this.from([`"id" = ${this.at(1)}`])}`);
  }

  /** An insert or a delete that is counted. A singleton's is not: a counter is what tells a record's table from its own. */
  #change(kind: 'insert' | 'delete', key: string, values: readonly Value[], build: () => string): Statement {
    if (this.table.kind === 'singleton') {
      return this.statement(key, values, () => `${build()} returning ${kind === 'insert' ? this.json : '1'}`);
    }
    const counted = (): string => this.dialect.withCounter(this.table, build(), kind, this.#organization);
    return this.statement(key, values, counted, kind === 'insert' ? 1 : -1);
  }

  /** Sets columns if the stored values are the expected ones, and `updated_at` if a value changes. */
  update({ id, set, expected, time }: WriteOf<'update'>): Statement {
    const names = Object.keys(set);
    const expectations = Object.keys(expected);
    const isTimed = this.position('updated_at') !== -1;
    const values = [id, ...Object.values(set), ...Object.values(expected), ...(isTimed ? [time] : [])];
    return this.statement(`update ${names.join()} ${expectations.join()}`, values, () => {
      const assignments = names.map((column, i) => `${quote(column)} = ${this.at(i + 2)}`);
      if (isTimed) {
        const unchanged = names.map((column, i) => this.#isSame(column, i + 2)).join(' and ');
        const later = this.dialect.later('"updated_at"', this.at(values.length));
        assignments.push(`"updated_at" = case when ${unchanged} then "updated_at" else ${later} end`);
      }
      const conditions = expectations.map((column, i) => this.#isSame(column, names.length + 2 + i));
      return (
        `update ${quote(this.table.name)} set ${assignments.join(', ')}` +
        `${this.#where([`"id" = ${this.at(1)}`, ...conditions])} returning ${this.json}`
      );
    });
  }

  /** Reads a record, its parent, and for each expected value whether it is the stored one: 1 or null. */
  compare(id: string, expected: Readonly<Record<string, Value>>, lock = ''): Statement {
    const names = Object.keys(expected);
    return this.statement(`compare ${names.join()} ${lock}`, [id, ...Object.values(expected)], () => {
      const parent = this.table.parent ? quote(this.table.parent.field) : 'null';
      const equal = names.map((column, i) => `, case when ${this.#isSame(column, i + 2)} then 1 end`);
      return `select ${this.json}, ${parent}${equal.join('')} from ${this.from([`"id" = ${this.at(1)}`])}${lock}`;
    });
  }

  transition({ id, field, from, to, time }: WriteOf<'transition'>): Statement {
    return this.statement(`transition ${field} ${from.length}`, [id, to, time, ...from], () => {
      const states = from.map((_, i) => this.at(i + 4)).join(', ');
      return (
        `update ${quote(this.table.name)} set ${quote(field)} = ${this.at(2)}, ` +
        `"updated_at" = ${this.dialect.later('"updated_at"', this.at(3))}` +
        `${this.#where([`"id" = ${this.at(1)}`, `${this.#shown(field)} in (${states})`])} returning ${this.json}`
      );
    });
  }

  column(id: string, field: string): Statement {
    const build = (): string => `select ${this.#shown(field)} from ${this.from([`"id" = ${this.at(1)}`])}`;
    return this.statement(`column ${field}`, [id], build);
  }

  /** Deletes the line items of a parent. */
  deleteItems(parent: string): Statement {
    const build = (): string => `delete from ${this.from([this.#equals(this.table.parent?.field ?? '', this.at(1))])}`;
    return this.statement('delete items', [parent], build);
  }

  /** Adds to the row counter of a parent, or with an empty parent to that of a table of records. */
  addToCounter(parent: string, rows: number): Statement {
    const row = (): string =>
      `values (${this.#organization}, ${literal(this.table.name)}, ${this.at(1)}, 0, ${this.at(2)})`;
    return this.statement('add to counter', [parent, rows], () => addCount(row()));
  }

  /** Deletes the row counter of a parent; with `ifZero`, only a counter of 0. */
  deleteCounter(parent: string, ifZero = false): Statement {
    const condition = ifZero ? ' and "count" = 0' : '';
    const build = (): string => `delete from ${this.counterOf(this.at(1))}${condition}`;
    return this.statement(`delete counter${condition}`, [parent], build);
  }

  /** Selects the row counter of a parent; it follows `from`. */
  counterOf(parent: string): string {
    return (
      `${rowCounters} where ${organizationName} = ${this.#organization} ` +
      `and "table" = ${literal(this.table.name)} and "parent" = ${parent}`
    );
  }

  /** Locks a row; returns one row if it exists. */
  lock(id: Value, strength: keyof Dialect['lock']): Statement {
    const build = (): string => `select 1 from ${this.from([`"id" = ${this.at(1)}`])}${this.dialect.lock[strength]}`;
    return this.statement(`lock ${strength}`, [id], build);
  }

  /** The ids of line items with their parents, locked in the order of their ids, so that two reorders cannot deadlock. */
  parentsOf(positions: string): Statement {
    return this.statement('parents', [positions], () => {
      const parents = parentColumns(this.table).map((column) => `, _item.${quote(column)}`);
      const ids = `select _position."id" from ${this.dialect.positions(this.at(1))}`;
      return (
        `select _item."id"${parents.join('')} from ${this.from([`_item."id" in (${ids})`], '_item')} ` +
        `order by _item."id"${this.dialect.lock.exclusive}`
      );
    });
  }

  setPositions(positions: string): Statement {
    const name = quote(this.table.name);
    const source = (): string => this.dialect.positions(this.at(1));
    const build = (): string =>
      `update ${name} set "idx" = _position."idx" from ${source()}${this.#where([`${name}."id" = _position."id"`])}`;
    return this.statement('positions', [positions], build);
  }

  /** The index of a column. */
  position(column: string): number {
    return this.table.columns.findIndex(({ name }) => name === column);
  }

  #equals(column: string, parameter: string): string {
    return column === this.table.parent?.field
      ? this.dialect.isParent(quote(column), parameter)
      : `${quote(column)} = ${parameter}`;
  }

  #shown(column: string): string {
    return shownValue(this.table.columns[this.position(column)] as Column);
  }

  /** A column has the value of the nth parameter, which may be null. */
  #isSame(column: string, n: number): string {
    return `${quote(column)} is not distinct from ${this.at(n)}`;
  }
}

/** The statements on all tables of a store. */
export class Dml {
  readonly #tables: ReadonlyMap<string, TableTexts>;
  readonly #items: ReadonlyMap<string, readonly TableTexts[]>;

  constructor(tables: readonly Table[], dialect: Dialect) {
    this.#tables = new Map(tables.map((table) => [table.name, new TableTexts(table, dialect)]));
    this.#items = Map.groupBy(this.#tables.values(), ({ table }) => table.parent?.table ?? '');
  }

  /** @throws Error if the store was opened without this table */
  of(table: string, organization: number): TableSql {
    const texts = this.#tables.get(table);
    if (!texts) throw new Error(`The store was opened without a table "${table}".`);
    return new TableSql(texts, organization);
  }

  /** The number of rows of each table of records that has any, of all organizations: its name and its row counters. */
  rowCounts(): Statement {
    const records = [...this.#tables.values()].filter(({ table }) => table.kind === 'record');
    const names = ["''", ...records.map(({ table }) => literal(table.name))].join(', ');
    const text =
      `select "table", sum("count") from ${rowCounters} ` +
      `where "table" in (${names}) and "parent" = '' group by "table"`;
    return { text, values: [] };
  }

  /** The tables of line items whose parents are in this table. */
  itemsOf(table: string, organization: number): readonly TableSql[] {
    return this.#items.get(table)?.map((texts) => new TableSql(texts, organization)) ?? [];
  }

  hasItems(table: string): boolean {
    return this.#items.has(table);
  }
}
