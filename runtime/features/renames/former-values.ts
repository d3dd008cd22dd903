import type { Column, Table } from '../../kernel/model/table.ts';
import { isList, presentName, quote, renamesOf, type ValueStorage } from '../../kernel/sql/values.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { looksAt } from '../../migrations/looks.ts';
import { inEachRow, shownIn } from '../../migrations/rewrites.ts';
import type { Comparison, Derivation, RowCheck } from '../../migrations/types.ts';
import { allOf, findsNone } from '../../migrations/checks.ts';

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

/** The columns with values that had other names. */
const renamedColumns = ({ columns }: Table): Column[] => columns.filter(({ formerValues }) => formerValues);

/** The values that rows may hold by former names, in some columns. */
function namesRewrite(table: Table, columns = renamedColumns(table)): Derivation {
  const fields = columns.map(({ name }) => name);
  const keys = (table.unique ?? []).map((key) => key.fields).filter((key) => key.some((name) => fields.includes(name)));
  return {
    table,
    description: inEachRow(table, 'values', fields, 'written by their present names'),
    columns: ({ values }) =>
      columns.map((column) => ({
        name: column.name,
        type: 'text',
        fields: [column.name],
        valueOf: ([value = null]) => (value === null ? null : shownIn(table, column.name, value)),
        ...(isList(column) && { listOf: (text) => values.parameter(column, text) }),
      })),
    clash:
      `Two records of ${table.name} would have the same ${keys.map((key) => key.join(', ')).join(' or ')}, as values have the ` +
      'present names: one of them was stored under a former name. Change or delete one, and run this again.',
  };
}

const nameOf = ({ name: table }: Table, { name, formerValues }: Column): string | undefined =>
  formerValues && `${table}.${name} values ${renamesOf({ formerValues })}`;

/** Whether rows may hold former names of a column's values. @param name that of the column before the first step */
export const holdsFormerValues = (
  { table, columns, actual, dialect }: Comparison,
  name: string,
  column: Column,
): boolean =>
  !actual.required.has(nameOf(table, column) ?? '') &&
  column.formerValues !== undefined &&
  dialect.values.typeOf(columns.get(name) ?? '')?.type === column.type;

/** The values of rows are written by their present names. Records show these meanwhile. */
const presentNames = looksAt(nameOf, (comparison, note, stored) => {
  const columns = stored.map(({ column }) => column);
  const reports = stored.map(({ former, column }) => countFormer(comparison, former, column));
  return { ...note, kind: 'rewrite', rewrite: namesRewrite(comparison.table, columns), report: allOf(reports) };
});

/** Says how many rows hold former names. */
function countFormer({ table, actualName, dialect }: Comparison, name: string, column: Column): RowCheck {
  const texts = [quote(name), presentName(column, quote(name), dialect.values)].map(
    (value) => `cast(${value} as text)`,
  );
  const where = texts.join(' <> ');
  return findsNone(`select count(*) from ${quote(actualName)} where ${where}`, ([counts = []]) => {
    const rows = Number(counts[0]);
    const names = Object.keys(column.formerValues ?? {})
      .map((value) => JSON.stringify(value))
      .join(' or ');
    const held = `In ${rows} ${rows === 1 ? 'row' : 'rows'} of ${table.name} a value of ${column.name} is ${names}`;
    return rows === 0 ? [] : [`${held}, and gets its present name.`];
  });
}

export const migration: MigrationPart = {
  ...presentNames,
  added: noFormer,
  orphaned: howToCopy,
  rewrites: (tables) => tables.map((table) => namesRewrite(table)),
};
