import type { Column, Table } from '../model/table.ts';
import { quote } from '../sql/schema.ts';
import type { ValueStorage } from '../sql/values.ts';

const noEffect = (table: Table, { name }: Column, former: string): string =>
  `renamed_from: ${former} of ${table.name}.${name} has no effect`;

/** Says of a column that is about to be added that no former column is there. */
export const noFormer = (table: Table, column: Column): string | undefined =>
  column.renamedFrom &&
  `${noEffect(table, column, column.renamedFrom.join(', '))}: table ${quote(table.name)} has no such column.`;

/** Says how to copy the values of an orphaned column, if a `renamed_from` names it that came after the new column. */
export function howToCopy(table: Table, former: string, values: ValueStorage): string | undefined {
  const column = table.columns.find(({ renamedFrom }) => renamedFrom?.includes(former));
  if (!column) return undefined;
  const name = quote(column.name);
  const orDefault = column.default === null ? '' : ` or ${name} = ${values.literal(column, column.default)}`;
  const copy = `update ${quote(table.name)} set ${name} = ${quote(former)} where ${name} is null${orDefault}`;
  // Copied values have no words yet.
  const recount = table.list.search.includes(column.name) ? ' --recount' : '';
  return (
    `${noEffect(table, column, former)}, because both columns exist. Copy the values that are missing with \`${copy}\`, ` +
    `then remove the old column with \`npm run migrate -- --drop ${table.name}.${former}${recount}\`.`
  );
}
