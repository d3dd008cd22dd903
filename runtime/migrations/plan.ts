import type { ColumnType } from '../model/fields.ts';
import type { Column, Table } from '../model/table.ts';
import {
  columnDefinition,
  createIndex,
  createTableStatements,
  deleteCounters,
  type SchemaDialect,
  helperTables,
  type Index,
  indexes,
  isFieldIndex,
  isHelperTable,
  literal,
  organizationColumn,
  quote,
  rebuildCounter,
  rowCounters,
  searchDefinition,
} from '../sql/schema.ts';
import {
  isSearchColumn,
  isSearchIndex,
  isSearchOf,
  searchColumn,
  type SearchIndex,
  searchOf,
  unsearchedName,
} from '../sql/search.ts';
import { addRequired, compareRequired, forgetRequired, requiredNames } from './required.ts';
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

/** A table of a version without organizations. */
export interface OlderTable {
  /** Its name after the steps before, and the one in the database. */
  readonly table: string;
  readonly actualName: string;
  readonly columns: ReadonlyMap<string, ActualColumn>;
  /** The columns of its primary key. */
  readonly key: readonly string[];
}

/** The parts of schema changes that differ between engines. */
export interface MigrationDialect extends SchemaDialect {
  /** Statements that change the type of a column. */
  readonly convert: (conversion: Conversion) => string[];
  /** A condition: the value, which is not null, equals itself after a conversion to the new type and back. */
  readonly isConvertible: (conversion: Conversion, value: string) => string;
  /** Statements that fail, as after a race, if a row has a value, and let none get one until the step has ended. */
  readonly requireEmpty: (table: string, column: string) => string[];
  /** The step that drops an index of words. */
  readonly dropSearch: (name: string) => Step;
  /** The step that gives an index of words another name; absent if it is made anew in less time than all rows change in it. */
  readonly renameSearch?: (former: string, name: string) => Step;
  /** Statements that put the organization into a table's primary key. All rows belong to `main`. */
  readonly addOrganization: (table: OlderTable) => string[];
  /** A query for some ids of rows whose text in a column does not fit into an index; absent if every text does. */
  readonly findTooLong?: (table: string, column: string) => string;
  /** Statements that spread a new table over the nodes of a cluster, if the others are. */
  readonly distribute: (table: string) => string[];
}

/** One change of the schema. */
export interface Step {
  /** An addition does not affect servers of another version; an incompatible step (a rename, another parent) breaks them. */
  readonly kind: 'addition' | 'incompatible' | 'destructive';
  /** Executed all or none. */
  readonly statements: readonly string[];
  /** Creates or drops an index concurrently, and so cannot be part of a transaction. */
  readonly isIndex?: boolean;
  /** The index that it drops because its creation has failed: not if others have finished it meanwhile. */
  readonly unfinished?: string;
  /** Nothing needs it: a start of a server leaves it to `npm run migrate` where servers of another version may run. */
  readonly isCleanup?: true;
  /** The name of the requested destructive change. */
  readonly request?: string;
  readonly conversion?: Conversion & {
    /** A query for the number of values that would be lost and the id of one of them; valid before the first step. */
    readonly countLost: string;
  };
  /** Besides, the words that a table is searched by are stored in each row: see `backfillSearch`. */
  readonly fills?: Table;
  /** Changes only the rows of `requiredColumns`. */
  readonly isNote?: boolean;
  /** Columns whose nulls would show where the field is required: rows must have none. */
  readonly mustBeFilled?: {
    readonly table: string;
    readonly columns: readonly string[];
    /** A query for the number of rows without a value of each column; valid before the first step. */
    readonly countNulls: string;
  };
  /** The column whose texts its index must hold. */
  readonly mustFit?: {
    readonly table: string;
    readonly column: string;
    /** A query for ids of rows whose texts do not fit; valid before the first step. */
    readonly findTooLong: string;
  };
}

/** A table or column that is in the database and not in the spec. */
export interface Orphan {
  readonly table: string;
  readonly column?: string;
  /** The name of the table until the plan renames it. */
  readonly actualTable: string;
  /** A note says how to copy its values to the column that should have got them by a rename. */
  readonly isSource?: boolean;
}

/** The columns whose renames were declared after the new column was added, by what their rows hold. */
export interface LateRenames {
  /** Columns without any value, which their former columns take the place of: `TABLE.COLUMN`, by the table's actual name. */
  readonly replaced: ReadonlySet<string>;
  /** Former columns whose values stay, as the new ones hold values too: `TABLE.COLUMN`. */
  readonly sources: ReadonlySet<string>;
  /** Sentences about renames without an effect. */
  readonly notes: readonly string[];
}

