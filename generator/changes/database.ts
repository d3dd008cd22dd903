import type { Table } from '../../runtime/schema/table.ts';
import { describeKept, type LiveSchema, planSchema } from '../../runtime/store/schema-plan.ts';
import { indexes, isAlwaysSet, totals } from '../../runtime/store/sql.ts';
import { sqliteEngine } from '../../runtime/store/sqlite/convert.ts';
import type { Service } from '../model.ts';
import { tableOf } from '../shape.ts';

/** What the edit does to a database. */
export interface DatabaseChanges {
  /** What the next start runs, in order, as SQLite gets it. */
  readonly statements: readonly string[];
  /** Servers of the base fail on what the statements leave: PostgreSQL gets them from `npm run migrate` alone. */
  readonly isExclusive: boolean;
  /** What the start does not do without an order, in sentences. */
  readonly refusals: readonly string[];
  /** What no resource shows any more and stays with its data, in sentences. */
  readonly kept: readonly string[];
}

/** The tables of a service, as its start gets them. */
export const tablesOf = ({ resources }: Service): Table[] => resources.map(tableOf);

/** A database as these tables alone have made it. */
const schemaMadeBy = (tables: readonly Table[]): LiveSchema => ({
  tables: new Map([
    [totals, new Map()],
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
 * What the start does to a database that the base has made, by the plan of the start itself.
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
    isExclusive: steps.some(({ kind }) => kind === 'exclusive'),
    refusals,
    // The larger things first.
    kept: kept.toSorted((a, b) => Number(a.column !== undefined) - Number(b.column !== undefined)).map(describeKept),
  };
}
