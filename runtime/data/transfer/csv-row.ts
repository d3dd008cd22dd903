/** The rows of CSV files. Nothing in here needs Node: the console reads files in a browser. */
import { type Cell, type CellField, type CellValue, csvInput, csvRefusals, readCell } from './cells.ts';
import type { RowError, SourceRow } from './source.ts';

/** The part of csv-parse's `info` that lines are counted by. */
interface Info {
  readonly empty_lines: number;
}

export interface CsvRow {
  /** The line that it begins in, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

function lineBreaks(cells: readonly Cell[]): number {
  let count = 0;
  for (const cell of cells) {
    for (let at = cell?.indexOf('\n') ?? -1; at !== -1; at = cell?.indexOf('\n', at + 1) ?? -1) count++;
  }
  return count;
}

/** Tells the line of each row, in the order of the file: csv-parse counts wrong if cells have line breaks. */
function lineCounter(): (cells: readonly Cell[], info: Info) => number {
  let next = 1;
  let emptyLines = 0;
  return (cells, { empty_lines }) => {
    const line = next + empty_lines - emptyLines;
    emptyLines = empty_lines;
    next = line + 1 + lineBreaks(cells);
    return line;
  };
}

/** How csv-parse reads a file. */
export interface CsvReading {
  /** Its options. With them, each row is a `CsvRow`. */
  readonly options: ReturnType<typeof csvInput> & { readonly on_record: (cells: Cell[], info: Info) => never };
  /** Says why it has refused the file, and in the row of which line. @throws the error if it is no refusal */
  refusalOf(error: unknown): { readonly line: number; readonly reason: string };
}

/** Begins to read one file. */
export function csvReading(delimiter: string): CsvReading {
  const lineOf = lineCounter();
  return {
    // The parser may fail while rows wait in it: they are counted as well.
    options: {
      ...csvInput(delimiter),
      on_record: (cells, info) => ({ line: lineOf(cells, info), cells }) satisfies CsvRow as never,
    },
    refusalOf(error) {
      const { code, empty_lines } = error as Info & { readonly code: string };
      const refusal = csvRefusals[code];
      if (refusal === undefined) throw error;
      return { line: lineOf([], { empty_lines }), reason: `In the row that begins here, ${refusal}.` };
    },
  };
}

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
  const lineOf = (index: number): number => line + lineBreaks(cells.slice(0, index));
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
