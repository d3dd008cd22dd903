import type { z } from 'zod';
import { maxEntries } from '../model/limits.ts';
import { maxDigits } from '../model/decimals.ts';
import { date, dateTime, decimal, factsOf, integer, number, type Value } from '../model/fields.ts';
import { unstorable } from '../model/value-rules.ts';
import { toTimestamp } from '../model/formats.ts';
import { type Content, contentOf, type Operator, operators } from '../model/query.ts';
import { type Column, isIdOf, schemaOf, type Table } from '../model/table.ts';
import { brokenRuleOf } from '../model/validate.ts';
import type { Condition } from '../records/page.ts';
import { quoted } from '../model/text.ts';
import type { Parameters } from './parameters.ts';

/** A value as its column holds it, or what is wrong with it. */
type Reading = { readonly value: Value } | { readonly rule: string };

type Read = (text: string) => Reading;

/** A parameter that filters a list. */
export interface Filter {
  readonly column: string;
  readonly operator: Operator;
  /** Reads its value, or each of several. */
  readonly read: Read;
}

/** A JSON number (RFC 8259, section 6). */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a value as a field stores it, if the field accepts it. */
function checked(field: z.ZodType<Value>, value: Value): Reading {
  const rule = brokenRuleOf(field, value);
  return rule ? { rule: rule.message } : { value: field.parse(value) };
}

const numberReader =
  (field: z.ZodType<number>, form: RegExp, words: string): Read =>
  (text) =>
    // Adding 0 makes 0 of -0, which both databases take for equal.
    form.test(text) ? checked(field, Number(text) + 0) : { rule: `must be ${words}` };

// A filter takes every value of its field's type, also one that a limit of the field refuses: a record may be older than the limit.
const reader =
  (field: z.ZodType<Value>): Read =>
  (text) =>
    checked(field, text);
/** A URL has no text that is too long. */
const readText: Read = (text) => {
  const rule = unstorable(text);
  return rule ? { rule: rule.message } : { value: text };
};
const readDay = reader(date());
const readInstant = reader(dateTime());
const readInteger = numberReader(integer(), /^-?\d+$/, 'an integer, in decimal digits');
const readNumber = numberReader(number(), jsonNumber, 'a number as in JSON');
const readBoolean: Read = (text) =>
  text === 'true' || text === 'false' ? { value: text === 'true' } : { rule: 'must be true or false' };

/** A date-time in the form of timestamps, which are compared as texts; one within a millisecond follows its beginning. */
export function timestampOf(text: string): string {
  const [, behindMilliseconds = ''] = /\.\d{3}(\d+)/.exec(text) ?? [];
  return `${toTimestamp(text)}${behindMilliseconds.replace(/0+$/, '')}`;
}

function readTimestamp(text: string): Reading {
  const reading = readInstant(text);
  return 'rule' in reading ? reading : { value: timestampOf(text) };
}

/** An id as this table has them, or had them under a former name. */
export function readId({ name, renamedFrom = [] }: Table, text: string): Reading {
  if (isIdOf({ name, renamedFrom }, text)) return { value: text };
  const form = [name, ...renamedFrom].map((prefix) => `"${prefix}_"`).join(' or ');
  return { rule: `must be an id of this list: ${form} and 26 digits of base 32` };
}

/** How the values of a field are read; those of a list one by one. */
function readerOf(field: z.ZodType): Read {
  const { type, format, scale = 0, items } = factsOf(field);
  if (items) return readerOf(items);
  if (contentOf(field) === 'date') return format === 'date' ? readDay : readInstant;
  const readers = {
    boolean: readBoolean,
    bigint: readInteger,
    'double precision': readNumber,
    decimal: reader(decimal({ digits: maxDigits, scale })),
  };
  return type === 'text' || type === 'json' ? readText : readers[type];
}

/** The filters by a column: the operators of its type, and how its values are written. */
export function filtersOf(table: Table, { name: column }: Column): Filter[] {
  const all = (content: Content, read: Read): Filter[] =>
    operators[content].map((operator) => {
      if (operator === 'null') return { column, operator, read: readBoolean };
      return { column, operator, read: operator === 'prefix' ? readText : read };
    });
  if (column === 'id') return all('key', (text) => readId(table, text));
  if (column === 'created_at') return all('key', readTimestamp);
  if (column === 'updated_at') return all('date', readTimestamp);
  const field = schemaOf(table).shape[column] as z.ZodType;
  return all(contentOf(field), readerOf(field));
}

/** The values of `in`; undefined if a backslash is followed by anything but a comma or a backslash. */
function splitValues(text: string): string[] | undefined {
  const values = [...`,${text}`.matchAll(/,((?:[^,\\]|\\[,\\])*)/g)].map(([, value = '']) => value);
  return values.join() === text ? values.map((value) => value.replaceAll(/\\(.)/g, '$1')) : undefined;
}

/** Reads a parameter that filters a list. */
export function readFilter(
  parameters: Parameters,
  name: string,
  { column, operator, read }: Filter,
): Condition | undefined {
  const readValue = (value: string): readonly Value[] => {
    const reading = read(value);
    if ('value' in reading) return [reading.value];
    // In a URL, a plus sign that is not encoded is a space.
    const rule = reading.rule + (value.includes(' ') ? '; a plus sign is written %2B' : '');
    parameters.fail(name, () => (operator === 'in' ? `has the value ${quoted(value)}, which ${rule}` : rule));
    return [];
  };
  if (operator !== 'in') return { column, operator, values: readValue(parameters.text(name) ?? '') };
  const texts = parameters.list(name, splitValues);
  if (!texts) {
    return parameters.fail(name, () => 'has an unknown escape: "\\," is a comma in a value, and "\\\\" a backslash');
  }
  if (texts.length > maxEntries) {
    return parameters.fail(name, () => `must have at most ${maxEntries} values, separated by commas`);
  }
  return { column, operator, values: texts.flatMap(readValue) };
}
