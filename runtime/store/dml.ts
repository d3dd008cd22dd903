import { LRUCache } from 'lru-cache';
import type { Value } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import { isCounted, literal, parentColumns, quote, rowCounters, sortKey, sortKeyOf } from './ddl.ts';

/** A statement of SQL with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  /** Each row that it returns is one more or one less of the table, or of the parent in its second column. */
  readonly counts?: { readonly table: string; readonly rows: 1 | -1 };
}

/** What one engine spells its own way in the statements that read and write records. */
export interface Dialect {
  /** The nth parameter, from 1. */
  parameter(n: number): string;
  /** The JSON text of a row, as an expression over its columns. */
  recordJson(table: Table): string;
  /** The condition that a line item belongs to a parent, as the index over `field` serves it. */
  isParent(field: string, parameter: string): string;
  /** The later one of a timestamp column and a parameter. */
  later(column: string, parameter: string): string;
  /** Behind a `select`: locks its rows against deletion, or against any change. Empty where there is one writer at a time. */
  readonly lock: { readonly againstDelete: string; readonly exclusive: string };
  /** A relation `v` of `id` and `idx`, from a parameter that holds a JSON array of objects. */
  positions(parameter: string): string;
  /**
   * An insert or a delete that counts its rows: of an insert it returns the record's JSON, and for line items, in the second
   * column, the parent; of the delete of a line item the new count of the parent in the third, where it is known by then.
   */
  counted(table: Table, change: string, kind: 'insert' | 'delete'): string;
  /** Locks a parent that this service does not have. */
  lockForeignParent(table: Table, parent: Value): Statement | undefined;
}

/** Which rows of a table are meant, and in which order: everything that filters, counts or pages goes through this. */
export interface Rows {
  /** Columns and the values that they have. */
  readonly where?: Readonly<Record<string, Value>>;
  /** The cursor: the id of the record that they begin behind. */
  readonly after?: string;
  /** Against the order of the list. */
  readonly isReversed?: boolean;
}

/** Rows as SQL. The values of further parameters follow those of `values`. */
export interface RowsSql {
  /** ` where … order by …` */
  readonly clause: string;
  readonly orderBy: string;
  readonly values: readonly Value[];
  /** Whether the record of the cursor belongs to the rows, as an expression; of records it need not be there. */
  readonly cursorExists: string | undefined;
  /** A statement that counts the rows, as if there were no cursor. It uses the first of the values, so many. */
  readonly total: string;
  readonly totalValues: readonly Value[];
}

/** Adds what a query gives (table, parent, shard, count) to the row counters; one that is not there yet is made. */
export const addCount = (query: string): string =>
  `insert into ${rowCounters} ${query} on conflict ("table", "parent", "shard") ` +
  `do update set "count" = ${rowCounters}."count" + excluded."count"`;

/** Texts of statements that are kept for each table: updates of many different sets of fields must not fill the memory. */
const maxCachedTexts = 200;

/** The SQL of one table's records. */
export class TableSql {
  readonly table: Table;
  /** The name of the table, quoted. */
  readonly name: string;
  /** The columns, quoted, in the order of the record. */
  readonly columns: string;
  readonly json: string;
  readonly dialect: Dialect;
  readonly #texts = new LRUCache<string, string>({ max: maxCachedTexts });

  constructor(table: Table, dialect: Dialect) {
    this.table = table;
    this.dialect = dialect;
    this.name = quote(table.name);
    this.columns = table.columns.map((column) => quote(column.name)).join(', ');
    this.json = dialect.recordJson(table);
  }

  /** The text of a statement, built at its first use: equal keys stand for equal texts. */
  text(key: string, build: () => string): string {
    let text = this.#texts.get(key);
    if (text === undefined) this.#texts.set(key, (text = build()));
    return text;
  }

  get(id: string): Statement {
    return {
      text: this.text('get', () => `select ${this.json} from ${this.name} where "id" = ${this.#at(1)}`),
      values: [id],
    };
  }

