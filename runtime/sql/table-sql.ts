import type { Value } from '../model/fields.ts';
import type { Column, Table } from '../model/table.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import { literal, organizationColumn, parentColumns, quote, rowCounters, shownValue } from './schema.ts';
import { type Bind, buildList, conditionOf, fromIndexOf, type ListQuery, type ListSql } from './list.ts';
import { ownWord, searchColumn, type SearchIndex, searchOf, type WordStorage, wordsOf } from './search.ts';
import type { Count } from './steps.ts';
import type { Condition, WriteOf } from '../records/store.ts';

/** The values of parameters; a list is bound as one. */
export type Values = readonly (Value | readonly Value[])[];

/** An SQL statement with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: Values;
}

/** The parts of the statements on records that differ between engines. */
export interface QueryDialect {
  /** The nth parameter, from 1. */
  parameter(n: number): string;
  /** An expression over the columns of a row: its JSON. */
  recordJson(table: Table): string;
  /** The condition that the JSON of a row has at most as many bytes as a parameter says: numbers are taken for short ones. */
  isWithin(table: Table, parameter: string): string;
  /** An expression: bytes that may be enough for the JSON of a row; null where those of a parameter are. */
  bytesBeyond(table: Table, parameter: string): string;
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
  /** A text, compared and sorted by code points. */
  byCodePoints(text: string): string;
  /** An expression in a condition or order, written so that the engine uses no index for it. */
  withoutIndex(expression: string): string;
  /** A condition: a column has one of the values of a parameter, which is a list. */
  isIn(column: string, parameter: string): string;
  /**
   * A condition: the sort key of a row is in one of the ranges of a parameter, a JSON array of pairs, in the form
   * that the index supports.
   */
  isInRanges(table: Table, parameter: string): string;
  /** A condition: a column has another value than a parameter, in the form that the index supports. */
  isUnequal(sql: TableSql, column: string, parameter: string): string;
  readonly words: WordStorage;
  /** A condition: the row's words match a parameter, which is a `searchQuery`. */
  matches(search: SearchIndex, parameter: string, mayUseIndex: boolean): string;
  /** Rows of the index, as they follow `from`, that match; undefined if it has no rows of its own. */
  found?(search: SearchIndex, parameter: string): string;
  /** A query for the rows that have words that begin so. */
  searchQuery(words: readonly string[]): string;
  /** Rows of a table, as they follow `from`, where they are to be found by the search among the conditions. */
  searched(table: string, where: string): string;
  /** A table whose rows are to be found by the primary key. */
  byPrimaryKey(table: Table): string;
  /** The order by a column that may be null; nulls are last, unless `isReversed`. */
  nullableOrder(column: string, isDescending: boolean, isReversed: boolean): string;
  /**
   * The condition that a column that may be null has a value behind that of a parameter, and the order of the rows that meet
   * it, both in the form that an index on the column supports.
   */
  beyond(
    column: string,
    isDescending: boolean,
    parameter: string,
  ): { readonly condition: string; readonly order: string };
  /** The later one of a timestamp column and a parameter. */
  later(column: string, parameter: string): string;
  /** The end of a `select` that locks its rows against deletion, any change, or both `againstDelete` and `exclusive`; empty if the engine has a single writer. */
  readonly lock: { readonly againstDelete: string; readonly exclusive: string; readonly forDelete: string };
  /** A relation `_position` of `id` and `idx`, built from a parameter that is a JSON array of objects. */
  positions(parameter: string): string;
  /** The expressions that an insert returns, separated by commas. */
  inserted(table: Table): string;
  /** The JSON of a new record, from its values and the row that its insert has returned. */
  insertedJson(table: Table, values: readonly Value[], row: readonly unknown[]): string;
  /** Shards of the row counter of a table of records: that many writers need not wait for each other. */
  readonly counterShards: number;
  /** Locks a parent that is stored outside this service; undefined if the engine has a single writer. */
  lockExternalParent(sql: TableSql, parent: Value): Statement | undefined;
}

/** Adds the rows of a query (organization, table, parent, shard, count) to the row counters; missing ones are inserted. */
export const addCount = (query: string): string =>
  `insert into ${rowCounters} ${query} on conflict (${organizationName}, "table", "parent", "shard") ` +
  `do update set "count" = ${rowCounters}."count" + excluded."count"`;

/** An expression over the columns of a row: the bytes of its strings, which engines know without reading them. */
const textBytes = ({ columns }: Table): string =>
  columns
    .filter(({ type }) => type === 'text')
    .map(({ name }) => `coalesce(octet_length(${quote(name)}), 0)`)
    .join(' + ');

