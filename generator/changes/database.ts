import { breaksServers, describeOrphan, listedNames, planSchema, stepsFor } from '../../runtime/migrations/plan.ts';
import type {
  ActualColumns,
  ActualSchema,
  Demand,
  MigrationDialect,
  Rewrite,
  SchemaPlan,
  Step,
} from '../../runtime/migrations/types.ts';
import { postgresDialect } from '../../runtime/migrations/postgres.ts';
import { partsOf } from '../../runtime/migrations/part.ts';
import { definedName } from '../../runtime/migrations/missing-columns.ts';
import { sqliteDialect } from '../../runtime/migrations/sqlite-dialect.ts';
import { features } from '../../runtime/features.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { quote } from '../../runtime/kernel/sql/schema.ts';
import { searchColumn, searchOf } from '../../runtime/features/search/search.ts';
import { applicationId } from '../../runtime/engines/sqlite/open.ts';
import type { Service } from '../model/model.ts';
import { tableOf } from '../emit/shape.ts';
import { secondsPerMillionRows } from './lists.ts';
import { foreignKeys, hiddenDefinitions, type SchemaDialect } from '../../runtime/migrations/definitions.ts';
import { indexes } from '../../runtime/migrations/indexes.ts';
import { definitionsOf, ownTables } from '../../runtime/migrations/own-tables.ts';

/** The effects of an edit on a database of one kind. */
export interface DatabaseChanges {
  /** The statements of the next start, in order. */
  readonly statements: readonly string[];
  /** The statements that only `npm run migrate` runs. */
  readonly migration: readonly string[];
  /** Whether servers of the base fail after the statements. */
  readonly isIncompatible: boolean;
  /** The tables in which each row is written again, as sentences. */
  readonly rewritten: readonly string[];
  /** The errors that keep the next start from running, as sentences. */
  readonly errors: readonly string[];
  /** Tables, each with the columns that its rows must have a value of; otherwise the next start is refused. */
  readonly mustBeFilled: readonly string[];
  /** Tables, each with columns of which no two rows may have the same values; otherwise the next start is refused. */
  readonly mustDiffer: readonly string[];
  /** The tables and columns that no resource has any more, with their data, as sentences. */
  readonly orphaned: readonly string[];
}

/** The effects of an edit on each kind of database. */
export type Databases = Readonly<Record<'sqlite' | 'postgres', DatabaseChanges>>;

const parts = await partsOf(features.list);

/** The tables of a service, as its start gets them. */
export const tablesOf = ({ resources }: Service): Table[] => resources.map(tableOf);

/** The columns that no record shows: only their names are compared. */
const hiddenColumns = (definitions: readonly string[]): (readonly [string, string])[] =>
  definitions.map((definition) => [definedName(definition), ''] as const);

/** The columns of a table, as it was created. */
const columnsMadeBy = (table: Table, dialect: SchemaDialect): ActualColumns =>
  new Map([
    ...table.columns.map((column) => [column.name, dialect.values.type(column)] as const),
    ...hiddenColumns(hiddenDefinitions(table, dialect, features.list)),
  ]);

/** The schema of a database that was created for these tables. */
const schemaMadeBy = (tables: readonly Table[], dialect: SchemaDialect): ActualSchema => ({
  tables: new Map<string, ActualColumns>([
    ...ownTables(features.list, tables).map(
      (ownTable) => [ownTable.name, new Map(hiddenColumns(definitionsOf(ownTable)))] as const,
    ),
    ...tables.map((table) => [table.name, columnsMadeBy(table, dialect)] as const),
  ]),
  indexes: new Map([
    ...tables
      .flatMap((table) => indexes(table, dialect, features.list))
      .map(({ name, columns }) => [name, columns] as const),
    ...tables.flatMap((table) => searchOf(table) ?? []).map(({ name }) => [name, [searchColumn]] as const),
  ]),
  foreignKeys: tables.flatMap(foreignKeys).map((key) => ({ ...key, isValid: true })),
  counted: new Set(tables.filter(({ kind }) => kind === 'record').map(({ name }) => name)),
  required: new Set(tables.flatMap((table) => listedNames(parts, table, dialect))),
});

/** The error of a renamed service: SQLite files are marked with its name. */
const renamedService = (before: Service | undefined, after: Service): string[] =>
  before === undefined || before.name === after.name
    ? []
    : [
        `The service "${after.name}" does not open SQLite files of "${before.name}". Keep the name, or mark each file ` +
          `with the new one: \`pragma application_id = ${applicationId(after.name)}\`.`,
      ];

const noSchema: ActualSchema = {
  tables: new Map(),
  indexes: new Map(),
  foreignKeys: [],
  counted: new Set(),
  required: new Set(),
};

/**
 * The effects on a database that the base created, from the planner that the start uses.
 *
 * @param before undefined where there was no spec: the database is new
 */
export function databaseChanges(before: Service | undefined, after: Service): Databases {
  const plan = (dialect: MigrationDialect): SchemaPlan =>
    planSchema(
      features.list,
      parts,
      tablesOf(after),
      before ? schemaMadeBy(tablesOf(before), dialect) : noSchema,
      dialect,
    );
  return {
    sqlite: changesBy(plan(sqliteDialect), true, renamedService(before, after)),
    postgres: changesBy(plan(postgresDialect()), false),
  };
}

/** @param doesAll whether a start takes all steps, also those that servers of another version fail on */
function changesBy(plan: SchemaPlan, doesAll: boolean, errors: readonly string[] = []): DatabaseChanges {
  const { steps, blockers, orphaned } = plan;
  const looked = stepsFor(doesAll, steps);
  const isIncompatible = breaksServers(looked);
  const taken = isIncompatible && !doesAll ? [] : looked;
  return {
    statements: taken.flatMap(({ statements }) => statements),
    migration: steps.filter((step) => !taken.includes(step)).flatMap(({ statements }) => statements),
    isIncompatible,
    rewritten: steps.flatMap((step) => ('rewrite' in step ? [describeRewritten(step.rewrite)] : [])),
    errors: [...errors, ...blockers],
    mustBeFilled: demands(steps, 'filled'),
    mustDiffer: demands(steps, 'distinct'),
    // Tables first.
    orphaned: orphaned
      .toSorted((a, b) => Number(a.column !== undefined) - Number(b.column !== undefined))
      .map(describeOrphan),
  };
}

const demands = (steps: readonly Step[], what: Demand['what']): string[] =>
  steps.flatMap((step) =>
    'demand' in step && step.demand?.what === what
      ? [`Table ${quote(step.demand.table)}: ${step.demand.columns.map(quote).join(', ')}`]
      : [],
  );

const describeRewritten = (rewrite: Rewrite): string =>
  rewrite.description +
  ('isSlow' in rewrite && rewrite.isSlow
    ? ` It takes up to ${secondsPerMillionRows.search} seconds for each million rows.`
    : '');
