import { describeOrphan, planSchema } from '../../runtime/migrate/plan.ts';
import type { ActualSchema } from '../../runtime/migrate/schema.ts';
import { sqliteDialect } from '../../runtime/migrate/sqlite-convert.ts';
import type { Table } from '../../runtime/schema/table.ts';
import { indexes, isAlwaysSet, rowCounters } from '../../runtime/store/ddl.ts';
import { applicationId } from '../../runtime/store/sqlite/identity.ts';
import type { Service } from '../model.ts';
import { tableOf } from '../shape.ts';

/** The effects of an edit on a database. */
export interface DatabaseChanges {
  /** The statements of the next start, in order, as SQLite gets them. */
  readonly statements: readonly string[];
  /** Servers of the base fail on what the statements leave: PostgreSQL gets them from `npm run migrate` alone. */
  readonly isIncompatible: boolean;
  /** The reasons why the next start refuses, as sentences. */
  readonly errors: readonly string[];
  /** The tables and columns that no resource has any more and that keep their data, as sentences. */
  readonly orphaned: readonly string[];
}

/** The tables of a service, as its start gets them. */
export const tablesOf = ({ resources }: Service): Table[] => resources.map(tableOf);

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
 * The effects on a database that the base has made, by the planner of the start itself.
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
    isIncompatible: steps.some(({ kind }) => kind === 'incompatible'),
    errors: [...renamedService(before, after), ...blockers],
    // The larger things first.
    orphaned: orphaned
      .toSorted((a, b) => Number(a.column !== undefined) - Number(b.column !== undefined))
      .map(describeOrphan),
  };
}
