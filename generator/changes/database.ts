import { describeOrphan, planSchema } from '../../runtime/migrate/plan.ts';
import type { ActualSchema } from '../../runtime/migrate/schema.ts';
import { sqliteDialect } from '../../runtime/migrate/sqlite-convert.ts';
import type { Table } from '../../runtime/schema/table.ts';
import { indexes, isAlwaysSet, rowCounters } from '../../runtime/store/ddl.ts';
import { applicationId } from '../../runtime/store/sqlite/identity.ts';
import { tableOf } from '../emit/sql.ts';
import type { Service } from '../model.ts';

/** What the edit does to a database. */
export interface DatabaseChanges {
  /** What the next start runs, in order, as SQLite gets it. */
  readonly statements: readonly string[];
  /** Servers of the base fail on what the statements leave: PostgreSQL gets them from `npm run migrate` alone. */
  readonly isExclusive: boolean;
  /** What the start only does by request, in sentences. */
  readonly refusals: readonly string[];
  /** What no resource shows any more and stays with its data, in sentences. */
  readonly kept: readonly string[];
}

/** The tables of a service, as its start gets them. */
export function tablesOf({ resources }: Service): Table[] {
  const names = new Map(resources.map(({ key, name }) => [key, name]));
  return resources.map((resource) => tableOf(resource, names));
}

/** A database that was created for these tables. */
const schemaMadeBy = (tables: readonly Table[]): ActualSchema => ({
  tables: new Map([
    [rowCounters, new Map()],
    ...tables.map(
      ({ name, columns }) =>
        [
          name,
          new Map(columns.map((column) => [column.name, { type: column.type, isRequired: isAlwaysSet(column) }])),
        ] as const,
    ),
  ]),
  indexes: new Map(tables.flatMap(indexes).map(({ name, columns }) => [name, columns])),
  counted: new Set(tables.filter(({ kind }) => kind === 'record').map(({ name }) => name)),
});

/** SQLite files are marked with the name of their service. */
const renamedService = (before: Service | undefined, after: Service): string[] =>
  before === undefined || before.name === after.name
    ? []
    : [
        `SQLite files of the service "${before.name}" belong to another program for "${after.name}". Keep the name, or ` +
          `give each file the new mark: \`pragma application_id = ${applicationId(after.name)}\`.`,
      ];

/**
 * What the start does to a database that the base has made, by the plan of the start itself.
 *
 * @param before undefined where there was no spec: the database is new
 */
export function databaseChanges(before: Service | undefined, after: Service): DatabaseChanges {
  const actual = before
    ? schemaMadeBy(tablesOf(before))
    : { tables: new Map(), indexes: new Map(), counted: new Set<string>() };
  const { steps, blockers, orphaned } = planSchema(tablesOf(after), actual, sqliteDialect);
  return {
    statements: steps.flatMap(({ statements }) => statements),
    isExclusive: steps.some(({ kind }) => kind === 'incompatible'),
    refusals: [...renamedService(before, after), ...blockers],
    // The larger things first.
    kept: orphaned
      .toSorted((a, b) => Number(a.column !== undefined) - Number(b.column !== undefined))
      .map(describeOrphan),
  };
}