const noLateRenames: LateRenames = { replaced: new Set(), sources: new Set(), notes: [] };

export interface SchemaPlan {
  /** The steps from the actual to the desired schema, in order. Only requested steps lose data. */
  readonly steps: readonly Step[];
  /** Changes that would lose data, as sentences that name an alternative. */
  readonly blockers: readonly string[];
  readonly orphaned: readonly Orphan[];
  /** Requests that are impossible or unnecessary. */
  readonly errors: readonly string[];
  /** Notes for users, without a step. */
  readonly notes: readonly string[];
}

/**
 * Compares the desired tables with the actual ones. The plan contains declared renames, and additions of tables and columns.
 * Orphaned tables and columns keep their data unless `requested` names them.
 */
export function planSchema(
  tables: readonly Table[],
  actual: ActualSchema,
  dialect: MigrationDialect,
  { drop, convert }: DestructiveChanges = noDestructiveChanges,
  lateRenames: LateRenames = noLateRenames,
): SchemaPlan {
  const findings: Finding[] = Object.entries(helperTables)
    .filter(([name]) => !actual.tables.has(name))
    .map(([name, statements]) => step('addition', ...statements, ...dialect.distribute(name)));
  const desiredIndexes = new Set(tables.flatMap(indexes).map(({ name }) => name));
  const searches = tables.flatMap((table) => searchOf(table) ?? []);
  const desiredSearches = new Set(searches.map(({ name }) => name));
  const formerSearches = new Set(searches.map((search) => formerSearch(search, actual)));
  for (const name of [...actual.tables.keys(), ...actual.indexes.keys()]) {
    if (!isSearchIndex(name) || formerSearches.has(name)) continue;
    // Servers of another version may search by it, or be building it.
    if (!desiredSearches.has(name)) {
      findings.push({ ...dialect.dropSearch(name), isCleanup: true });
      // Writes of these tables do not keep up its words: a version that wants them is to store them again.
      const unsearched = unsearchedName(name);
      if (dialect.renameSearch && name !== unsearched && !isUnfinished(name, actual)) {
        findings.push(dialect.renameSearch(name, unsearched));
      }
    } else if (isUnfinished(name, actual)) findings.push({ ...dialect.dropSearch(name), unfinished: name });
  }
  for (const name of actual.indexes.keys()) {
    if (!isFieldIndex(name) || isSearchIndex(name)) continue;
    if (!desiredIndexes.has(name)) findings.push({ ...dropIndex(name, dialect), isCleanup: true });
    else if (isUnfinished(name, actual)) findings.push({ ...dropIndex(name, dialect), unfinished: name });
  }
  const counters = actual.tables.get(rowCounters);
  if (counters && !counters.has(organizationColumn)) {
    const key = ['table', 'parent', 'shard'];
    const older = { table: rowCounters, actualName: rowCounters, columns: counters, key };
    findings.push(step('incompatible', ...dialect.addOrganization(older)));
  }
  const byName = byActualName(tables, actual.tables);
  for (const [actualName, table] of byName) {
    const columns = actual.tables.get(actualName);
    if (columns) {
      const isReplaced = (name: string): boolean => lateRenames.replaced.has(`${actualName}.${name}`);
      const desired = byActualName(table.columns, columns, isReplaced);
      findings.push(...compareTable({ table, actualName, columns, desired, actual, dialect, convert, lateRenames }));
    } else {
      // Counters may remain from a former table of this name.
      const cleared = [...dialect.distribute(table.name), ...deleteCounters(table)];
      const statements = createTableStatements(table, dialect).toSpliced(1, 0, ...cleared);
      findings.push(step('addition', ...statements, ...addRequired(requiredNames(table))));
    }
  }
  findings.push(...forgetRequired(tables, actual));
  for (const name of actual.tables.keys()) {
    if (!isHelperTable(name) && !byName.has(name)) findings.push({ table: name, actualTable: name });
  }
  const steps = findings.filter((finding) => typeof finding === 'object' && 'statements' in finding);
  const orphans = findings.filter((finding) => typeof finding === 'object' && 'table' in finding);
  const notDropped = new Set(drop).difference(new Set(orphans.map(nameOf)));
  const notConverted = new Set(convert).difference(new Set(steps.map(({ request }) => request)));
  return {
    // Drops are last: SQLite drops no column of an index.
    steps: [...steps, ...orphans.filter((orphan) => drop.includes(nameOf(orphan))).map(dropStep)],
    blockers: findings.filter((finding) => typeof finding === 'string'),
    orphaned: orphans.filter((orphan) => !drop.includes(nameOf(orphan))),
    errors: [
      ...[...notDropped].map((name) => `--drop ${name}: ${whyNotDropped(name, tables, actual.tables)}`),
      ...[...notConverted].map(
        (name) => `--convert ${name}: the spec has no such column (TABLE.COLUMN), or the column has its type.`,
      ),
    ],
    notes: lateRenames.notes,
  };
}

