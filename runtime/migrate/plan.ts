import type { ColumnType } from '../schema/fields.ts';
import type { Column, Table } from '../schema/table.ts';
import {
  addColumn,
  createIndex,
  createRowCounters,
  deleteCounters,
  type Dialect,
  type Index,
  indexes,
  literal,
  createTableStatements,
  quote,
  rebuildCounter,
  rowCounters,
} from '../store/ddl.ts';
import type { ActualColumn, ActualSchema } from './schema.ts';

/** Changes that lose or rewrite data, and so must be requested: `lead` is a table, `lead.fax` a column. */
export interface DestructiveChanges {
  readonly drop: readonly string[];
  /** Columns that get the type of the spec. */
  readonly convert: readonly string[];
}

export const noDestructiveChanges: DestructiveChanges = { drop: [], convert: [] };

/** A change of a column's type and values. */
export interface Conversion {
  readonly table: string;
  readonly column: Column;
  readonly from: ColumnType;
}

/** The parts of schema changes that differ between engines. */
export interface MigrationDialect extends Dialect {
  /** Statements that change the type of a column. */
  readonly convert: (conversion: Conversion) => string[];
  /** A condition: the value, which is not null, equals itself after a conversion to the new type and back. */
  readonly isConvertible: (conversion: Conversion, value: string) => string;
}

/** One change of the schema. */
export interface Step {
  /** An addition does not affect servers of another version; an incompatible step (a rename, another parent) breaks them. */
  readonly kind: 'addition' | 'incompatible' | 'destructive';
  /** Executed all or none. */
  readonly statements: readonly string[];
  /** Creates or drops an index concurrently, and so cannot be part of a transaction. */
  readonly isIndex?: boolean;
  /** The name of the requested destructive change. */
  readonly request?: string;
  readonly conversion?: Conversion & {
    /** A query for the number of values that would be lost and the id of one of them; valid before the first step. */
    readonly countLost: string;
  };
}

/** A table or column that is in the database and not in the spec. */
export interface Orphan {
  readonly table: string;
  readonly column?: string;
  /** The name of the table until the plan renames it. */
  readonly actualTable: string;
}

export interface SchemaPlan {
  /** The steps from the actual to the desired schema, in order. Only requested steps lose data. */
  readonly steps: readonly Step[];
  /** Changes that would lose data, as sentences that name an alternative. */
  readonly blockers: readonly string[];
  readonly orphaned: readonly Orphan[];
  /** Requests that are impossible or unnecessary. */
  readonly errors: readonly string[];
}

/**
 * Compares the desired tables with the actual ones. The plan contains declared renames, and additions of tables and columns.
 * Orphaned tables and columns keep their data unless `requested` names them.
 */
export const planSchema = (
  desired: readonly Table[],
  actual: ActualSchema,
  dialect: MigrationDialect,
  requested: DestructiveChanges = noDestructiveChanges,
): SchemaPlan => new Planner(desired, actual, dialect, requested).plan();

const useNewName = 'Give the resource a new name in its spec; the rows stay in the old table.';

/** A desired table and the actual one, which may still have a former name. */
interface Pair {
  readonly table: Table;
  readonly actualName: string;
  readonly columns: ReadonlyMap<string, ActualColumn>;
}

class Planner {
  readonly #desired: readonly Table[];
  readonly #actual: ActualSchema;
  readonly #dialect: MigrationDialect;
  /** Requests without a step so far. */
  readonly #conversions: Set<string>;
  readonly #drops: Set<string>;
  readonly #steps: Step[] = [];
  readonly #blockers: string[] = [];
  readonly #orphaned: Orphan[] = [];

  constructor(
    desired: readonly Table[],
    actual: ActualSchema,
    dialect: MigrationDialect,
    requested: DestructiveChanges,
  ) {
    this.#desired = desired;
    this.#actual = actual;
    this.#dialect = dialect;
    this.#conversions = new Set(requested.convert);
    this.#drops = new Set(requested.drop);
  }

