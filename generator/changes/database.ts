import type { Table } from '../../runtime/schema/table.ts';
import { describeKept, type LiveSchema, planSchema } from '../../runtime/migrate/plan.ts';
import { indexes, isAlwaysSet, rowCounters } from '../../runtime/store/ddl.ts';
import { sqliteEngine } from '../../runtime/migrate/sqlite-convert.ts';
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

/** A database as these tables alone have made it. */
const schemaMadeBy = (tables: readonly Table[]): LiveSchema => ({
  tables: new Map([
    [rowCounters, new Map()],
    ...tables.map(
      ({ name, columns }) =>
        [
          name,
          new Map(columns.map((column) => [column.name, { type: column.type, mandatory: isAlwaysSet(column) }])),
        ] as const,
    ),
  ]),
  indexes: new Map(tables.flatMap(indexes).map(({ name, columns }) => [name, columns])),
  counted: new Set(tables.filter(({ kind }) => kind === 'record').map(({ name }) => name)),
});

/**
 * The effects on a database that the base has made, by the planner of the start itself.
 *
 * @param before undefined where there was no spec: the database is new
 */
export function databaseChanges(before: Service | undefined, after: Service): DatabaseChanges {
  const live = before
    ? schemaMadeBy(tablesOf(before))
    : { tables: new Map(), indexes: new Map(), counted: new Set<string>() };
  const { steps, refusals, kept } = planSchema(tablesOf(after), live, sqliteEngine);
  return {
    statements: steps.flatMap(({ statements }) => statements),
    isIncompatible: steps.some(({ kind }) => kind === 'exclusive'),
    errors: refusals,
    // The larger things first.
    orphaned: kept
      .toSorted((a, b) => Number(a.column !== undefined) - Number(b.column !== undefined))
      .map(describeKept),
  };
}