  /** The one record of a singleton. */
  only(): Statement {
    return { text: this.text('only', () => `select ${this.json} from ${this.name} order by "id" limit 1`), values: [] };
  }

  rows({ where = {}, after, isReversed = false }: Rows): RowsSql {
    const { table, name } = this;
    const values: Value[] = [];
    const bind = (value: Value): string => this.#at(values.push(value));
    const conditions = Object.entries(where).map(([column, value]) => {
      if (value === null) return `${quote(column)} is null`;
      return column === table.parent?.field
        ? this.dialect.isParent(quote(column), bind(value))
        : `${quote(column)} = ${bind(value)}`;
    });
    const total = this.#total(where, conditions);
    const totalValues = total.usesValues ? [...values] : [];

    const isItem = table.kind === 'line-item';
    const keys = isItem ? ['"idx"', sortKey(table)] : [sortKey(table)];
    const isDescending = isItem === isReversed;
    let cursorExists: string | undefined;
    if (after !== undefined) {
      const key = bind(sortKeyOf(table, after));
      const compare = isDescending ? '<' : '>';
      if (isItem) {
        const found = `from ${name} where ${[`"id" = ${bind(after)}`, ...conditions].join(' and ')}`;
        cursorExists = `exists (select 1 ${found})`;
        conditions.push(`(${keys.join(', ')}) ${compare} ((select "idx" ${found}), ${key})`);
      } else {
        conditions.push(`${keys[0]} ${compare} ${key}`);
      }
    }
    const orderBy = ` order by ${keys.map((key) => (isDescending ? `${key} desc` : key)).join(', ')}`;
    const filter = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
    return { clause: filter + orderBy, orderBy, values, cursorExists, total: total.text, totalValues };
  }

