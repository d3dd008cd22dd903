import { isList, type RecordData, type Value } from '../api.ts';
import { digitsOf, isPlainNumber, readLoneNumber, typedNumber } from '../../../../data/transfer/notation.ts';
import { JsonText } from '../../../../kernel/values/json-text.ts';
import { type Field, isDecimal, isFree, isNumeric } from '../model.ts';
import { jsonFault } from './json-fault.ts';
import { cellFaultText } from '../transfer/faults.ts';
import { texts } from '../texts.ts';

/**
 * The content of a control: a number and the entries of a list as they were typed, null for no value, and undefined if a new record has been given
 * none yet.
 */
export type Input = string | boolean | readonly string[] | null | undefined;

/** The value of an input, or why it has none. */
type Reading = { readonly value: Value | undefined } | { readonly problem: string };

/** A number as its control has it; a text that is none stays as it is. */
const numberInput = (value: string | number): string => {
  const text = String(value);
  return isPlainNumber(text) ? typedNumber(text) : text;
};

/** The part of a field that tells how its values are edited. */
type EditedField = Pick<Field, 'type' | 'format' | 'of'>;

/** The content of a control for a stored value. */
export function inputOf(value: Value | undefined, field: EditedField | undefined): Input {
  if (value instanceof JsonText) return value.text;
  if (value !== null && value !== undefined && field && isFree(field)) return JSON.stringify(value, null, 2);
  const entries = field?.of ?? field;
  const textIn = (entry: string | number): string =>
    entries && isNumeric(entries) ? numberInput(entry) : String(entry);
  if (isList(value)) return value.map(textIn);
  return typeof value === 'number' || typeof value === 'string' ? textIn(value) : (value as Input);
}

/** JSON as it was typed: JavaScript would change some of it. */
function readFree(text: string): Reading {
  const problem = jsonFault(text);
  return problem === undefined ? { value: new JsonText(text) } : { problem };
}

/** The service writes a decimal with the digits of its field: the zeros at its end do not matter. */
const isSameDecimal = (field: Field, value: Value | undefined, base: Value | undefined): boolean =>
  isDecimal(field) &&
  [value, base].every((decimal) => isPlainNumber(String(decimal))) &&
  String(value).startsWith('-') === String(base).startsWith('-') &&
  digitsOf(String(value)) === digitsOf(String(base));

function readNumber(text: string, isInteger: boolean): Reading {
  const typed = readLoneNumber(text, isInteger);
  if ('fault' in typed) return { problem: cellFaultText(typed.fault) };
  const value = Number(typed.plain);
  if (!Number.isFinite(value)) return { problem: texts.wrong.tooLarge };
  if (isInteger && !Number.isSafeInteger(value)) {
    return { problem: texts.wrong.between(String(-Number.MAX_SAFE_INTEGER), String(Number.MAX_SAFE_INTEGER)) };
  }
  // A double keeps about 16 digits: what is lost is said, not rounded in silence.
  const isKept = digitsOf(typed.plain) === digitsOf(String(value));
  return isKept ? { value } : { problem: cellFaultText({ code: 'digits', text, nearest: value }) };
}

function readList(of: Field, entries: readonly string[]): Reading {
  const readings = entries.map((entry) => read(of, entry));
  const at = readings.findIndex((reading) => 'problem' in reading);
  const wrong = readings[at];
  if (wrong && 'problem' in wrong) return { problem: texts.wrong.entry(at + 1, wrong.problem) };
  return { value: readings.map((reading) => ('value' in reading ? reading.value : '') as string | number) };
}

/** The value that an input stands for. */
export function read(field: Field, input: Input): Reading {
  if (field.of && typeof input === 'object' && input !== null) return readList(field.of, input);
  if (isFree(field) && typeof input === 'string') return readFree(input);
  if (!isNumeric(field) || typeof input !== 'string') return { value: input };
  if (!isDecimal(field)) return readNumber(input, field.type === 'integer');
  const typed = readLoneNumber(input, false);
  return 'fault' in typed ? { problem: cellFaultText(typed.fault) } : { value: typed.plain };
}