/** Bytes that a string may have in JSON for each that it has in the database: `\u0001`. */
export const maxEscape = 6;

/** Bytes of a column in JSON beside those of a string: its name and punctuation, or a number. */
export const overheadOf = ({ name }: Pick<Column, 'name'>): number => name.length + 12;

export const overheadOfRow = ({ columns }: Table): number =>
  columns.reduce((sum, column) => sum + overheadOf(column), 0);

/** An expression over the columns of a row: the bytes of its JSON, nearly, if nothing in it is escaped. */
export const bytesOfRow = (table: Table): string => `${textBytes(table)} + ${overheadOfRow(table)}`;

const organizationName = quote(organizationColumn);

/** Statement texts cached for a table: each set of updated fields has its own. */
const maxCachedTexts = 200;

/** The statements on one table, whichever organization they are for. */
class TableTexts {
  readonly table: Table;
  readonly dialect: QueryDialect;
  readonly json: string;
  readonly texts = new BoundedMap<string, string>(maxCachedTexts);

  constructor(table: Table, dialect: QueryDialect) {
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
  readonly dialect: QueryDialect;
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
  statement(key: string, values: Values, build: () => string): Statement {
    let text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, (text = build()));
    return { text, values: [this.organization, ...values] };
  }

  /** A condition: the value of a column is the organization. */
  inOrganization(column: string): string {
    return `${column} = ${this.#organization}`;
  }

  /** The parameter of the nth of a statement's `values`, from 1. */
  param(n: number): string {
    return this.dialect.parameter(n + 1);
  }

  /** The rows of the organization that meet all conditions, as they follow `from`. */
  organizationRows(conditions: readonly string[] = [], alias?: string): string {
    return `${quote(this.table.name)}${alias === undefined ? '' : ` as ${alias}`}${this.#where(conditions, alias)}`;
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
    const search = searchOf(this.table);
    if (!search) throw new Error(`The table ${this.table.name} is not searched.`);
    return search;
  }

