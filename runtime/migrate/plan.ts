import type { ColumnType } from '../schema/fields.ts';
import type { Column, Table } from '../schema/table.ts';
import {
  addColumn,
  countAnew,
  createIndex,
  createRowCounters,
  type Dialect,
  type Index,
  indexes,
  isAlwaysSet,
  literal,
  makeTable,
  quote,
  rowCounters,
} from '../store/ddl.ts';

/** A column as the database has it. */
export interface LiveColumn {
  readonly type: string;
  /** An insert that leaves it out fails. */
  readonly mandatory: boolean;
}

/** A database as it is: tables by name with their columns by name, and the columns of indexes by name. */
export interface LiveSchema {
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, LiveColumn>>;
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  /** The tables whose rows are counted as one: those of records. */
  readonly counted: ReadonlySet<string>;
  /** Indexes that the database began to make and did not finish. */
  readonly unfinished?: ReadonlySet<string>;
  /** Tables whose ids do not sort by their bytes. */
  readonly unsorted?: ReadonlySet<string>;
}

/** What only happens when someone asks for it by name: `lead` is a table, `lead.fax` a column. */
export interface DestructiveChanges {
  readonly drop: readonly string[];
  /** Columns that get the type that the spec says. */
  readonly convert: readonly string[];
}

export const noDestructiveChanges: DestructiveChanges = { drop: [], convert: [] };

/** A column whose type changes, with its values. */
export interface Conversion {
  readonly table: string;
  readonly column: Column;
  readonly from: ColumnType;
}

/** One change of the schema. */
export interface Step {
  /**
   * An addition is nothing to servers of another version. What is exclusive is a failure to them: a rename, another
   * parent. DestructiveChanges were given by name.
   */
  readonly kind: 'addition' | 'exclusive' | 'order';
  /** All of them or none. */
  readonly statements: readonly string[];
  /** Cannot be part of a transaction on an engine that makes indexes concurrently. */
  readonly isAlone?: boolean;
  /** What was ordered by name. */
  readonly order?: string;
  /** Values must come back equal, or nothing is done. */
  readonly conversion?: Conversion;
}

/** What stays in the database with its data although the spec does not have it: a table, or a column of one. */
export interface Kept {
  readonly table: string;
  readonly column?: string;
  /** What the table is called as long as the plan has not renamed it. */
  readonly liveTable?: string;
}

export interface SchemaPlan {
  /** What makes the live schema the wanted one, in order. Nothing in it loses data, unless that was ordered. */
  readonly steps: readonly Step[];
  /** What cannot be done without losing data, each with what to do instead. */
  readonly refusals: readonly string[];
  readonly kept: readonly Kept[];
  /** DestructiveChanges that cannot be followed, or that nothing needs. */
  readonly mistakes: readonly string[];
}

/** How an engine changes the type of a column. */
export type Convert = (conversion: Conversion) => string[];

/** An engine, to the plan. */
export interface Engine extends Dialect {
  readonly convert: Convert;
}

/**
 * Compares the wanted tables with the live ones. Declared renames are made, new tables and columns are added; tables
 * and columns that are no longer wanted stay as they are, with their data, unless `orders` names them.
 */
export function planSchema(
  wanted: readonly Table[],
  live: LiveSchema,
  engine: Engine,
  orders: DestructiveChanges = noDestructiveChanges,
): SchemaPlan {
  return new Planner(wanted, live, engine, orders).plan();
}

class Planner {
  readonly #wanted: readonly Table[];
  readonly #live: LiveSchema;
  readonly #engine: Engine;
  readonly #conversions: Set<string>;
  readonly #drops: Set<string>;
  readonly #steps: Step[] = [];
  readonly #refusals: string[] = [];
  readonly #kept: Kept[] = [];
  readonly #mistakes: string[] = [];

  constructor(wanted: readonly Table[], live: LiveSchema, engine: Engine, orders: DestructiveChanges) {
    this.#wanted = wanted;
    this.#live = live;
    this.#engine = engine;
    this.#conversions = new Set(orders.convert);
    this.#drops = new Set(orders.drop);
  }

  plan(): SchemaPlan {
    if (!this.#live.tables.has(rowCounters)) this.#add(createRowCounters);
    const formers = new Set<string>();
    for (const table of this.#wanted) {
      const former = this.#formerTable(table);
      if (former !== undefined) {
        formers.add(former);
        this.#exclusive(...renameTable(table, former));
      }
      const columns = this.#live.tables.get(former ?? table.name);
      if (columns) this.#compare(table, former ?? table.name, columns);
      // A table of this name may have been counted in an earlier life of the database.
      else this.#add(...makeTable(table, this.#engine).toSpliced(1, 0, ...forgetTotals(table)));
    }
    for (const name of this.#live.tables.keys()) {
      const isKept = name !== rowCounters && !formers.has(name) && !this.#wanted.some((table) => table.name === name);
      if (isKept) this.#leave({ table: name });
    }
    this.#unneeded('drop', this.#drops, (order) => this.#whyNotDropped(order));
    this.#unneeded('convert', this.#conversions, (order) => this.#whyNotConverted(order));
    return { steps: this.#steps, refusals: this.#refusals, kept: this.#kept, mistakes: this.#mistakes };
  }

  #add(...statements: string[]): void {
    this.#steps.push({ kind: 'addition', statements });
  }

  #exclusive(...statements: string[]): void {
    this.#steps.push({ kind: 'exclusive', statements });
  }