/** Whether a new record has no null by itself: its field is required, never null, or copied from another record. */
const isSentOrCopied = ({ required, nullable, copiedFrom }: Field): boolean =>
  required || !nullable || copiedFrom !== undefined;

/**
 * The content of an emptied control. Text that was deleted is no value, as it is on paper; an empty text is only what was
 * stored as one, or is asked for.
 */
export function emptied(field: Field, base: Value | undefined): Input {
  if (base === '') return '';
  if (field.of && !field.nullable) return [];
  return isSentOrCopied(field) && base === undefined ? undefined : null;
}

/** The edits of a record: what is held by the controls that were touched, by the names of their fields. */
export type Edits = Readonly<{ [field: string]: Input }>;

/** Whether no edit can change the value of a field. A new record has no id. */
export const isFixed = ({ name, immutable }: Field, base: Partial<RecordData>): boolean =>
  base['id'] !== undefined && (immutable === true || (immutable === 'once_set' && base[name] !== null));

/** The content of a control. */
export const currentInput = (
  base: Partial<RecordData>,
  edits: Edits,
  field: EditedField & Pick<Field, 'name'>,
): Input => (Object.hasOwn(edits, field.name) ? edits[field.name] : inputOf(base[field.name], field));

/** Whether two values are the same; lists and objects by what is in them. */
export const isSame = (a: Value | undefined, b: Value | undefined): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** The service stores a date and time in UTC with milliseconds, however it was typed. */
const isSameTime = ({ format }: Field, value: Value | undefined, base: Value | undefined): boolean =>
  format === 'date-time' && Date.parse(String(value)) === Date.parse(String(base));

/** Whether an input stands for another value than the stored one; `1.50` is the same number as `1.5`. */
export function isChanged(field: Field, base: Value | undefined, input: Input): boolean {
  const reading = read(field, input);
  if ('problem' in reading) return true;
  const { value } = reading;
  return !isSame(value, base) && !isSameTime(field, value, base) && !isSameDecimal(field, value, base);
}

/** The fields whose edits change something. */
export const changedFields = (fields: readonly Field[], base: Partial<RecordData>, edits: Edits): readonly Field[] =>
  fields.filter((field) => Object.hasOwn(edits, field.name) && isChanged(field, base[field.name], edits[field.name]));

/** The values of a new record: its defaults, and nothing in fields that are required or copied. */
export const startingValues = (fields: readonly Field[]): Partial<RecordData> =>
  Object.fromEntries(fields.map((field) => [field.name, field.default ?? (isSentOrCopied(field) ? undefined : null)]));

/** The part of a body that edits make, and the fields whose text stands for no value. */
export interface Changes {
  readonly body: { [field: string]: Value };
  readonly problems: { readonly [field: string]: string };
}

/**
 * The body of a write. A text that is no value is sent as it is: the server refuses it, together with everything else that
 * it finds, so that all errors show at once.
 */
export function changesOf(fields: readonly Field[], base: Partial<RecordData>, edits: Edits): Changes {
  const body: { [field: string]: Value } = {};
  const problems: { [field: string]: string } = {};
  for (const field of changedFields(fields, base, edits)) {
    const input = edits[field.name];
    const reading = read(field, input);
    if ('problem' in reading) {
      problems[field.name] = reading.problem;
      body[field.name] = input as string;
    } else if (reading.value !== undefined) {
      body[field.name] = reading.value;
    }
  }
  return { body, problems };
}

/** A text area knows one kind of line end: those of the stored text come back. */
export function withLineEnds(text: string, base: Value | undefined): string {
  if (typeof base !== 'string') return text;
  if (/\r\n/.test(base) && !/[^\r]\n|^\n/.test(base)) return text.replaceAll('\n', '\r\n');
  return text;
}