  #queryOf(words: readonly string[]): string {
    return this.dialect.searchQuery(words.map((word) => ownWord(this.organization, word)));
  }

  /** ` where …`, with the organization of the rows. */
  #where(conditions: readonly string[], alias = quote(this.table.name)): string {
    return ` where ${[this.inOrganization(`${alias}.${organizationName}`), ...conditions].join(' and ')}`;
  }

  get #organization(): string {
    return this.dialect.parameter(1);
  }

  get(id: string): Statement {
    return this.statement('get', [id], () =>
      this.dialect.selectJson(this.table, this.organizationRows([`"id" = ${this.param(1)}`])),
    );
  }

  /** Instead of a record that is longer, the number of its bytes. */
  getWithin(id: string, maxBytes: number): Statement {
    return this.statement('get within', [id, maxBytes], () => {
      const rows = this.organizationRows([`"id" = ${this.param(1)}`]);
      const found = `(${this.dialect.selectJson(this.table, rows)} offset 0) as _found (_json)`;
      const isWithin = `octet_length(_json) <= ${this.param(2)}`;
      return `select case when ${isWithin} then _json else cast(octet_length(_json) as text) end from ${found}`;
    });
  }

  /** Bytes that may be enough for the JSON of a record for which these are not; null where they are. */
  bytesBeyond(id: string, maxBytes: number): Statement {
    return this.statement('bytes', [id, maxBytes], () => {
      return `select ${this.#bytesBeyond(2)} from ${this.organizationRows([`"id" = ${this.param(1)}`])}`;
    });
  }

  /** The one record of a singleton. */
  only(): Statement {
    return this.statement('only', [], () =>
      this.dialect.selectJson(this.table, `${this.organizationRows()} order by "id" limit 1`),
    );
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

  rows(query: ListQuery): ListSql {
    return buildList(this, query);
  }

  /** The first of some rows: the bytes of all their strings, and the JSON of each. */
  beginning({ parts, values }: ListSql, limit: number): readonly [bytes: Statement, records: Statement] {
    const rows = `${parts.join()} limit ${limit}`;
    const sum = (): string =>
      `select coalesce(sum("_bytes"), 0) from (select ${textBytes(this.table)} as "_bytes" from ${rows}) as _rows`;
    const records = (): string => this.dialect.selectJson(this.table, rows);
    return [this.statement(`bytes ${rows}`, values, sum), this.statement(`records ${rows}`, values, records)];
  }

  /** The number of rows, as they follow `from`, counted one by one. */
  count(rows: string, values: Values): Statement {
    return this.statement(`count ${rows}`, values, () => `select count(*) from ${rows}`);
  }

  /** The number of rows that meet conditions on a column, counted up to a maximum. */
  countUpTo(conditions: readonly Condition[], max: number): Statement {
    const values: (Value | readonly Value[])[] = [];
    const bind: Bind = (value) => this.param(values.push(value));
    const meeting = conditions.map((condition) => conditionOf(this, condition, bind, true));
    return this.#countUpTo(fromIndexOf(this, conditions, meeting), values, max);
  }

  /** The number of rows that a search finds, counted up to a maximum. */
  countFound(words: readonly string[], max: number): Statement {
    return this.#countUpTo(this.#found(words), [this.#queryOf(words)], max);
  }

  /** The number of rows that a search finds. */
  countAllFound(words: readonly string[]): Statement {
    const rows = this.#found(words);
    return this.statement(`count ${rows}`, [this.#queryOf(words)], () => `select count(*) from ${rows}`);
  }

  /** The rows that a search finds. The organization is in the words: where the index has rows, the table is not read. */
  #found(words: readonly string[]): string {
    const found = this.dialect.found?.(this.#search, this.param(1));
    return found ?? this.fromSearch([this.matches(words, () => this.param(1))]);
  }

  #countUpTo(rows: string, values: Values, max: number): Statement {
    const some = `select 1 from ${rows} limit +${this.param(values.length + 1)}`;
    return this.statement(`count up to ${rows}`, [...values, max], () => `select count(*) from (${some}) as _some`);
  }

  /** The row counter of the table; with a value, of the line items of a parent. */
  counter(values: Values): Statement {
    const parent = this.table.parent ? this.param(1) : "''";
    return this.statement('total', values, () => `select coalesce(sum("count"), 0) from ${this.counterOf(parent)}`);
  }

  insert(values: readonly Value[]): Statement {
    const { columns } = this.table;
    const words = this.#wordsOf(Object.fromEntries(columns.map(({ name }, i) => [name, values[i] as Value])));
    const stored = words ? [...values, words.stored] : values;
    return this.statement('insert', stored, () => {
      const names = [organizationColumn, ...columns.map(({ name }) => name), ...(words ? [searchColumn] : [])];
      const parameters = [this.#organization, ...stored.map((_, i) => this.param(i + 1))];
      const insert = `insert into ${quote(this.table.name)} (${names.map(quote).join(', ')})`;
      return `${insert} values (${parameters.join(', ')}) returning ${this.dialect.inserted(this.table)}`;
    });
  }

  /** The largest `idx` of the line items with the parent that is in `values`, at least 0. */
  lastIndex(values: readonly Value[]): Statement {
    const parents = parentColumns(this.table).map(
      (column) => [column, values[this.position(column)] as Value] as const,
    );
    const bound = parents.filter(([, value]) => value !== null);
    const key = `last ${bound.map(([column]) => column).join()}`;
    const parameter = (column: string): string => this.param(bound.findIndex(([other]) => other === column) + 1);
    return this.statement(
      key,
      bound.map(([, value]) => value),
      () => {
        const siblings = parents.map(([column, value]) =>
          value === null ? `${quote(column)} is null` : this.equals(column, parameter(column)),
        );
        return `select coalesce(max("idx"), 0) from ${this.organizationRows(siblings)}`;
      },
    );
  }

  /** Returns the parent of a deleted line item; of another record, an empty one. */
  delete(id: string): Statement {
    return this.statement('delete', [id], () => {
      const { parent } = this.table;
      return `delete from ${this.organizationRows([`"id" = ${this.param(1)}`])} returning ${parent ? quote(parent.field) : "''"}`;
    });
  }

  /** Sets columns if the stored values are the expected ones, and `updated_at` if a value changes. */
  update({ id, set, expected, time, maxBytes }: WriteOf<'update'>): Statement {
    const names = Object.keys(set);
    const expectations = Object.keys(expected);
    const isTimed = this.position('updated_at') !== -1;
    const words = this.#wordsOf(set);
    const assigned = [...Object.values(set), ...(words ? [words.stored] : [])];
    const compared = [id, ...assigned, ...Object.values(expected), ...(isTimed ? [time] : [])];
    const isLimited = maxBytes !== undefined;
    const values = isLimited ? [...compared, maxBytes] : compared;
    return this.statement(`update ${names.join()} ${expectations.join()} ${isLimited}`, values, () => {
      const assignments = names.map((column, i) => `${quote(column)} = ${this.param(i + 2)}`);
      if (words) assignments.push(this.#setWords(words.fields, names.length + 2));
      if (isTimed) {
        const unchanged = names.map((column, i) => this.#isSame(column, i + 2)).join(' and ');
        const later = this.dialect.later('"updated_at"', this.param(compared.length));
        assignments.push(`"updated_at" = case when ${unchanged} then "updated_at" else ${later} end`);
      }
      const conditions = expectations.map((column, i) => this.#isSame(column, assigned.length + 2 + i));
      if (isLimited) conditions.push(this.#isWithin(values.length));
      return (
        `update ${quote(this.table.name)} set ${assignments.join(', ')}` +
        `${this.#where([`"id" = ${this.param(1)}`, ...conditions])} returning ${this.json}`
      );
    });
  }

  /**
   * Reads a record, its parent, and for each expected value whether it is the stored one: 1 or null. Instead of a record that is
   * longer than `maxBytes`, a number of bytes that may be enough.
   */
  compare({ id, expected, maxBytes }: WriteOf<'update'>, lock = ''): Statement {
    const names = Object.keys(expected);
    const isLimited = maxBytes !== undefined;
    const values = [id, ...Object.values(expected), ...(isLimited ? [maxBytes] : [])];
    return this.statement(`compare ${names.join()} ${lock} ${isLimited}`, values, () => {
      const parent = this.table.parent ? quote(this.table.parent.field) : 'null';
      const equal = names.map((column, i) => `, case when ${this.#isSame(column, i + 2)} then 1 end`);
      const limit = values.length;
      const json = isLimited ? `case when ${this.#isWithin(limit)} then ${this.json} end` : this.json;
      const beyond = isLimited ? this.#bytesBeyond(limit) : 'null';
      const rows = this.organizationRows([`"id" = ${this.param(1)}`]);
      return `select ${json}, ${parent}, ${beyond}${equal.join('')} from ${rows}${lock}`;
    });
  }

  transition({ id, field, from, to, time, maxBytes }: WriteOf<'transition'>): Statement {
    const words = this.#wordsOf({ [field]: to });
    const isLimited = maxBytes !== undefined;
    const values = [id, to, time, ...from, ...(words ? [words.stored] : []), ...(isLimited ? [maxBytes] : [])];
    return this.statement(`transition ${field} ${from.length} ${isLimited}`, values, () => {
      const states = from.map((_, i) => this.param(i + 4)).join(', ');
      const stored = words ? `${this.#setWords(words.fields, from.length + 4)}, ` : '';
      const conditions = [`"id" = ${this.param(1)}`, `${this.#shown(field)} in (${states})`];
      if (isLimited) conditions.push(this.#isWithin(values.length));
      return (
        `update ${quote(this.table.name)} set ${quote(field)} = ${this.param(2)}, ${stored}` +
        `"updated_at" = ${this.dialect.later('"updated_at"', this.param(3))}` +
        `${this.#where(conditions)} returning ${this.json}`
      );
    });
  }

  /** Reads the state that a transition changes, and as `compare` what bytes may be enough. */
  state({ id, field, maxBytes }: WriteOf<'transition'>): Statement {
    const isLimited = maxBytes !== undefined;
    return this.statement(`state ${field} ${isLimited}`, isLimited ? [id, maxBytes] : [id], () => {
      const beyond = isLimited ? this.#bytesBeyond(2) : 'null';
      return `select ${this.#shown(field)}, ${beyond} from ${this.organizationRows([`"id" = ${this.param(1)}`])}`;
    });
  }

  /** Deletes the line items of a parent. */
  deleteItems(parent: string): Statement {
    const build = (): string =>
      `delete from ${this.organizationRows([this.equals(this.table.parent?.field ?? '', this.param(1))])}`;
    return this.statement('delete items', [parent], build);
  }

  /** Changes a row counter. */
  changeCounter({ parent, rows, isReset = false }: Omit<Count, 'sql'>): Statement[] {
    if (!isReset) return this.addToCounter(parent, rows);
    return [this.deleteCounter(parent), ...(rows === 0 ? [] : this.addToCounter(parent, rows))];
  }

  /** Adds to the row counter of a parent, or with an empty parent to that of a table of records. */
  addToCounter(parent: string, rows: number): Statement[] {
    const shard = this.table.parent ? 0 : Math.floor(Math.random() * this.dialect.counterShards);
    const add = this.statement('add to counter', [parent, shard, rows], () => {
      const row = [this.#organization, literal(this.table.name), this.param(1), this.param(2), this.param(3)];
      return addCount(`values (${row.join(', ')})`);
    });
    // Nothing reports the deletion of a parent outside this service: its counter must not remain.
    const prune = rows <= 0 && this.table.parent ? [this.deleteCounter(parent, true)] : [];
    return rows === 0 ? prune : [add, ...prune];
  }

  /** Deletes the row counter of a parent; with `ifZero`, only a counter of 0. */
  deleteCounter(parent: string, ifZero = false): Statement {
    const condition = ifZero ? ' and "count" = 0' : '';
    const build = (): string => `delete from ${this.counterOf(this.param(1))}${condition}`;
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
  lock(id: Value, strength: keyof QueryDialect['lock']): Statement {
    const build = (): string =>
      `select 1 from ${this.organizationRows([`"id" = ${this.param(1)}`])}${this.dialect.lock[strength]}`;
    return this.statement(`lock ${strength}`, [id], build);
  }

  /** Locks rows in the order of their ids, also against reads of their existence; none if the engine has a single writer. */
  lockAll(ids: readonly string[]): Statement[] {
    const { lock } = this.dialect;
    if (lock.forDelete === '') return [];
    const given = JSON.stringify(ids.map((id) => ({ id })));
    return [
      this.statement('lock all', [given], () => {
        const all = `select _position."id" from ${this.dialect.positions(this.param(1))}`;
        return `select 1 from ${this.organizationRows([`"id" in (${all})`])} order by "id"${lock.forDelete}`;
      }),
    ];
  }

  /** The ids of line items with their parents, locked in the order of their ids, so that two reorders cannot deadlock. */
  parentsOf(positions: string): Statement {
    return this.statement('parents', [positions], () => {
      const parents = parentColumns(this.table).map((column) => `, _item.${quote(column)}`);
      const ids = `select _position."id" from ${this.dialect.positions(this.param(1))}`;
      return (
        `select _item."id"${parents.join('')} from ${this.organizationRows([`_item."id" in (${ids})`], '_item')} ` +
        `order by _item."id"${this.dialect.lock.exclusive}`
      );
    });
  }

  setPositions(positions: string): Statement {
    const name = quote(this.table.name);
    const source = (): string => this.dialect.positions(this.param(1));
    const build = (): string =>
      `update ${name} set "idx" = _position."idx" from ${source()}${this.#where([`${name}."id" = _position."id"`])}`;
    return this.statement('positions', [positions], build);
  }

  /** The index of a column. */
  position(column: string): number {
    return this.table.columns.findIndex(({ name }) => name === column);
  }

  /** A column has the value of a parameter, which is not null. */
  equals(column: string, parameter: string): string {
    return column === this.table.parent?.field
      ? this.dialect.isParent(quote(column), parameter)
      : `${quote(column)} = ${parameter}`;
  }

  /** A column as it is compared and sorted: by the value that records show, texts by code points. */
  sortable(column: string): string {
    const { type } = this.table.columns[this.position(column)] as Column;
    return type === 'text' ? this.dialect.byCodePoints(this.#shown(column)) : this.#shown(column);
  }

  /** The searched fields among these values, and their words as they are stored. */
  #wordsOf(values: Readonly<Record<string, Value>>): { fields: readonly string[]; stored: string } | undefined {
    const search = searchOf(this.table);
    const words = search && wordsOf(search, this.organization, values);
    return words && { fields: Object.keys(words), stored: this.dialect.words.stored(words) };
  }

  /** Assigns the words of these fields from the nth parameter. */
  #setWords(fields: readonly string[], n: number): string {
    return `${quote(searchColumn)} = ${this.dialect.words.replaced(fields, this.param(n))}`;
  }

  /** The condition that the JSON of a row has at most as many bytes as the nth parameter says. */
  #isWithin(n: number): string {
    return this.dialect.isWithin(this.table, this.param(n));
  }

  /** Bytes that may be enough for a row for which those of the nth parameter are not; null for one for which they are. */
  #bytesBeyond(n: number): string {
    return this.dialect.bytesBeyond(this.table, this.param(n));
  }

  #shown(column: string): string {
    return shownValue(this.table.columns[this.position(column)] as Column);
  }

  /** A column shows the value of the nth parameter, which may be null. */
  #isSame(column: string, n: number): string {
    return `${this.#shown(column)} is not distinct from ${this.param(n)}`;
  }
}

/** The statements on all tables of a store. */
export class Dml {
  readonly #tables: ReadonlyMap<string, TableTexts>;
  readonly #items: ReadonlyMap<string, readonly TableTexts[]>;

  constructor(tables: readonly Table[], dialect: QueryDialect) {
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
