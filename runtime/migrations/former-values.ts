import type { Column, Table } from '../model/table.ts';
import { presentName, quote, renamesOf } from '../sql/values.ts';
import { addRequired } from './required.ts';
import { namesRewrite, renamedColumns } from './rewrites.ts';
import type { Comparison, RowCheck, Step } from './types.ts';
import { findsNone } from './checks.ts';

const noteOf = (table: Table, column: Column): string => `${table.name}.${column.name} values ${renamesOf(column)}`;

/** The columns of a table that hold no former name of a value, as `requiredColumns` lists them. */
export const formerValueNames = (table: Table): string[] =>
  renamedColumns(table).map((column) => noteOf(table, column));

/** Whether rows may hold former names of a column's values. @param name that of the column before the first step */
export const holdsFormerValues = (
  { table, columns, actual, dialect }: Comparison,
  name: string,
  column: Column,
): boolean =>
  column.formerValues !== undefined &&
  !actual.required.has(noteOf(table, column)) &&
  dialect.values.typeOf(columns.get(name) ?? '')?.type === column.type;

/** The step that writes the values of rows by their present names. Records show these meanwhile. */
export function compareFormerValues(comparison: Comparison): Step[] {
  const { table, desired, actual } = comparison;
  const unlisted = formerValueNames(table).filter((name) => !actual.required.has(name));
  if (unlisted.length === 0) return [];
  const held = [...desired].filter(([name, column]) => holdsFormerValues(comparison, name, column));
  const note = { kind: 'addition', isNote: true, statements: addRequired(unlisted) } as const;
  if (held.length === 0) return [note];
  const reports = held.map(([name, column]) => countFormer(comparison, name, column));
  return [
    {
      ...note,
      rewrite: { ...namesRewrite(table), fields: held.map(([, { name }]) => name) },
      report: async (database) => (await Promise.all(reports.map((report) => report(database)))).flat(),
    },
  ];
}

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
