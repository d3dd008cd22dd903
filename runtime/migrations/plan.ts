import type { Feature } from '../kernel/feature.ts';
import type { Table } from '../kernel/model/table.ts';
import { literal, quote, rowCounters } from '../kernel/sql/schema.ts';
import { addColumn, addMissing } from './missing-columns.ts';
import { fits } from './fitting.ts';
import type { MigrationPart } from './part.ts';
import { compareRequired, forgetRequired, requiredNames } from './required.ts';
import { noDestructiveChanges, settle } from './requests.ts';
import type {
  ActualSchema,
  Comparison,
  DestructiveChanges,
  Finding,
  MigrationDialect,
  Orphan,
  SchemaComparison,
  SchemaPlan,
  StatementStep,
  Step,
} from './types.ts';
import { byActualName } from './schema.ts';
import { addRequired, change, dropIndex, indexStep, isUnfinished } from './steps.ts';
import { textsFit } from './texts-fit.ts';
import { times } from './times.ts';
import { definitionsOf, isHelperTable, ownTables } from './own-tables.ts';
import { columnDefinition, createTableStatements, hiddenDefinitions, type SchemaDialect } from './definitions.ts';
import { createIndex, indexes, isFieldIndex, type Index } from './indexes.ts';
import { deleteCounters, rebuildCounter } from './counters.ts';

/** The shares of migrations themselves: what holds of the values of every field. */
const ownParts: readonly MigrationPart[] = [{ notes: requiredNames, compare: compareRequired }, fits, times];

/**
 * Compares the desired tables with the actual ones. The plan contains declared renames, and additions of tables and columns.
 * Orphaned tables and columns keep their data unless `requested` names them.
 */
export function planSchema(
  features: readonly Feature[],
  parts: readonly MigrationPart[],
  tables: readonly Table[],
  actual: ActualSchema,
  dialect: MigrationDialect,
  { drop, convert }: DestructiveChanges = noDestructiveChanges,
): SchemaPlan {
  const findings = [...compareSchema([...ownParts, ...parts], { features, tables, actual, dialect }, convert)];
  const steps = findings.filter((finding) => typeof finding === 'object' && 'statements' in finding);
  const orphans = findings.filter((finding) => typeof finding === 'object' && 'table' in finding);
  const orphaned = orphans.filter((orphan) => !drop.includes(orphanName(orphan)));
  // Drops are last: SQLite drops no column of an index.
  const all = [...steps, ...orphans.filter((orphan) => drop.includes(orphanName(orphan))).map(dropOrphan)];
  const planned = {
    drop: orphans.map(orphanName),
    convert: steps.flatMap((step) => (step.kind === 'conversion' && step.effect === 'destructive' ? step.column : [])),
  };
  const without = {
    drop: drop.filter((name) => !planned.drop.includes(name)),
    convert: convert.filter((name) => !planned.convert.includes(name)),
  };
  const { notes, errors } = settle(without, tables, actual, dialect);
  return {
    steps: all,
    blockers: findings.filter((finding) => typeof finding === 'string'),
    orphaned,
    notes: [...notes, ...[...steps, ...orphaned].flatMap((noted) => ('note' in noted && noted.note) || [])],
    errors,
  };
}

const useNewName = 'Give the resource a new name in its spec; the rows stay in the old table.';

/** The first answer that a feature gives. */
const firstOf = <T>(parts: readonly MigrationPart[], ask: (part: MigrationPart) => T | undefined): T | undefined =>
  parts.map(ask).find((answer) => answer !== undefined);

/** The steps that a run looks at: a start that may not break servers of another version leaves them what they may use. */
export const stepsFor = (incompatible: boolean, steps: readonly Step[]): readonly Step[] =>
  steps.filter(({ need }) => incompatible || need !== 'cleanup');

