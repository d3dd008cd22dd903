/** The rows of CSV files. Nothing in here needs Node: the console reads files in a browser. */
import { type Cell, type CellField, type CellValue, readCell } from './cells.ts';
import { type CsvRow, lineBreaks } from './csv.ts';
import type { RowError, SourceRow } from './source-row.ts';

/**
 * Reads the cells of a row.
 *
 * @param columns the names of the columns, as the file has them
 * @param fields the field of each column; undefined if the column is left out
 * @param fixed values of fields that do not come from the file
 */
export function readRow(
  { line, cells }: CsvRow,
  columns: readonly string[],
  fields: readonly (CellField | undefined)[],
  fixed: Readonly<Record<string, string>> = {},
): SourceRow {
  const body: Record<string, CellValue> = { ...fixed };
  const errors: RowError[] = [];
  const lineOf = (index: number): number => line + lineBreaks(cells.slice(0, index).join(''));
  if (cells.length !== columns.length) {
    const count = `${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}`;
    errors.push({ line, column: '', message: `has ${count}, but the header has ${columns.length}` });
  }
  for (const [index, field] of fields.entries()) {
    if (!field || index >= cells.length) continue;
    const read = readCell(field, cells[index] as Cell);
    if ('rule' in read)
      errors.push({ line: lineOf(index), column: columns[index] ?? '', message: `must be ${read.rule}` });
    else if (read.value !== null || field.takesNull) body[field.name] = read.value;
  }
  const locate = (name: string): Pick<RowError, 'line' | 'column'> => {
    const index = fields.findIndex((field) => (field?.reference ?? field?.name) === name);
    return index === -1 ? { line, column: name } : { line: lineOf(index), column: columns[index] ?? '' };
  };
  return { line, body, errors, text: JSON.stringify(cells), locate };
}