  /** Counters know the number of all records, and of the line items of a parent; what is filtered otherwise is counted. */
  #total(
    where: Readonly<Record<string, Value>>,
    conditions: readonly string[],
  ): { readonly text: string; readonly usesValues: boolean } {
    const { name, parent } = this.table;
    const columns = Object.keys(where);
    const hasCounter = parent
      ? columns.length === 1 && isCounted(where[parent.field] ?? null)
      : columns.length === 0 && this.table.kind === 'record';
    if (!hasCounter) {
      const filter = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
      return { text: `select count(*) from ${this.name}${filter}`, usesValues: true };
    }
    const counted = parent ? this.#at(1) : "''";
    return {
      text: `select coalesce(sum("count"), 0) from ${rowCounters} where "table" = ${literal(name)} and "parent" = ${counted}`,
      usesValues: parent !== undefined,
    };
  }

  insert(values: readonly Value[]): Statement {
    const { table } = this;
    const text = this.text('insert', () => {
      const parameters = table.columns.map((_, i) => this.#at(i + 1)).join(', ');
      const change = `insert into ${this.name} (${this.columns}) values (${parameters})`;
      return table.kind === 'singleton'
        ? `${change} returning ${this.json}`
        : this.dialect.counted(table, change, 'insert');
    });
    return { text, values, ...(table.kind !== 'singleton' && { counts: { table: table.name, rows: 1 } }) };
  }

  /**
   * Inserts a line item if its parent is there; where `idx` is null, behind the last one of the parent, if that leaves a
   * safe integer.
   */
  insertItem(values: readonly Value[]): Statement {
    const { table } = this;
    const { field, table: home } = table.parent as NonNullable<Table['parent']>;
    const isLast = values[this.position('idx')] === null;
    const isNull = parentColumns(table).map((column) => values[this.position(column)] === null);
    const text = this.text(`insert ${isLast} ${isNull.join()}`, () => {
      const sources: string[] = [];
      if (isLast) {
        const siblings = parentColumns(table).map((column, i) => {
          if (isNull[i]) return `${quote(column)} is null`;
          const parameter = this.#at(this.position(column) + 1);
          return column === field ? this.dialect.isParent(quote(column), parameter) : `${quote(column)} = ${parameter}`;
        });
        sources.push(
          `(select coalesce(max("idx"), 0) as "idx" from ${this.name} where ${siblings.join(' and ')}) as last`,
        );
      }
      if (home !== undefined) {
        // Of the last ones, the parent is locked already: what they come behind must be read after that.
        const lock = isLast ? '' : this.dialect.lock.againstDelete;
        sources.push(
          `(select 1 from ${quote(home)} where "id" = ${this.#at(this.position(field) + 1)}${lock}) as parent`,
        );
      }
      const selected = table.columns.map(({ name, type }, i) => {
        const value = `cast(${this.#at(i + 1)} as ${type})`;
        return isLast && name === 'idx' ? `coalesce(${value}, last."idx" + 1)` : value;
      });
      const change =
        `insert into ${this.name} (${this.columns}) select ${selected.join(', ')}` +
        (sources.length === 0 ? '' : ` from ${sources.join(', ')}`) +
        ` where ${isLast ? `last."idx" < ${Number.MAX_SAFE_INTEGER}` : 'true'}`;
      return this.dialect.counted(table, change, 'insert');
    });
    return { text, values, counts: { table: table.name, rows: 1 } };
  }

  /** Sets columns where the stored values are the expected ones; `updated_at` moves where something changes. */
  update(
    id: string,
    set: Readonly<Record<string, Value>>,
    expected: Readonly<Record<string, Value>>,
    time: string,
  ): Statement {
    const names = Object.keys(set);
    const expectations = Object.keys(expected);
    const isTimed = this.table.columns.some(({ name }) => name === 'updated_at');
    const text = this.text(`update ${names.join()} ${expectations.join()}`, () => {
      const assignments = names.map((column, i) => `${quote(column)} = ${this.#at(i + 2)}`);
      const last = names.length + 1;
      if (isTimed) {
        const unchanged = names.map((column, i) => `${quote(column)} is not distinct from ${this.#at(i + 2)}`);
        assignments.push(
          `"updated_at" = case when ${unchanged.join(' and ')} then "updated_at" ` +
            `else ${this.dialect.later('"updated_at"', this.#at(last + 1))} end`,
        );
      }
      const first = last + (isTimed ? 2 : 1);
      const conditions = expectations.map(
        (column, i) => ` and ${quote(column)} is not distinct from ${this.#at(first + i)}`,
      );
      return (
        `update ${this.name} set ${assignments.join(', ')} where "id" = ${this.#at(1)}${conditions.join('')} ` +
        `returning ${this.json}`
      );
    });
    return { text, values: [id, ...Object.values(set), ...(isTimed ? [time] : []), ...Object.values(expected)] };
  }

  /** Reads a record, its parent, and for each expected value 1 where it is the stored one. */
  compare(id: string, expected: Readonly<Record<string, Value>>, lock = ''): Statement {
    const names = Object.keys(expected);
    const text = this.text(`compare ${names.join()} ${lock}`, () => {
      const parent = this.table.parent ? quote(this.table.parent.field) : 'null';
      const equal = names.map(
        (column, i) => `, case when ${quote(column)} is not distinct from ${this.#at(i + 2)} then 1 end`,
      );
      return `select ${this.json}, ${parent}${equal.join('')} from ${this.name} where "id" = ${this.#at(1)}${lock}`;
    });
    return { text, values: [id, ...Object.values(expected)] };
  }

  /** Moves a state from one of some values to another. */
  transition(id: string, field: string, from: readonly string[], to: string, time: string): Statement {
    const text = this.text(`transition ${field} ${from.length}`, () => {
      const states = from.map((_, i) => this.#at(i + 4)).join(', ');
      return (
        `update ${this.name} set ${quote(field)} = ${this.#at(2)}, ` +
        `"updated_at" = ${this.dialect.later('"updated_at"', this.#at(3))} ` +
        `where "id" = ${this.#at(1)} and ${quote(field)} in (${states}) returning ${this.json}`
      );
    });
    return { text, values: [id, to, time, ...from] };
  }

  column(id: string, field: string): Statement {
    const text = this.text(
      `column ${field}`,
      () => `select ${quote(field)} from ${this.name} where "id" = ${this.#at(1)}`,
    );
    return { text, values: [id] };
  }

  delete(id: string): Statement {
    const { table } = this;
    const text = this.text('delete', () =>
      this.dialect.counted(table, `delete from ${this.name} where "id" = ${this.#at(1)}`, 'delete'),
    );
    return { text, values: [id], counts: { table: table.name, rows: -1 } };
  }

  /** Deletes the line items of a parent. */
  deleteItems(parent: string): Statement {
    const field = quote(this.table.parent?.field ?? '');
    const text = this.text(
      'delete items',
      () => `delete from ${this.name} where ${this.dialect.isParent(field, this.#at(1))}`,
    );
    return { text, values: [parent] };
  }

  /** Adds to the counter of a parent, which need not be there. */
  addToCounter(parent: string, rows: 1 | -1): Statement {
    const text = this.text(`count ${rows}`, () =>
      addCount(`select ${literal(this.table.name)}, cast(${this.#at(1)} as text), 0, ${rows} where true`),
    );
    return { text, values: [parent] };
  }

  /** Deletes the counter of a parent; where `ifZero`, only one that counts nothing. */
  deleteCounter(parent: string, ifZero = false): Statement {
    const text = this.text(
      `delete counter ${ifZero}`,
      () =>
        `delete from ${rowCounters} where "table" = ${literal(this.table.name)} and "parent" = ${this.#at(1)}` +
        (ifZero ? ' and "count" = 0' : ''),
    );
    return { text, values: [parent] };
  }

  /** Locks a row against deletion, or against any change; returns a row if it is there. */
  lock(id: Value, strength: keyof Dialect['lock']): Statement {
    const text = this.text(
      `lock ${strength}`,
      () => `select 1 from ${this.name} where "id" = ${this.#at(1)}${this.dialect.lock[strength]}`,
    );
    return { text, values: [id] };
  }

  /** The ids of some line items with their parents, locked in one order, so that two of these never wait for each other. */
  parentsOf(positions: string): Statement {
    const text = this.text('parents', () => {
      const parents = parentColumns(this.table).map((column) => `, t.${quote(column)}`);
      return (
        `select t."id"${parents.join('')} from ${this.name} as t where t."id" in ` +
        `(select v."id" from ${this.dialect.positions(this.#at(1))}) order by t."id"${this.dialect.lock.exclusive}`
      );
    });
    return { text, values: [positions] };
  }

  setPositions(positions: string): Statement {
    const text = this.text(
      'positions',
      () =>
        `update ${this.name} set "idx" = v."idx" from ${this.dialect.positions(this.#at(1))} ` +
        `where ${this.name}."id" = v."id"`,
    );
    return { text, values: [positions] };
  }

  /** Where a column stands among the columns. */
  position(column: string): number {
    return this.table.columns.findIndex(({ name }) => name === column);
  }

  #at(n: number): string {
    return this.dialect.parameter(n);
  }
}

/** The SQL of all tables of a store. */
export class Dml {
  readonly #tables: ReadonlyMap<string, TableSql>;
  readonly #items: ReadonlyMap<string, readonly TableSql[]>;

  constructor(tables: readonly Table[], dialect: Dialect) {
    this.#tables = new Map(tables.map((table) => [table.name, new TableSql(table, dialect)]));
    this.#items = Map.groupBy(this.#tables.values(), ({ table }) => table.parent?.table ?? '');
  }

  /** @throws Error where the store was opened without this table. */
  of(table: string): TableSql {
    const sql = this.#tables.get(table);
    if (!sql) throw new Error(`The store was opened without a table "${table}".`);
    return sql;
  }

  /** The line items whose parents are the records of a table. */
  itemsOf(table: string): readonly TableSql[] {
    return this.#items.get(table) ?? [];
  }
}