/** Describes in sentences why a server cannot use a database; empty if it can. */
export function describeMissing(steps: readonly Step[], [blocker]: readonly string[] = []): string {
  if (blocker !== undefined) return `The schema does not match the spec. ${blocker}`;
  // Most missing indexes only make queries slow, and notes are rows.
  const [first, ...others] = steps.flatMap(({ need, statements }) => (need === 'server' ? statements : []));
  if (first === undefined) return '';
  const line = first.replace(/(?: \()?\n[^]*/, '');
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  return `The schema of the database does not match this version. Run \`npm run migrate\`; missing: ${line}${more}.`;
}

/** Whether servers of another version fail after a step. */
export const breaksServers = (steps: readonly Step[]): boolean => steps.some(({ effect }) => effect !== 'addition');

function* compareSchema(
  parts: readonly MigrationPart[],
  schema: SchemaComparison,
  convert: DestructiveChanges['convert'],
): Generator<Finding> {
  const { tables, actual, dialect } = schema;
  for (const own of ownTables(schema.features, tables)) {
    const columns = actual.tables.get(own.name);
    if (columns) yield* addMissing(own.name, definitionsOf(own), columns);
    else yield change('addition', ...own.statements, ...dialect.distribute(own));
  }
  for (const { begin } of parts) yield* begin?.(schema) ?? [];
  yield* compareIndexes(parts, schema);
  const byName = byActualName(tables, actual.tables);
  for (const [actualName, table] of byName) {
    const columns = actual.tables.get(actualName);
    const desired = columns && byActualName(table.columns, columns);
    if (desired) yield* compareTable(parts, { ...schema, table, actualName, columns, desired, convert });
    else yield addTable(parts, schema, table);
  }
  for (const { connect } of parts) yield* connect?.(schema) ?? [];
  for (const { derive } of parts) yield* derive?.(schema) ?? [];
  const listed = tables.flatMap((table) => notesOf(parts, table, dialect));
  yield* forgetRequired(listed, actual);
  for (const name of actual.tables.keys()) {
    if (!isHelperTable(name) && !byName.has(name)) yield { table: name, actualTable: name };
  }
}

/** Drops indexes that are not desired, and those that a failed creation has left. */
function* compareIndexes(parts: readonly MigrationPart[], schema: SchemaComparison): Generator<Step> {
  const { features, tables, actual, dialect } = schema;
  const desired = new Set(tables.flatMap((table) => indexes(table, dialect, features)).map(({ name }) => name));
  const keepers = parts.flatMap(({ keepIndex }) => keepIndex?.(schema) ?? []);
  for (const [name, columns] of actual.indexes) {
    const steps = keepers.map((keep) => keep(name, columns)).find((kept) => kept !== undefined);
    if (steps) yield* steps;
    else if (!isFieldIndex(name)) continue;
    else if (!desired.has(name)) yield { ...dropIndex(name, dialect), need: 'cleanup' };
    else if (isUnfinished(name, actual)) yield { ...dropIndex(name, dialect), unfinished: name };
  }
}

const notesOf = (parts: readonly MigrationPart[], table: Table, dialect: SchemaDialect): string[] =>
  parts.flatMap(({ notes }) => notes?.(table, dialect) ?? []);

/** The names that `requiredColumns` has of a table whose rows need not be read. */
export const listedNames = (parts: readonly MigrationPart[], table: Table, dialect: SchemaDialect): string[] =>
  notesOf([...ownParts, ...parts], table, dialect);

function addTable(
  parts: readonly MigrationPart[],
  { features, dialect }: SchemaComparison,
  table: Table,
): StatementStep {
  const [create = '', ...others] = createTableStatements(table, dialect, features);
  for (const { create: more } of parts) others.push(...(more?.(table, dialect) ?? []));
  // Counters may remain from a former table of this name.
  const cleared = [...dialect.distribute({ name: table.name, key: '"id"' }), ...deleteCounters(table)];
  return change('addition', create, ...cleared, ...others, ...addRequired(notesOf(parts, table, dialect)));
}

function* compareTable(parts: readonly MigrationPart[], comparison: Comparison): Generator<Finding> {
  const { table, actualName, columns, actual } = comparison;
  if (actualName !== table.name) yield change('incompatible', ...renameTable(comparison));
  // Records and singletons have the same columns; only tables of records have one row counter.
  const counted = actual.counted ?? new Set(table.kind === 'record' ? [actualName] : []);
  const kind = !columns.has('created_at') ? 'line-item' : counted.has(actualName) ? 'record' : 'singleton';
  if (kind !== table.kind) {
    const kinds = `created for a ${kind}, and the spec declares a ${table.kind}`;
    yield `Table ${quote(table.name)} was ${kinds}. ${useNewName}`;
    return;
  }
  yield* compareColumns(parts, comparison);
  for (const column of columns.keys()) {
    if (comparison.desired.has(column) || column.startsWith('_')) continue;
    yield {
      table: table.name,
      column,
      actualTable: actualName,
      note: firstOf(parts, ({ orphaned }) => orphaned?.(table, column, comparison.dialect.values)),
    };
  }
  for (const { compare } of parts) yield* compare?.(comparison) ?? [];
  for (const index of indexes(table, comparison.dialect, comparison.features)) {
    if (index.order) yield* addIndex(comparison, index);
    else if (!index.isUnique) yield* compareIndex(comparison, index);
  }
}

function renameTable({ features, table, actualName: former, dialect }: Comparison): string[] {
  const move = `update ${quote(rowCounters)} set "table" = ${literal(table.name)} where "table" = ${literal(former)}`;
  return [
    `alter table ${quote(former)} rename to ${quote(table.name)}`,
    ...(table.kind === 'singleton' ? [] : [...deleteCounters(table), move]),
    // Indexes are named after their table; later steps create them again.
    ...indexes({ ...table, name: former }, dialect, features).map(({ name }) => `drop index if exists ${quote(name)}`),
  ];
}

function* compareColumns(parts: readonly MigrationPart[], comparison: Comparison): Generator<Finding> {
  const { table, columns, desired, dialect } = comparison;
  const alter = `alter table ${quote(table.name)}`;
  for (const [name, column] of desired) {
    if (name !== column.name) {
      yield change('incompatible', `${alter} rename column ${quote(name)} to ${quote(column.name)}`);
    }
    if (!columns.has(name)) {
      const add = addColumn(table.name, columnDefinition(column, dialect));
      yield typeof add === 'string' ? add : { ...add, note: firstOf(parts, ({ added }) => added?.(table, column)) };
    }
  }
  yield* addMissing(table.name, hiddenDefinitions(table, dialect, comparison.features), columns);
  // A unique index of converted values may have others, too, which are there now.
  for (const [name, column] of desired) {
    const spelled = columns.get(name);
    const type = dialect.values.type(column);
    if (spelled === undefined || spelled === type) continue;
    const conversion = firstOf(parts, ({ convert }) => convert?.(comparison, name, column));
    if (typeof conversion === 'object') yield conversion;
    else
      yield (
        `Column ${quote(column.name)} of table ${quote(table.name)} is ${spelled}, and the spec declares ${type}. ` +
        `Give the field a new name (the old column keeps its data), ${conversion ?? ''}or restore its old type.`
      );
  }
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
    yield change('incompatible', ...(isDropped ? [] : [`drop index ${quote(index.name)}`]), ...rebuildCounter(table));
  } else if (!isDropped && columns) {
    yield { ...dropIndex(index.name, dialect), ...(columns.length === 0 && { unfinished: index.name }) };
  }
  yield indexStep(createIndex(index, dialect, dialect.concurrently));
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
  return change('destructive', ...statements);
}
