import type { Table } from '../model/table.ts';
import {
  helperDefinitions,
  helperTables,
  isHelperTable,
  organizationColumn,
  rowCounters,
} from '../sql/helper-tables.ts';
import {
  columnDefinition,
  createIndex,
  createTableStatements,
  deleteCounters,
  hiddenDefinitions,
  type Index,
  indexes,
  isFieldIndex,
  literal,
  quote,
  rebuildCounter,
  type SchemaDialect,
} from '../sql/schema.ts';
import { isSearchIndex, isSearchOf, searchColumn, searchOf } from '../sql/search.ts';
import { isUniqueIndex, uniqueKeys } from '../sql/unique.ts';
import { compareComputed, computedNames } from './computed.ts';
import { compareHiddenParts, compareTypes, hiddenPartNames } from './conversions.ts';
import { howToCopy, noFormer } from './late-renames.ts';
import { addColumn, addMissing } from './missing-columns.ts';
import { compareRules, fitNames } from './fitting.ts';
import { compareFormerValues, formerValueNames } from './former-values.ts';
import { addForeignKeys, dropForeignKeys } from './references.ts';
import { addRequired, compareRequired, forgetRequired, requiredNames } from './required.ts';
import { noDestructiveChanges, settle } from './requests.ts';
import { searchRewrite } from './rewrites.ts';
import type {
  ActualSchema,
  Comparison,
  DestructiveChanges,
  Finding,
  MigrationDialect,
  Orphan,
  SchemaPlan,
  Step,
} from './types.ts';
import { byActualName } from './schema.ts';
import { textsFit } from './texts-fit.ts';
import { compareTimes, timeNames } from './times.ts';
import { foldedNames } from './refolded.ts';
import { compareUnique, dropIndex, dropUnique, filledNames } from './unique.ts';

/**
 * Compares the desired tables with the actual ones. The plan contains declared renames, and additions of tables and columns.
 * Orphaned tables and columns keep their data unless `requested` names them.
 */
export function planSchema(
  tables: readonly Table[],
  actual: ActualSchema,
  dialect: MigrationDialect,
  { drop, convert }: DestructiveChanges = noDestructiveChanges,
): SchemaPlan {
  const findings = [...compareSchema(tables, actual, dialect, convert)];
  const steps = findings.filter((finding) => typeof finding === 'object' && 'statements' in finding);
  const orphans = findings.filter((finding) => typeof finding === 'object' && 'table' in finding);
  const orphaned = orphans.filter((orphan) => !drop.includes(orphanName(orphan)));
  // Drops are last: SQLite drops no column of an index.
  const all = [...steps, ...orphans.filter((orphan) => drop.includes(orphanName(orphan))).map(dropOrphan)];
  const planned = new Set(all.map(({ request }) => request));
  const without = (requests: readonly string[]): string[] => requests.filter((request) => !planned.has(request));
  const { notes, errors } = settle({ drop: without(drop), convert: without(convert) }, tables, actual, dialect);
  return {
    steps: all,
    blockers: findings.filter((finding) => typeof finding === 'string'),
    orphaned,
    notes: [...notes, ...[...steps, ...orphaned].flatMap(({ note }) => note ?? [])],
    errors,
  };
}

const useNewName = 'Give the resource a new name in its spec; the rows stay in the old table.';

/** The steps that a run looks at: a start that may not break servers of another version leaves them what they may use. */
export const stepsFor = (incompatible: boolean, steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ isCleanup = false }) => incompatible || !isCleanup);

