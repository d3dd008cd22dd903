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

/** Whether a row has no value at all, as spreadsheets write rows that were cleared: `,,`. */
export const isEmptyRow = (cells: readonly Cell[]): boolean => cells.every((cell) => cell === null);