  plan(): SchemaPlan {
    if (!this.#actual.tables.has(rowCounters)) this.#step('addition', createRowCounters);
    const known = new Set([rowCounters, ...this.#desired.map(({ name }) => name)]);
    for (const table of this.#desired) {
      const former = this.#formerName(table);
      if (former !== undefined) {
        known.add(former);
        this.#step('incompatible', ...renameTable(table, former));
      }
      const actualName = former ?? table.name;
      const columns = this.#actual.tables.get(actualName);
      if (columns) this.#compare({ table, actualName, columns });
      // Counters may remain from a former table of this name.
      else
        this.#step(
          'addition',
          ...createTableStatements(table, this.#dialect).toSpliced(1, 0, ...deleteCounters(table)),
        );
    }
    for (const name of this.#actual.tables.keys()) {
      if (!known.has(name)) this.#addOrphan({ table: name, actualTable: name });
    }
    const errors = [
      ...[...this.#drops].map((name) => `--drop ${name}: ${this.#whyNotDropped(name)}`),
      ...[...this.#conversions].map(
        (name) => `--convert ${name}: the spec has no such column (TABLE.COLUMN), or the column has its type.`,
      ),
    ];
    return { steps: this.#steps, blockers: this.#blockers, orphaned: this.#orphaned, errors };
  }

  #step(kind: Step['kind'], ...statements: string[]): void {
    this.#steps.push({ kind, statements });
  }

  #indexStep(statement: string): void {
    this.#steps.push({ kind: 'addition', statements: [statement], isIndex: true });
  }

  #formerName(table: Table): string | undefined {
    return formerName(table, this.#actual.tables, this.#desired);
  }

  #compare(pair: Pair): void {
    const { table, actualName, columns } = pair;
    const { counted, unsorted } = this.#actual;
    // Records and singletons have the same columns; only tables of records have one row counter.
    const kind = !columns.has('created_at') ? 'line-item' : counted.has(actualName) ? 'record' : 'singleton';
    if (kind !== table.kind) {
      const kinds = `created for a ${kind}, and the spec declares a ${table.kind}`;
      this.#blockers.push(`Table ${quote(table.name)} was ${kinds}. ${useNewName}`);
      return;
    }
    if (unsorted?.has(actualName)) {
      const type = `text ${this.#dialect.byBytes}`;
      this.#step('incompatible', `alter table ${quote(table.name)} alter column "id" type ${type}`);
    }
    const renamed = this.#compareColumns(pair);
    for (const index of indexes(table)) this.#compareIndex(pair, index, renamed);
  }

  /** @returns the new names of renamed columns by the old ones */
  #compareColumns(pair: Pair): Map<string, string> {
    const { table, actualName, columns } = pair;
    const renamed = new Map<string, string>();
    for (const column of table.columns) {
      const former = formerName(column, columns, table.columns);
      if (former !== undefined) {
        renamed.set(former, column.name);
        const names = `${quote(former)} to ${quote(column.name)}`;
        this.#step('incompatible', `alter table ${quote(table.name)} rename column ${names}`);
      }
      const actual = columns.get(former ?? column.name);
      if (actual) this.#compareType(pair, column, actual.type.toLowerCase(), former);
      else this.#step('addition', addColumn(table, column));
    }
    for (const [name, { isRequired }] of columns) {
      if (renamed.has(name) || table.columns.some((column) => column.name === name)) continue;
      const title = `Column ${quote(name)} of table ${quote(table.name)}`;
      if (isRequired) this.#blockers.push(`${title} is required, and the spec has no such field. ${useNewName}`);
      else this.#addOrphan({ table: table.name, column: name, actualTable: actualName });
    }
    return renamed;
  }

  #compareType({ table, actualName }: Pair, column: Column, from: string, former = column.name): void {
    if (from === column.type) return;
    const request = `${table.name}.${column.name}`;
    if (isColumnType(from) && this.#conversions.delete(request)) {
      const conversion: Conversion = { table: table.name, column, from };
      const value = quote(former);
      const countLost =
        `select count(*), min("id") from ${quote(actualName)} ` +
        `where ${value} is not null and not (${this.#dialect.isConvertible(conversion, value)})`;
      const statements = this.#dialect.convert(conversion);
      this.#steps.push({ kind: 'destructive', request, statements, conversion: { ...conversion, countLost } });
      return;
    }
    this.#blockers.push(
      `Column ${quote(column.name)} of table ${quote(table.name)} is ${from}, and the spec declares ${column.type}. ` +
        'Give the field a new name (the old column keeps its data), ' +
        (isColumnType(from) ? `convert its values with ${command('convert', request)}, ` : '') +
        'or restore its old type.',
    );
  }

  #compareIndex({ table, actualName }: Pair, index: Index, renamed: ReadonlyMap<string, string>): void {
    const { concurrently } = this.#dialect;
    const actual = this.#actual.indexes.get(index.name.replace(table.name, actualName));
    const columns = actual?.map((column) => renamed.get(column) ?? column);
    // The rename of a table drops its indexes.
    const isDropped = actualName !== table.name;
    if (!isDropped && columns?.join() === index.columns.join()) return;
    if (columns && table.parent && columns[0] !== table.parent.field) {
      this.#step('incompatible', ...(isDropped ? [] : [`drop index ${quote(index.name)}`]), ...rebuildCounter(table));
    } else if (!isDropped && (columns || this.#actual.unfinished?.has(index.name))) {
      this.#indexStep(`drop index${concurrently && ` ${concurrently}`} ${quote(index.name)}`);
    }
    this.#indexStep(createIndex(index, this.#dialect, concurrently));
  }

  /** Drops an orphan if that is requested. */
  #addOrphan(orphan: Orphan): void {
    const { table, column } = orphan;
    const request = column === undefined ? table : `${table}.${column}`;
    const statements =
      column === undefined
        ? [`drop table ${quote(table)}`, ...deleteCounters({ name: table, kind: 'record' })]
        : [`alter table ${quote(table)} drop column ${quote(column)}`];
    if (this.#drops.delete(request)) this.#steps.push({ kind: 'destructive', request, statements });
    else this.#orphaned.push(orphan);
  }

  #whyNotDropped(request: string): string {
    const [name = '', column] = request.split('.', 2);
    if (column === undefined) return whyNotDropped('table', name, this.#desired, this.#actual.tables);
    const table = this.#desired.find((desired) => desired.name === name);
    if (!table) return `the spec has no table ${quote(name)}, which can only be dropped as a whole.`;
    return whyNotDropped('column', column, table.columns, this.#actual.tables.get(this.#formerName(table) ?? name));
  }
}