/** Describes in sentences why a server cannot use a database; empty if it can. */
export function describeMissing(steps: readonly Step[], [blocker]: readonly string[] = []): string {
  if (blocker !== undefined) return `The schema does not match the spec. ${blocker}`;
  // Most missing indexes only make queries slow, and notes are rows.
  const [first, ...others] = steps.flatMap(({ isIndex, isNeeded, isNote, isCleanup, statements }) =>
    (isIndex && !isNeeded) || isNote || isCleanup ? [] : statements,
  );
  if (first === undefined) return '';
  const line = first.replace(/(?: \()?\n[^]*/, '');
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return `The schema of the database does not match this version. Run \`npm run migrate\`; missing: ${line}${more}.`;
}

/** Whether servers of another version fail after a step. */
export const breaksServers = (steps: readonly Step[]): boolean => steps.some(({ kind }) => kind !== 'addition');

const step = (kind: Step['kind'], ...statements: string[]): Step => ({ kind, statements });

const indexStep = (statement: string): Step => ({ ...step('addition', statement), isIndex: true });

function* compareSchema(
  tables: readonly Table[],
  actual: ActualSchema,
  dialect: MigrationDialect,
  convert: DestructiveChanges['convert'],
): Generator<Finding> {
  for (const [name, statements] of Object.entries(helperTables)) {
    const columns = actual.tables.get(name);
    if (columns) yield* addMissing(name, helperDefinitions(name), columns);
    else yield step('addition', ...statements, ...dialect.distribute(name));
  }
  yield* dropForeignKeys(tables, actual, dialect);
  yield* dropIndexes(tables, actual, dialect);
  const byName = byActualName(tables, actual.tables);
  for (const [actualName, table] of byName) {
    const columns = actual.tables.get(actualName);
    const desired = columns && byActualName(table.columns, columns);
    if (desired) yield* compareTable({ table, actualName, columns, desired, actual, dialect, convert });
    else yield addTable(table, dialect);
  }
  yield* addForeignKeys(tables, actual, dialect);
  yield* compareComputed(tables, actual);
  const listed = tables.flatMap((table) => listedNames(table, dialect));
  yield* forgetRequired(listed, actual);
  for (const name of actual.tables.keys()) {
    if (!isHelperTable(name) && !byName.has(name)) yield { table: name, actualTable: name };
  }
}

/** Drops indexes that are not desired, and those that a failed creation has left. */
function* dropIndexes(tables: readonly Table[], actual: ActualSchema, dialect: MigrationDialect): Generator<Step> {
  const searches = tables.flatMap((table) => searchOf(table) ?? []);
  const desired = new Set([...tables.flatMap((table) => indexes(table, dialect)), ...searches].map(({ name }) => name));
  // They go when those that replace them are there.
  const replaced = new Set(tables.flatMap(uniqueKeys).map(({ otherName }) => otherName));
  const renamed = new Set(tables.map((table) => formerSearch(table, actual)));
  for (const [name, columns] of actual.indexes) {
    // An index of another program does not begin with the organization.
    const isOwn = columns.length === 0 || columns[0] === organizationColumn;
    if (isUniqueIndex(name) && isOwn && !desired.has(name) && !replaced.has(name)) yield dropUnique(name, dialect);
    if (!isFieldIndex(name) || renamed.has(name)) continue;
    const drop = isSearchIndex(name) ? dialect.dropSearch(name) : dropIndex(name, dialect);
    // Writes do not keep up words that are not searched: a version that wants them stores them again if it finds no index.
    if (!desired.has(name)) yield { ...drop, isCleanup: !isSearchIndex(name) };
    else if (isUnfinished(name, actual)) yield { ...drop, unfinished: name };
  }
}

/** The names that `requiredColumns` has of a table whose rows need not be read. */
export const listedNames = (table: Table, dialect: SchemaDialect): string[] => [
  ...requiredNames(table),
  ...hiddenPartNames(table, dialect),
  ...timeNames(table),
  ...formerValueNames(table),
  ...filledNames(table),
  ...foldedNames(table),
  ...computedNames(table),
  ...fitNames(table),
];

function addTable(table: Table, dialect: MigrationDialect): Step {
  const [create = '', ...others] = createTableStatements(table, dialect);
  // Counters may remain from a former table of this name.
  const cleared = [...dialect.distribute(table.name), ...deleteCounters(table)];
  return step('addition', create, ...cleared, ...others, ...addRequired(listedNames(table, dialect)));
}

function* compareTable(comparison: Comparison): Generator<Finding> {
  const { table, actualName, columns, actual } = comparison;
  if (actualName !== table.name) yield step('incompatible', ...renameTable(table, actualName, comparison.dialect));
  // Records and singletons have the same columns; only tables of records have one row counter.
  const counted = actual.counted ?? new Set(table.kind === 'record' ? [actualName] : []);
  const kind = !columns.has('created_at') ? 'line-item' : counted.has(actualName) ? 'record' : 'singleton';
  if (kind !== table.kind) {
    const kinds = `created for a ${kind}, and the spec declares a ${table.kind}`;
    yield `Table ${quote(table.name)} was ${kinds}. ${useNewName}`;
    return;
  }
  yield* compareColumns(comparison);
  for (const column of columns.keys()) {
    if (comparison.desired.has(column) || column.startsWith('_')) continue;
    yield {
      table: table.name,
      column,
      actualTable: actualName,
      note: howToCopy(table, column, comparison.dialect.values),
    };
  }
  yield* compareRequired(comparison);
  yield* compareRules(comparison);
  yield* compareHiddenParts(comparison);
  yield* compareTimes(comparison);
  yield* compareFormerValues(comparison);
  yield* compareUnique(comparison);
  for (const index of indexes(table, comparison.dialect)) {
    if (index.order) yield* addIndex(comparison, index);
    else if (!index.unique) yield* compareIndex(comparison, index);
  }
  yield* compareSearch(comparison);
}

function renameTable(table: Table, former: string, dialect: MigrationDialect): string[] {
  const move = `update ${quote(rowCounters)} set "table" = ${literal(table.name)} where "table" = ${literal(former)}`;
  return [
    `alter table ${quote(former)} rename to ${quote(table.name)}`,
    ...(table.kind === 'singleton' ? [] : [...deleteCounters(table), move]),
    // Indexes are named after their table; later steps create them again.
    ...indexes({ ...table, name: former }, dialect).map(({ name }) => `drop index if exists ${quote(name)}`),
  ];
}

function* compareColumns(comparison: Comparison): Generator<Finding> {
  const { table, columns, desired, dialect } = comparison;
  const alter = `alter table ${quote(table.name)}`;
  for (const [name, column] of desired) {
    if (name !== column.name) {
      yield step('incompatible', `${alter} rename column ${quote(name)} to ${quote(column.name)}`);
    }
    if (!columns.has(name)) {
      const add = addColumn(table.name, columnDefinition(column, dialect));
      yield typeof add === 'string' ? add : { ...add, note: noFormer(table, column) };
    }
  }
  yield* addMissing(table.name, hiddenDefinitions(table, dialect), columns);
  // A unique index of converted values may have others, too, which are there now.
  yield* compareTypes(comparison);
}

/** Adds an index of a field: its name says all that it depends on. */
function* addIndex(comparison: Comparison, index: Index): Generator<Step> {
  const { actual, dialect } = comparison;
  if (actual.indexes.get(index.name)?.length) return;
  const check = textsFit(comparison, index);
  yield { ...indexStep(createIndex(index, dialect, dialect.concurrently)), ...(check && { check }) };
}

/** Compares an index that keeps its name: that of parents, or that of creation. */
function* compareIndex({ table, actualName, desired, actual, dialect }: Comparison, index: Index): Generator<Step> {
  // The rename of a table drops its indexes.
  const isDropped = actualName !== table.name;
  const columns = actual.indexes
    .get(index.name.replace(table.name, actualName))
    ?.map((column) => desired.get(column)?.name ?? column);
  if (!isDropped && columns?.join() === index.columns.join()) return;
  const parent = columns?.[1];
  if (parent !== undefined && table.parent && parent !== table.parent.field) {
    yield step('incompatible', ...(isDropped ? [] : [`drop index ${quote(index.name)}`]), ...rebuildCounter(table));
  } else if (!isDropped && columns) {
    yield { ...dropIndex(index.name, dialect), ...(columns.length === 0 && { unfinished: index.name }) };
  }
  yield indexStep(createIndex(index, dialect, dialect.concurrently));
}

/** Whether the concurrent creation of an index has failed, or is under way. */
const isUnfinished = (name: string, { indexes: actual }: ActualSchema): boolean => actual.get(name)?.length === 0;

/** The index of the words of other fields, which is to have those of a table. */
function formerSearch(table: Table, actual: ActualSchema): string | undefined {
  const search = searchOf(table);
  if (!search || actual.indexes.has(search.name)) return undefined;
  return [...actual.indexes.keys()].find((name) => isSearchOf(table.name, name) && !isUnfinished(name, actual));
}

function* compareSearch({ table, columns, actual, dialect }: Comparison): Generator<Step> {
  const search = searchOf(table);
  const isKnown = columns.has(searchColumn);
  if (!search) {
    const drop = `alter table ${quote(table.name)} drop column ${quote(searchColumn)}`;
    // Servers of another version may write it.
    if (isKnown) yield { ...step('incompatible', drop), isCleanup: true };
    return;
  }
  if (isKnown && actual.indexes.get(search.name)?.length) return;
  const former = formerSearch(table, actual);
  const rename = former === undefined ? undefined : dialect.renameSearch?.(former, search.name);
  if (former !== undefined && !rename) yield { ...dialect.dropSearch(former), kind: 'addition' };
  // The index is last: without it, the words are stored again.
  yield { ...step('addition'), rewrite: searchRewrite(table) };
  yield rename ?? { ...step('addition', ...dialect.createSearch(search, dialect.concurrently)), isIndex: true };
}

/** The name of an orphan in a request. */
export const orphanName = ({ table, column }: Orphan): string => (column === undefined ? table : `${table}.${column}`);

/** Describes an orphan in a sentence. */
export const describeOrphan = ({ table, column }: Orphan): string =>
  column === undefined
    ? `Table ${quote(table)} keeps its rows, which no resource shows.`
    : `Column ${quote(column)} of table ${quote(table)} keeps its data, which no field shows.`;

function dropOrphan(orphan: Orphan): Step {
  const { table, column } = orphan;
  const statements =
    column === undefined
      ? [`drop table ${quote(table)}`, ...deleteCounters({ name: table, kind: 'record' })]
      : [`alter table ${quote(table)} drop column ${quote(column)}`];
  return { kind: 'destructive', request: orphanName(orphan), statements };
}
