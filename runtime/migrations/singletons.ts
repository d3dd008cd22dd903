import type { Feature } from '../kernel/feature.ts';
import type { Value } from '../kernel/model/fields.ts';
import { newId } from '../kernel/model/ids.ts';
import { absentValue, shownValues, type Table } from '../kernel/model/table.ts';
import { organizationColumn, organizations, quote } from '../kernel/sql/schema.ts';
import { rowsPerSlice } from './limits.ts';
import { type MigrationPart, type NewRecord, partsOf } from './part.ts';
import { change } from './steps.ts';
import type { Database } from './types.ts';

/** Adds the rows that organizations lack. If several processes try, one succeeds. */
export const addRows = (features: readonly Feature[], database: Database, tables: readonly Table[]): Promise<void> =>
  database.whenComplete(async (complete) => {
    const parts = await partsOf(features);
    for (const table of tables) {
      if (table.kind !== 'singleton') continue;
      const lacking = await complete.query(
        `select "id" from ${quote(organizations)} where "deleted_at" is null ` +
          `except select ${quote(organizationColumn)} from ${quote(table.name)}`,
      );
      const added = { features, database: complete, tables, table };
      const statements = lacking.map(([organization]) => insertSingleton(parts, added, Number(organization)));
      for (let from = 0; from < statements.length; from += rowsPerSlice) {
        await complete.apply(change('addition', ...statements.slice(from, from + rowsPerSlice)));
      }
    }
    for (const part of parts) {
      await part.addRows?.(complete, tables);
      await part.replaceRows?.(complete, tables);
    }
  });

/** A statement that inserts the record of a singleton if the organization has none. */
export function insertSingleton(
  parts: readonly MigrationPart[],
  added: Omit<NewRecord, 'record' | 'time'>,
  organization: number,
): string {
  const { database, table } = added;
  const { name, columns } = table;
  const { id, time } = newId(name);
  const given: Readonly<Record<string, Value>> = { id, created_at: time, updated_at: time };
  const all = Object.fromEntries(
    columns.map((column) => [
      column.name,
      // No request has made it.
      given[column.name] ?? (column.always ? null : absentValue(column, { time, actor: null })),
    ]),
  );
  for (const { complete } of parts) {
    Object.assign(all, complete?.({ ...added, record: shownValues(table, all), time }));
  }
  const values = columns.map((column) => database.dialect.values.literal(column, all[column.name] ?? null));
  return (
    `insert into ${quote(name)} (${[organizationColumn, ...columns.map((column) => column.name)].map(quote).join(', ')}) ` +
    `select ${[organization, ...values].join(', ')} where not exists ` +
    `(select 1 from ${quote(name)} where ${quote(organizationColumn)} = ${organization})`
  );
}
