/** The rows of CSV files. Nothing in here needs Node: the console reads files in a browser. */
import { type Cell, type CellFault, type CellField, type CellValue, type Notation, readCell } from './cells.ts';
import { type CsvRow, lineBreaks } from './csv.ts';
import type { RowError, SourceRow } from './source-row.ts';

/** How the rows of a file are read. */
export interface RowForm {
  /** The names of the columns, as the file has them. */
  readonly columns: readonly string[];
  /** The field of each column; undefined if the column is left out. */
  readonly fields: readonly (CellField | undefined)[];
  readonly notation: Notation;
  /** Words that complete the name of a column or "The row", or a sentence. */
  readonly describe: (fault: CellFault) => string;
}

/** Reads the cells of a row. @param fixed values of fields that do not come from the file */
export function readRow(
  { line, cells }: CsvRow,
  { columns, fields, notation, describe }: RowForm,
  fixed: Readonly<Record<string, string>> = {},
): SourceRow {
  const body: Record<string, CellValue> = { ...fixed };
  const errors: RowError[] = [];
  const lineOf = (index: number): number => line + lineBreaks(cells.slice(0, index).join(''));
  if (cells.length !== columns.length) {
    const message = describe({ code: 'cellCount', cells: cells.length, columns: columns.length });
    errors.push({ line, column: '', message });
  }
  for (const [index, field] of fields.entries()) {
    if (!field || index >= cells.length) continue;
    const read = readCell(field, cells[index] as Cell, notation);
    if ('fault' in read)
      errors.push({ line: lineOf(index), column: columns[index] ?? '', message: describe(read.fault) });
    else if (read.value !== null || field.takesNull) body[field.name] = read.value;
  }
  const locate = (name: string): Pick<RowError, 'line' | 'column'> => {
    const index = fields.findIndex((field) => (field?.reference ?? field?.name) === name);
    return index === -1 ? { line, column: name } : { line: lineOf(index), column: columns[index] ?? '' };
  };
  return { line, body, errors, text: JSON.stringify(cells), locate };
}
