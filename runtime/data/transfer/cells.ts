import { maxRowBytes } from '../limits.ts';
import { JsonText } from '../../kernel/values/json-text.ts';
/** The cells of CSV files and the values of fields. Nothing in here needs Node: the console does the same in a browser. */

/** The properties of a field that matter for its cells. */
export interface CellField {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  /** The empty string is a value of the field. */
  readonly takesEmpty: boolean;
  /** Null is a value of the field; if it is not, an empty cell is as if its column were missing. */
  readonly takesNull: boolean;
  /** Only the service sets it. */
  readonly isReadOnly: boolean;
  /** The field that it gives a value, if that has another name: `customer_id` of `customer.email`. */
  readonly reference?: string;
}

/** The text of a cell; null of an empty one without quotes. */
export type Cell = string | null;

export type CellValue = string | number | boolean | null | readonly CellValue[] | JsonText;

/** The value that a cell stands for, or the rule that it breaks, which completes "must be". */
type ReadCell = { readonly value: CellValue } | { readonly rule: string };

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?$/;
const whole = /^-?\d+$/;
const boolean = /^(?:true|false)$/i;

/**
 * Reads the cell of a field. An empty cell in quotes is the empty string, and one without is null; if a field does not take
 * the empty string, both are null. Numbers are written as in JSON; what else a field demands is not checked here.
 */
export function readCell({ type, takesEmpty }: CellField, cell: Cell): ReadCell {
  if (cell === null || (cell === '' && !takesEmpty)) return { value: null };
  if (type === 'string') return { value: cell };
  if (type === 'array') return readArray(cell);
  if (type === 'object') return readObject(cell);
  if (type === 'boolean') {
    return boolean.test(cell)
      ? { value: cell.toLowerCase() === 'true' }
      : { rule: `true or false, not ${quoted(cell)}` };
  }
  if (number.test(cell)) {
    const value = Number(cell);
    return isExact(cell, value) ? { value } : { rule: tooLong(cell) };
  }
  return { rule: `${type === 'integer' ? 'an integer, like 1234' : 'a number, like 1234.5'}, not ${quoted(cell)}` };
}

/** A list is an array of JSON, as an export writes it. */
function readArray(cell: string): ReadCell {
  try {
    const value = JSON.parse(cell) as CellValue;
    if (Array.isArray(value)) return { value };
  } catch {
    // Refused below.
  }
  return { rule: `an array of JSON, like ["a","b"], not ${quoted(cell)}` };
}

/** An object or an array of any form is JSON, as an export writes it, and stays as it is written. */
function readObject(cell: string): ReadCell {
  try {
    const value = JSON.parse(cell) as unknown;
    if (typeof value === 'object' && value !== null) return { value: new JsonText(cell) };
  } catch {
    // Refused below.
  }
  return { rule: `an object or an array of JSON, like {"a":1}, not ${quoted(cell)}` };
}

/**
 * Whether a number is the one that was written. A long whole number, such as that of an account, would be rounded without a
 * word; of a fraction, rounding is expected. A number that is too large is refused by its field.
 */
export const isExact = (written: string, value: number): boolean =>
  !whole.test(written) || !Number.isFinite(value) || String(value) === written || BigInt(written) === BigInt(value);

/** The rule that a number breaks which is not exact. */
export const tooLong = (written: string): string => `a number with fewer digits, not ${quoted(written)}`;

/** A value as messages show it. */
export const quoted = (cell: string): string => JSON.stringify(cell.length <= 40 ? cell : `${cell.slice(0, 40)}…`);

/** The code of the error that a carriage return in a cell without quotes is: a line that ends in CR, or in CR CR LF. */
const bareReturn = 'BARE_CARRIAGE_RETURN';

/** The refusals of csv-parse by their codes, for people. */
export const csvRefusals: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed before the file ends',
  CSV_MAX_RECORD_SIZE: `a row is longer than ${maxRowBytes / 1024 / 1024} MiB; is a quote not closed?`,
  INVALID_OPENING_QUOTE:
    'a cell without quotes around it has a quote in it; write the whole cell in quotes, and each quote in it twice',
  [bareReturn]:
    'a cell without quotes has a carriage return (CR) in it; end lines with LF or CRLF, and write a cell that has one in quotes',
  CSV_INVALID_CLOSING_QUOTE: 'text follows the quote that closes a cell; write a quote in a cell twice',
};

/** The options of csv-parse under which it reads rows of cells, the header as the first one. */
export const csvInput = (delimiter: string) => ({
  bom: true,
  delimiter,
  record_delimiter: ['\r\n', '\n'],
  skip_empty_lines: true,
  relax_column_count: true,
  max_record_size: maxRowBytes,
  cast(text: string, { quoting, empty_lines }: { readonly quoting: boolean; readonly empty_lines: number }): Cell {
    if (!quoting && text.includes('\r'))
      throw Object.assign(new Error(csvRefusals[bareReturn]), { code: bareReturn, empty_lines });
    return text === '' && !quoting ? null : text;
  },
});

/** Whether a row has no value at all, as spreadsheets write rows that were cleared: `,,`. */
export const isEmptyRow = (cells: readonly Cell[]): boolean => cells.every((cell) => cell === null);

/**
 * The options of csv-stringify under which it writes records so that `csvInput` and `readCell` read the same values.
 *
 * @param isForSpreadsheet cells that a spreadsheet would take for formulas begin with an apostrophe, and the file with a
 *   byte order mark: it is not exact
 */
export const csvOutput = (columns: readonly string[], delimiter: string, isForSpreadsheet: boolean) => ({
  columns: [...columns],
  delimiter,
  record_delimiter: '\n',
  // The empty string, as null is nothing at all; and line breaks, a lone carriage return included.
  quoted_match: /^$|[\r\n]/,
  cast: { boolean: String },
  escape_formulas: isForSpreadsheet,
});
