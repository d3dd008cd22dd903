import type { Table } from '../model/table.ts';
import { literal, organizationColumn, quote } from '../sql/schema.ts';
import { byActualName, command, type LateRenames } from './plan.ts';
import type { ActualSchema } from './schema.ts';

/**
 * Finds what has become of each `renamed_from` of a column that the database has already, or that is about to be added
 * although no former column is there. The rows are read only where the table has a column that no field shows.
 *
 * @param query runs a statement, in the transaction of the plan where the engine has one
 */
export async function findLateRenames(
  tables: readonly Table[],
  actual: ActualSchema,
  query: (sql: string) => Promise<unknown[][]>,
): Promise<LateRenames> {
  const replaced = new Set<string>();
  const sources = new Set<string>();
  const notes: string[] = [];
  for (const [actualTable, table] of byActualName(tables, actual.tables)) {
    const columns = actual.tables.get(actualTable);
    if (!columns) continue;
    const hasValue = async (column: string): Promise<boolean> =>
      (await query(`select 1 from ${quote(actualTable)} where ${quote(column)} is not null limit 1`)).length > 0;
    const fields = new Set([organizationColumn, ...table.columns.map(({ name }) => name)]);
    const unshown = [...columns.keys()].filter((name) => !fields.has(name));
    for (const { name, type, default: value, renamedFrom } of table.columns) {
      if (!renamedFrom) continue;
      const isThere = columns.has(name);
      const former = renamedFrom.find((other) => unshown.includes(other));
      const title = `renamed_from: ${former ?? renamedFrom.join(', ')} of ${table.name}.${name} has no effect`;
      if (former === undefined) {
        // Without other columns to have been meant, the rename was done.
        if (isThere && (unshown.length === 0 || (await hasValue(name)))) continue;
        const others = unshown.length === 0 ? '' : ` Columns that no field shows: ${unshown.join(', ')}.`;
        notes.push(`${title}: table ${quote(table.name)} has no such column.${others}`);
      } else if (isThere && (await hasValue(former))) {
        const isSame = columns.get(former)?.type.toLowerCase() === type;
        if (isSame && name !== table.parent?.field && !(await hasValue(name))) {
          replaced.add(`${actualTable}.${name}`);
          continue;
        }
        sources.add(`${table.name}.${former}`);
        const orDefault = value === null ? '' : ` or ${quote(name)} = ${literal(value)}`;
        const missing = `${quote(name)} is null${orDefault}`;
        const copy = `update ${quote(table.name)} set ${quote(name)} = ${quote(former)} where ${missing}`;
        notes.push(
          `${title}, because both columns exist. Copy the values that are missing with \`${copy}\`, then remove the ` +
            `old column with ${command('drop', `${table.name}.${former}`)}.`,
        );
      }
    }
  }
  return { replaced, sources, notes };
}