  /** The live table that is renamed to a wanted one which is not there yet. */
  #formerTable({ name, renamedFrom = [] }: Table): string | undefined {
    const { tables } = this.#live;
    if (tables.has(name)) return undefined;
    return renamedFrom.find((former) => tables.has(former) && !this.#wanted.some((table) => table.name === former));
  }

  #compare(table: Table, liveName: string, columns: ReadonlyMap<string, LiveColumn>): void {
    this.#compareKind(table, columns, liveName);
    if (this.#live.unsorted?.has(liveName)) {
      this.#exclusive(`alter table ${quote(table.name)} alter column "id" type text ${this.#engine.byBytes}`);
    }
    const renamed = this.#compareColumns(table, liveName, columns);
    for (const index of indexes(table)) this.#compareIndex(table, index, renamed, liveName);
  }

  /** Records and singletons have the same columns; only the rows of records are counted as one. */
  #compareKind(table: Table, columns: ReadonlyMap<string, LiveColumn>, liveName: string): void {
    const isCounted = this.#live.counted.has(liveName);
    if (isCounted === (table.kind === 'record') || !columns.has('created_at') || table.kind === 'line-item') return;
    this.#refusals.push(
      `Table ${quote(table.name)} was made for a ${isCounted ? 'record' : 'singleton'}, and the spec now says ` +
        `${table.kind}. Give the resource a new name in its spec; the rows stay in the old table.`,
    );
  }

  /** @returns the columns that are renamed: their new names by the old ones */
  #compareColumns(table: Table, liveName: string, columns: ReadonlyMap<string, LiveColumn>): Map<string, string> {
    const renamed = new Map<string, string>();
    for (const column of table.columns) {
      const former = columns.has(column.name) ? undefined : formerColumn(column, table, columns);
      if (former !== undefined) {
        renamed.set(former, column.name);
        const names = `${quote(former)} to ${quote(column.name)}`;
        this.#exclusive(`alter table ${quote(table.name)} rename column ${names}`);
      }
      const live = columns.get(former ?? column.name);
      if (live) this.#compareType(table, column, live.type.toLowerCase());
      else if (isAlwaysSet(column)) {
        this.#refusals.push(
          `Table ${quote(table.name)} has no column ${quote(column.name)}: it was made for a resource of another kind. ` +
            `Give the resource a new name in its spec; the rows stay in the old table.`,
        );
      } else this.#add(addColumn(table, column));
    }
    const wanted = new Set(table.columns.map(({ name }) => name));
    for (const [name, live] of columns) {
      if (wanted.has(name) || renamed.has(name)) continue;
      if (!live.mandatory) this.#leave({ table: table.name, column: name, ...formerly(table, liveName) });
      else {
        this.#refusals.push(
          `Column ${quote(name)} of table ${quote(table.name)} must be set, and the spec has no such field: the table was ` +
            `made for a resource of another kind. Give the resource a new name in its spec.`,
        );
      }
    }
    return renamed;
  }

  #compareType(table: Table, column: Column, from: string): void {
    if (from === column.type) return;
    const name = `${table.name}.${column.name}`;
    if (isColumnType(from) && this.#conversions.delete(name)) {
      const conversion = { table: table.name, column, from };
      this.#steps.push({ kind: 'order', order: name, statements: this.#engine.convert(conversion), conversion });
      return;
    }
    const order = isColumnType(from) ? `convert its values with ${command('convert', name)}, or ` : '';
    this.#refusals.push(
      `Column ${quote(column.name)} of table ${quote(table.name)} is ${from}, and the spec now says ${column.type}. ` +
        `Give the field a new name (the old column keeps its data), ${order}go back to its old type.`,
    );
  }

  #compareIndex(table: Table, index: Index, renamed: ReadonlyMap<string, string>, liveName: string): void {
    const { concurrently } = this.#engine;
    const liveIndex = index.name.replace(table.name, liveName);
    const columns = this.#live.indexes.get(liveIndex)?.map((column) => renamed.get(column) ?? column);
    // That of a renamed table has gone with the rename.
    const isGone = liveName !== table.name;
    if (!isGone && columns?.join() === index.columns.join()) return;
    if (columns && table.parent && columns[0] !== table.parent.field) {
      this.#exclusive(...(isGone ? [] : [`drop index ${quote(index.name)}`]), ...countAnew(table));
    } else if (!isGone && (columns || this.#live.unfinished?.has(index.name))) {
      const drop = `drop index${concurrently && ` ${concurrently}`} ${quote(index.name)}`;
      this.#steps.push({ kind: 'addition', statements: [drop], isAlone: true });
    }
    this.#steps.push({ kind: 'addition', statements: [createIndex(index, this.#engine, concurrently)], isAlone: true });
  }

  /** Leaves what the spec does not have, or drops it where that was ordered. */
  #leave(what: Kept): void {
    const { table, column } = what;
    if (column !== undefined && this.#drops.delete(`${table}.${column}`)) {
      const statement = `alter table ${quote(table)} drop column ${quote(column)}`;
      this.#steps.push({ kind: 'order', order: `${table}.${column}`, statements: [statement] });
    } else if (column === undefined && this.#drops.delete(table)) {
      const forget = `delete from ${quote(rowCounters)} where "table" = ${literal(table)}`;
      this.#steps.push({ kind: 'order', order: table, statements: [`drop table ${quote(table)}`, forget] });
    } else this.#kept.push(what);
  }

  #unneeded(option: keyof DestructiveChanges, orders: ReadonlySet<string>, why: (order: string) => string): void {
    for (const order of orders) this.#mistakes.push(`--${option} ${order}: ${why(order)}`);
  }

  #whyNotDropped(order: string): string {
    const [name = '', column] = order.split('.', 2);
    const table = this.#wanted.find((one) => one.name === name);
    const source = this.#wanted.find(({ renamedFrom }) => renamedFrom?.includes(name));
    if (column === undefined) {
      if (table) return 'the spec has this table. Remove its resource first.';
      if (source && this.#live.tables.has(name)) return `the spec renames this table to ${quote(source.name)}.`;
      return 'the database has no such table.';
    }
    if (!table) return `the spec has no table ${quote(name)}; only a table as a whole can be dropped then.`;
    if (table.columns.some((one) => one.name === column)) return 'the spec has this column. Remove its field first.';
    const live = this.#live.tables.get(this.#formerTable(table) ?? name);
    const target = table.columns.find(({ renamedFrom }) => renamedFrom?.includes(column));
    if (!live?.has(column)) return 'the database has no such column.';
    return target ? `the spec renames this column to ${quote(target.name)}.` : 'every row of this table needs it.';
  }

  #whyNotConverted(order: string): string {
    const [name, column] = order.split('.', 2);
    const table = this.#wanted.find((one) => one.name === name);
    const isThere = table?.columns.some((one) => one.name === column);
    return isThere ? 'the column has the type that the spec says.' : 'the spec has no such column (TABLE.COLUMN).';
  }
}