/** The command line that requests a destructive change. */
export const command = (option: keyof DestructiveChanges, name: string): string =>
  `\`npm run migrate -- --${option} ${name}\``;

const columnTypes: Readonly<Record<ColumnType, true>> = {
  text: true,
  bigint: true,
  'double precision': true,
  boolean: true,
};

const isColumnType = (type: string): type is ColumnType => Object.hasOwn(columnTypes, type);

interface Named {
  readonly name: string;
  readonly renamedFrom?: readonly string[];
}

/** The former name, if the database still has it for a table or column that the spec has renamed. */
function formerName(
  { name, renamedFrom = [] }: Named,
  actual: ReadonlyMap<string, unknown>,
  desired: readonly Named[],
): string | undefined {
  if (actual.has(name)) return undefined;
  return renamedFrom.find((former) => actual.has(former) && !desired.some((other) => other.name === former));
}

function whyNotDropped(
  kind: 'table' | 'column',
  name: string,
  desired: readonly Named[],
  actual: ReadonlyMap<string, unknown> = new Map(),
): string {
  if (desired.some((named) => named.name === name)) return `the spec has this ${kind}. Remove it there first.`;
  if (!actual.has(name)) return `the database has no such ${kind}.`;
  const target = desired.find(({ renamedFrom }) => renamedFrom?.includes(name));
  return target ? `the spec renames this ${kind} to ${quote(target.name)}.` : 'every row of its table needs it.';
}

function renameTable(table: Table, former: string): string[] {
  const move = `update ${quote(rowCounters)} set "table" = ${literal(table.name)} where "table" = ${literal(former)}`;
  return [
    `alter table ${quote(former)} rename to ${quote(table.name)}`,
    ...(table.kind === 'singleton' ? [] : [...deleteCounters(table), move]),
    // Indexes are named after their table; later steps create them again.
    ...indexes({ ...table, name: former }).map(({ name }) => `drop index if exists ${quote(name)}`),
  ];
}

/** Describes an orphan in a sentence. */
export const describeOrphan = ({ table, column }: Orphan): string =>
  column === undefined
    ? `Table ${quote(table)} keeps its rows, which no resource shows.`
    : `Column ${quote(column)} of table ${quote(table)} keeps its data, which no field shows.`;
