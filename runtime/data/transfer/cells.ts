/** The cells of CSV files and the values of fields. Nothing in here needs Node: the console does the same in a browser. */
import { JsonText } from '../../kernel/values/json-text.ts';
import {
  type DecimalSign,
  digitsOf,
  type NumberFault,
  type NumberReading,
  readDay,
  readInstant,
  readNumber,
  readYesOrNo,
  type SignEvidence,
} from './notation.ts';

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
  /** The format of a text: people write some, like days, in a way of their own. */
  readonly format?: string | undefined;
  /** The values of an `enum`. */
  readonly values?: readonly string[] | undefined;
  /** The entries of a list. */
  readonly of?: CellField | undefined;
  /** The field that it gives a value, if that has another name: `customer_id` of `customer.email`. */
  readonly reference?: string;
}

/** The text of a cell; null of an empty one without quotes. */
export type Cell = string | null;

export type CellValue = string | number | boolean | null | readonly CellValue[] | JsonText;

/**
 * How the cells of a table write values: as the API does, or as people do in the language of the browser. They may write all
 * that the API does, but numbers can have the other decimal sign, or one that is not known.
 */
export type Notation = 'api' | { readonly sign: DecimalSign | undefined };

/** Why a cell is no value of its field, or a row no record: with what its words need. */
export type CellFault =
  | NumberFault
  | { readonly code: 'boolean' | 'date' | 'array' | 'object'; readonly text: string }
  | { readonly code: 'digits'; readonly text: string; readonly nearest: number }
  | { readonly code: 'cellCount'; readonly cells: number; readonly columns: number };

/** The value that a cell stands for. */
type ReadCell = { readonly value: CellValue } | { readonly fault: CellFault };

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?$/;
const whole = /^-?\d+$/;
const boolean = /^(?:true|false)$/i;

/** The beginning of a text that a spreadsheet takes for a formula: also the wide forms of these characters. */
const formula = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The same behind apostrophes: every file has one more before them, so that a reader takes off none of their own. */
const behindApostrophes = /^'+[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text as cells have it. @param isForSpreadsheet whether an apostrophe keeps it from being a formula */
export const protectedText = (text: string, isForSpreadsheet: boolean): string =>
  behindApostrophes.test(text) || (isForSpreadsheet && formula.test(text)) ? `'${text}` : text;

/** The text of a cell, without the apostrophe that an export puts before formulas. */
const textOf = ({ type }: CellField, cell: Cell): Cell =>
  type === 'string' && cell !== null && behindApostrophes.test(cell) ? cell.slice(1) : cell;

/** Adds the numbers of a row to the evidence. @param fields those of the cells */
export function weigh(
  evidence: SignEvidence,
  fields: readonly (CellField | undefined)[],
  cells: readonly Cell[],
): void {
  for (const [at, field] of fields.entries()) {
    const isNumber = field && (field.type === 'integer' || field.type === 'number' || field.format === 'decimal');
    const text = isNumber ? textOf(field, cells[at] ?? null) : null;
    if (isNumber && text) evidence.add(text, field.type === 'integer');
  }
}

/**
 * Reads the cell of a field. An empty cell in quotes is the empty string, and one without is null; if a field does not take
 * the empty string, both are null. Other rules of the field are not checked here.
 */
export function readCell(field: CellField, written: Cell, notation: Notation): ReadCell {
  const { type, format, takesEmpty } = field;
  const text = textOf(field, written);
  if (text === null || (text === '' && !takesEmpty)) return { value: null };
  if (type === 'array') return readArray(field, text, notation);
  if (type === 'object') return readObject(text);
  if (type === 'boolean') {
    const value = notation === 'api' ? (boolean.test(text) ? text.length === 4 : undefined) : readYesOrNo(text);
    return value === undefined ? { fault: { code: 'boolean', text } } : { value };
  }
  if (type === 'string' && (notation === 'api' || format !== 'decimal'))
    return notation === 'api' ? { value: text } : readText(field, text);
  const reading = notation === 'api' ? plainNumber(text, type) : readNumber(text, type === 'integer', notation.sign);
  if ('fault' in reading) return reading;
  const { plain } = reading;
  if (type === 'string') return { value: plain };
  const value = Number(plain);
  const isKept =
    notation === 'api' ? isExact(plain, value) : !Number.isFinite(value) || digitsOf(plain) === digitsOf(String(value));
  return isKept ? { value } : { fault: { code: 'digits', text, nearest: value } };
}

const plainNumber = (text: string, type: CellField['type']): NumberReading =>
  number.test(text) ? { plain: text } : { fault: { code: type === 'integer' ? 'integer' : 'number', text } };

/** Days, times and words of an `enum` as people write them; any other text as it is. */
function readText({ format, values }: CellField, text: string): ReadCell {
  if (format === 'date' || format === 'date-time') {
    const value = (format === 'date' ? readDay : readInstant)(text);
    return value === undefined ? { fault: { code: 'date', text } } : { value };
  }
  const word = text.trim().toLowerCase();
  return { value: values?.includes(text) ? text : (values?.find((value) => value.toLowerCase() === word) ?? text) };
}

/** A list is an array of JSON, as an export writes it; people also write its entries with signs between them. */
function readArray({ of }: CellField, text: string, notation: Notation): ReadCell {
  if (of && notation !== 'api' && !text.trimStart().startsWith('[')) {
    const mark = /[;\n]/.test(text) || of.type !== 'string' ? /[;\n]/ : ',';
    const entries = text.split(mark).map((entry) => readCell(of, entry.trim(), notation));
    const wrong = entries.find((entry) => 'fault' in entry);
    return wrong ?? { value: entries.map((entry) => ('value' in entry ? entry.value : null)) };
  }
  try {
    const value = JSON.parse(text) as CellValue;
    if (Array.isArray(value)) return { value };
  } catch {
    // Refused below.
  }
  return { fault: { code: 'array', text } };
}

/** An object or an array of any form is JSON, as an export writes it, and stays as it is written. */
function readObject(text: string): ReadCell {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null) return { value: new JsonText(text) };
  } catch {
    // Refused below.
  }
  return { fault: { code: 'object', text } };
}

/**
 * Whether a number is the one that was written. A long whole number, such as that of an account, would be rounded without a
 * word; of a fraction, rounding is expected. A number that is too large is refused by its field.
 */
export const isExact = (written: string, value: number): boolean =>
  !whole.test(written) || !Number.isFinite(value) || String(value) === written || BigInt(written) === BigInt(value);

/** Whether a row has no value at all, as spreadsheets write rows that were cleared: `,,`. */
export const isEmptyRow = (cells: readonly Cell[]): boolean => cells.every((cell) => cell === null);
