import type { Table } from '../../runtime/schema/table.ts';
import { type LiveSchema, planSchema, type SchemaPlan } from '../../runtime/store/schema-plan.ts';
import { indexes, isAlwaysSet, totals } from '../../runtime/store/sql.ts';
import { tableOf } from '../emit/sql.ts';
import type { Service } from '../model.ts';
import { pairFields, pairResources } from './pairs.ts';

/** What the edit does to a database. */
export interface DatabaseChanges extends SchemaPlan {
  /** What no resource shows any more and stays with its data, in sentences. */
  readonly kept: readonly string[];
}

/** The tables of a service, as its start gets them. */
export function tablesOf({ resources }: Service): Table[] {
  const names = new Map(resources.map(({ key, name }) => [key, name]));
  return resources.map((resource) => tableOf(resource, names));
}

/** A database as these tables alone have made it. */
export const schemaMadeBy = (tables: readonly Table[]): LiveSchema => ({
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
  const { statements, refusals } = planSchema(tablesOf(after), live);
  return { statements, refusals, kept: before ? keptBy(before, after) : [] };
}

function keptBy(before: Service, after: Service): string[] {
  const { pairs, removed } = pairResources(before, after);
  const left = pairs.filter(({ sameTable }) => !sameTable).map((pair) => pair.before);
  return [
    ...[...removed, ...left].map(({ name }) => `Table "${name}" keeps its rows, which no resource shows.`),
    ...pairs
      .filter(({ sameTable }) => sameTable)
      .flatMap((pair) =>
        pairFields(pair.before, pair.after).removed.map(
          ({ name }) => `Column "${name}" of table "${pair.after.name}" keeps its data, which no field shows.`,
        ),
      ),
  ];
}