/** The steps that a run looks at: a start that may not break servers of another version leaves them what they may use. */
export const stepsFor = (incompatible: boolean, steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ isCleanup = false }) => incompatible || !isCleanup);

/** Whether servers of another version fail after a step. */
export const breaksServers = (steps: readonly Step[]): boolean => steps.some(({ kind }) => kind !== 'addition');

/** A table that is desired and exists, and what its comparison needs. */
export interface Comparison {
  readonly table: Table;
  /** The table's name until the plan renames it. */
  readonly actualName: string;
  readonly columns: ReadonlyMap<string, ActualColumn>;
  /** The desired columns by their actual names. */
  readonly desired: ReadonlyMap<string, Column>;
  readonly actual: ActualSchema;
  readonly dialect: MigrationDialect;
  readonly convert: DestructiveChanges['convert'];
  readonly lateRenames: LateRenames;
}

/** A result of a comparison; a string is a blocker. */
type Finding = Step | Orphan | string;

const useNewName = 'Give the resource a new name in its spec; the rows stay in the old table.';

const step = (kind: Step['kind'], ...statements: string[]): Step => ({ kind, statements });

const indexStep = (statement: string): Step => ({ ...step('addition', statement), isIndex: true });

const dropIndex = (name: string, { concurrently }: MigrationDialect): Step =>
  indexStep(`drop index${concurrently && ` ${concurrently}`} if exists ${quote(name)}`);

function* compareTable(comparison: Comparison): Generator<Finding> {
  const { table, actualName, columns, actual, dialect } = comparison;
  if (actualName !== table.name) yield step('incompatible', ...renameTable(table, actualName));
  // Records and singletons have the same columns; only tables of records have one row counter.
  const kind = !columns.has('created_at') ? 'line-item' : actual.counted.has(actualName) ? 'record' : 'singleton';
  if (kind !== table.kind) {
    const kinds = `created for a ${kind}, and the spec declares a ${table.kind}`;
    yield `Table ${quote(table.name)} was ${kinds}. ${useNewName}`;
    return;
  }
  if (!columns.has(organizationColumn)) {
    const drops = indexes(table).map(({ name }) => `drop index if exists ${quote(name)}`);
    const statements = dialect.addOrganization({ table: table.name, actualName, columns, key: ['id'] });
    yield step('incompatible', ...drops, ...statements);
  }
  if (columns.get('id')?.isUnsorted) {
    yield step('incompatible', `alter table ${quote(table.name)} alter column "id" type text ${dialect.byBytes}`);
  }
  yield* compareColumns(comparison);
  yield* compareRequired(comparison);
  for (const index of indexes(table)) yield* compareIndex(comparison, index);
  yield* compareSearch(comparison);
}

function* compareColumns(comparison: Comparison): Generator<Finding> {
  const { table, actualName, columns, desired, dialect, lateRenames } = comparison;
  const alter = `alter table ${quote(table.name)}`;
  for (const [name, column] of desired) {
    if (name !== column.name) {
      const rename = `${alter} rename column ${quote(name)} to ${quote(column.name)}`;
      if (columns.has(column.name)) yield* replaceColumn(comparison, column.name, rename);
      else yield step('incompatible', rename);
    }
    const type = columns.get(name)?.type.toLowerCase();
    if (type === undefined) yield step('addition', `${alter} add column ${columnDefinition(column, dialect)}`);
    else if (type !== column.type) yield compareType(comparison, column, name, type);
  }
  for (const [name, { isRequired }] of columns) {
    if (desired.has(name) || name === organizationColumn || isSearchColumn(name)) continue;
    if (lateRenames.replaced.has(`${actualName}.${name}`)) continue;
    const title = `Column ${quote(name)} of table ${quote(table.name)}`;
    if (isRequired) yield `${title} is required, and the spec has no such field. ${useNewName}`;
    else {
      const isSource = lateRenames.sources.has(`${table.name}.${name}`);
      yield { table: table.name, column: name, actualTable: actualName, ...(isSource && { isSource }) };
    }
  }
}