/** An order, as it is given. */
export const command = (option: keyof DestructiveChanges, name: string): string =>
  `\`npm run migrate -- --${option} ${name}\``;

const columnTypes: Readonly<Record<ColumnType, true>> = {
  text: true,
  bigint: true,
  'double precision': true,
  boolean: true,
};

const isColumnType = (type: string): type is ColumnType => Object.hasOwn(columnTypes, type);

/** Singletons are not counted. */
const forgetTotals = ({ name, kind }: Table): string[] =>
  kind === 'singleton' ? [] : [`delete from ${quote(rowCounters)} where "table" = ${literal(name)}`];

function renameTable(table: Table, former: string): string[] {
  const take = `update ${quote(rowCounters)} set "table" = ${literal(table.name)} where "table" = ${literal(former)}`;
  return [
    `alter table ${quote(former)} rename to ${quote(table.name)}`,
    ...(table.kind === 'singleton' ? [] : [...forgetTotals(table), take]),
    // The index takes the name of its table, and is made anew.
    ...indexes({ ...table, name: former }).map(({ name }) => `drop index if exists ${quote(name)}`),
  ];
}

/** The live column that is renamed to a wanted one which is not there yet. */
function formerColumn(
  { renamedFrom = [] }: Column,
  { columns }: Table,
  live: ReadonlyMap<string, LiveColumn>,
): string | undefined {
  return renamedFrom.find((former) => live.has(former) && !columns.some(({ name }) => name === former));
}

const formerly = ({ name }: Table, liveTable: string): Pick<Kept, 'liveTable'> =>
  liveTable === name ? {} : { liveTable };

/** What stays, in a sentence. */
export const describeKept = ({ table, column }: Kept): string =>
  column === undefined
    ? `Table ${quote(table)} keeps its rows, which no resource shows.`
    : `Column ${quote(column)} of table ${quote(table)} keeps its data, which no field shows.`;