/** Whether a former column takes the place of this one by a late rename. */
const isColumnReplaced = ({ actualName, lateRenames }: Comparison, column: string): boolean =>
  lateRenames.replaced.has(`${actualName}.${column}`);

const isSearchReplaced = (comparison: Comparison, { fields }: SearchIndex): boolean =>
  fields.some((field) => isColumnReplaced(comparison, field));

/**
 * Drops an empty column for the one that gets its name. Its indexes are dropped before, and made again by later steps:
 * SQLite drops no column of an index, PostgreSQL drops the index with it, and the words of the rows are those of no value.
 */
function* replaceColumn(comparison: Comparison, name: string, rename: string): Generator<Finding> {
  const { table, actual, dialect } = comparison;
  const search = searchOf(table);
  // Before the rename: a migration that is interrupted behind it stores the words again.
  if (search && isSearchReplaced(comparison, search) && hasSearch(search, actual))
    yield dialect.dropSearch(search.name);
  const ofColumn = indexes(table).filter(({ columns }) => columns.includes(name));
  const drops = ofColumn.map((index) => `drop index if exists ${quote(index.name)}`);
  const drop = `alter table ${quote(table.name)} drop column ${quote(name)}`;
  yield step('incompatible', ...dialect.requireEmpty(table.name, name), ...drops, drop, rename);
}

/** The conversion of a column, if that is requested; otherwise a blocker. */
function compareType(
  { table, actualName, dialect, convert }: Comparison,
  column: Column,
  name: string,
  from: string,
): Finding {
  const request = `${table.name}.${column.name}`;
  if (isColumnType(from) && convert.includes(request)) {
    const conversion = { table: table.name, column, from };
    const countLost =
      `select count(*), min("id") from ${quote(actualName)} ` +
      `where ${quote(name)} is not null and not (${dialect.isConvertible(conversion, quote(name))})`;
    const statements = dialect.convert(conversion);
    return { kind: 'destructive', request, statements, conversion: { ...conversion, countLost } };
  }
  return (
    `Column ${quote(column.name)} of table ${quote(table.name)} is ${from}, and the spec declares ${column.type}. ` +
    'Give the field a new name (the old column keeps its data), ' +
    (isColumnType(from) ? `convert its values with ${command('convert', request)}, ` : '') +
    'or restore its old type.'
  );
}

function* compareIndex(comparison: Comparison, index: Index): Generator<Finding> {
  const { table, actualName, columns: ofTable, desired, actual, dialect } = comparison;
  // The rename of a table drops its indexes, and so do the step that adds the organization and that of a late rename.
  const isDropped =
    actualName !== table.name ||
    !ofTable.has(organizationColumn) ||
    index.columns.some((column) => isColumnReplaced(comparison, column));
  if (index.order) {
    if (!isDropped && actual.indexes.get(index.name)?.length) return;
    yield { ...indexStep(createIndex(index, dialect, dialect.concurrently)), ...mustFit(comparison, index) };
    return;
  }
  const columns = actual.indexes
    .get(index.name.replace(table.name, actualName))
    ?.map((column) => desired.get(column)?.name ?? column);
  if (!isDropped && columns?.join() === index.columns.join()) return;
  const parent = columns?.find((column) => column !== organizationColumn);
  if (parent !== undefined && table.parent && parent !== table.parent.field) {
    yield step('incompatible', ...(isDropped ? [] : [`drop index ${quote(index.name)}`]), ...rebuildCounter(table));
  } else if (!isDropped && columns) {
    yield { ...dropIndex(index.name, dialect), ...(columns.length === 0 && { unfinished: index.name }) };
  }
  yield indexStep(createIndex(index, dialect, dialect.concurrently));
}

/** The condition that the texts of a column fit into an index of it. */
function mustFit({ table, actualName, columns, desired, dialect }: Comparison, index: Index): Pick<Step, 'mustFit'> {
  const [former, column] = [...desired].find(([, { name }]) => name === index.columns[1]) ?? [];
  if (!column || former === undefined || !columns.has(former) || !index.order?.isText) return {};
  const findTooLong = dialect.findTooLong?.(actualName, former);
  return findTooLong === undefined ? {} : { mustFit: { table: table.name, column: column.name, findTooLong } };
}

/** Whether the concurrent creation of an index has failed, or is under way. */
const isUnfinished = (name: string, { indexes: actual }: ActualSchema): boolean => actual.get(name)?.length === 0;

const hasSearch = ({ name }: SearchIndex, { indexes: actual }: ActualSchema): boolean => actual.has(name);

/** The index of the words of other fields, which is to have those of a table. */
const formerSearch = (search: SearchIndex, actual: ActualSchema): string | undefined =>
  hasSearch(search, actual)
    ? undefined
    : [...actual.indexes.keys()].find(
        (name) => isSearchOf(search.table, name) && actual.indexes.get(name)?.join() === searchColumn,
      );

function* compareSearch(comparison: Comparison): Generator<Finding> {
  const { table, columns, actual, dialect } = comparison;
  const search = searchOf(table);
  const alter = `alter table ${quote(table.name)}`;
  for (const name of columns.keys()) {
    if (!isSearchColumn(name) || (search && name === searchColumn)) continue;
    // Servers of another version may write it.
    yield { ...step('incompatible', `${alter} drop column ${quote(name)}`), isCleanup: true };
  }
  if (!search) return;
  const isKnown = columns.has(searchColumn);
  if (!isKnown) yield step('addition', `${alter} add column ${searchDefinition(dialect)}`);
  const exists = isKnown && hasSearch(search, actual) && !isSearchReplaced(comparison, search);
  if (exists && !isUnfinished(search.name, actual)) return;
  const former = formerSearch(search, actual);
  const rename = former === undefined ? undefined : dialect.renameSearch?.(former, search.name);
  if (former !== undefined && !rename) yield { ...dialect.dropSearch(former), kind: 'addition' };
  // The index is last: without it, the words are stored again.
  yield { ...step('addition'), fills: table };
  yield rename ?? { ...step('addition', ...dialect.createSearch(search, dialect.concurrently)), isIndex: true };
}

/** The name of an orphan in a request. */
const nameOf = ({ table, column }: Orphan): string => (column === undefined ? table : `${table}.${column}`);

function dropStep(orphan: Orphan): Step {
  const { table, column } = orphan;
  const statements =
    column === undefined
      ? [`drop table ${quote(table)}`, ...deleteCounters({ name: table, kind: 'record' })]
      : [`alter table ${quote(table)} drop column ${quote(column)}`];
  return { kind: 'destructive', request: nameOf(orphan), statements };
}

/** The command line that requests a destructive change. */
export const command = (option: keyof DestructiveChanges, name: string): string =>
  `\`npm run migrate -- --${option} ${name}\``;

const columnTypes: Record<ColumnType, true> = { text: true, bigint: true, 'double precision': true, boolean: true };

const isColumnType = (type: string): type is ColumnType => Object.hasOwn(columnTypes, type);

type Named = Pick<Table | Column, 'name' | 'renamedFrom'>;

/**
 * Desired tables or columns by their names in the database: that may be a former one, if no other is to have it.
 *
 * @param isReplaced whether a former one takes the place of what has the name
 */
export const byActualName = <T extends Named>(
  desired: readonly T[],
  actual: ReadonlyMap<string, unknown>,
  isReplaced: (name: string) => boolean = () => false,
): Map<string, T> =>
  new Map(
    desired.map((named) => {
      const { name, renamedFrom = [] } = named;
      const isFormer = (other: string) => actual.has(other) && !desired.some((one) => one.name === other);
      const mayHaveFormer = !actual.has(name) || isReplaced(name);
      return [(mayHaveFormer ? renamedFrom.find(isFormer) : undefined) ?? name, named];
    }),
  );

function whyNotDropped(request: string, tables: readonly Table[], actual: ActualSchema['tables']): string {
  const [tableName = '', columnName] = request.split('.', 2);
  if (columnName === undefined) return whyKept('table', tableName, tables, actual);
  for (const [actualName, { name, columns }] of byActualName(tables, actual)) {
    if (name === tableName) return whyKept('column', columnName, columns, actual.get(actualName));
  }
  return `the spec has no table ${quote(tableName)}, which can only be dropped as a whole.`;
}

function whyKept(
  kind: 'table' | 'column',
  name: string,
  desired: readonly Named[],
  actual?: ReadonlyMap<string, unknown>,
): string {
  if (desired.some((named) => named.name === name)) return `the spec has this ${kind}. Remove it there first.`;
  if (!actual?.has(name)) return `the database has no such ${kind}.`;
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
