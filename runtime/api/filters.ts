import type { z } from 'zod';
import { isId } from '../model/ids.ts';
import { maxInValues } from '../model/limits.ts';
import { date, dateTime, factsOf, integer, number, text as textField, type Value } from '../model/fields.ts';
import { toTimestamp } from '../model/formats.ts';
import { contentOf, type Operator, operators, parameterOf } from '../model/query.ts';
import { type Column, schemaOf, type Table } from '../model/table.ts';
import { brokenRuleOf } from '../model/validate.ts';
import type { Condition } from '../records/store.ts';
import { quoted } from '../model/text.ts';
import { listOf, type Parameters } from './parameters.ts';

/** A value as its column holds it, or what is wrong with it. */
type Reading = { readonly value: Value } | { readonly rule: string };

/** A field that a list can be filtered by. */
export interface Filter {
  readonly column: string;
  /** The noun for its values in messages. */
  readonly noun: string;
  readonly operators: readonly Operator[];
  readonly read: (text: string) => Reading;
}

const written: ReadonlySet<string> = new Set(
  Object.values(operators)
    .flat()
    .filter((one) => one !== 'eq'),
);

/** A JSON number (RFC 8259, section 6). */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A value as a field stores it, if the field accepts it. */
function checked(field: z.ZodType<Value>, value: Value): Reading {
  const rule = brokenRuleOf(field, value);
  return rule ? { rule: rule.message } : { value: field.parse(value) };
}

/** In a URL, a plus sign that is not encoded is a space. */
const withHint = (text: string, reading: Reading): Reading =>
  'rule' in reading && text.includes(' ') ? { rule: `${reading.rule}; a plus sign is written %2B` } : reading;

function readNumber(field: z.ZodType<number>, form: RegExp, words: string): Filter['read'] {
  return (text) => {
    if (!form.test(text)) return withHint(text, { rule: `must be ${words}` });
    // Adding 0 makes 0 of -0, which both databases take for equal.
    return checked(field, Number(text) + 0);
  };
}

// A filter takes every value of its field's type, also one that a limit of the field refuses: a record may be older than the limit.
const anyText = textField();
const anyInteger = integer();
const anyNumber = number();
const anyDay = date();
const anyInstant = dateTime();

/** A date-time in the form of timestamps, which are compared as texts; one within a millisecond follows its beginning. */
export function timestampOf(text: string): string {
  const [, behindMilliseconds = ''] = /\.\d{3}(\d+)/.exec(text) ?? [];
  return `${toTimestamp(text)}${behindMilliseconds.replace(/0+$/, '')}`;
}

function readTimestamp(text: string): Reading {
  const reading = checked(anyInstant, text);
  return 'rule' in reading ? withHint(text, reading) : { value: timestampOf(text) };
}

const booleans: Readonly<Record<string, boolean>> = { true: true, false: false };

function readBoolean(text: string): Reading {
  const value = Object.hasOwn(booleans, text) ? booleans[text] : undefined;
  return value === undefined ? { rule: 'must be true or false' } : { value };
}

/** An id as this table has them, or had them under a former name. */
export function readId({ name, renamedFrom = [] }: Table, text: string): Reading {
  const prefixes = [name, ...renamedFrom];
  if (prefixes.some((prefix) => isId(prefix, text))) return { value: text };
  const form = prefixes.map((prefix) => `"${prefix}_"`).join(' or ');
  return { rule: `must be an id of this list: ${form} and 26 digits of base 32` };
}

/** How a list is filtered by a column: the forms that its type has, and how its values are written. */
export function filterOf(table: Table, { name: column, type }: Column): Filter {
  const key = { column, operators: operators.key };
  if (column === 'id') return { ...key, noun: 'an id', read: (text) => readId(table, text) };
  const timestamp = { noun: 'a timestamp', read: readTimestamp };
  if (column === 'created_at') return { ...key, ...timestamp };
  if (column === 'updated_at') return { column, operators: operators.date, ...timestamp };
  const field = schemaOf(table).shape[column] as z.ZodType;
  const content = contentOf(field);
  const filter = (noun: string, read: Filter['read']): Filter => ({
    column,
    noun,
    operators: operators[content],
    read,
  });
  switch (type) {
    case 'boolean':
      return filter('a boolean', readBoolean);
    case 'bigint':
      return filter('an integer', readNumber(anyInteger, /^-?\d+$/, 'an integer, in decimal digits'));
    case 'double precision':
      return filter('a number', readNumber(anyNumber, jsonNumber, 'a number as in JSON'));
    case 'text': {
      if (content === 'string') return filter('a string', (text) => checked(anyText, text));
      const { format } = factsOf(field);
      const any = format === 'date' ? anyDay : anyInstant;
      return filter(`a ${format}`, (text) => withHint(text, checked(any, text)));
    }
  }
}

/** The parameters that filter by a field. */
const formsOf = ({ column, operators: all }: Filter): string[] => all.map((operator) => parameterOf(column, operator));

/** The values of `in`; undefined where a backslash is followed by anything but a comma or a backslash. */
function splitValues(text: string): string[] | undefined {
  const values: string[] = [];
  let value = '';
  for (const piece of text.match(/,|\\[^]?|[^,\\]+/g) ?? []) {
    if (piece === ',') {
      values.push(value);
      value = '';
    } else if (!piece.startsWith('\\')) value += piece;
    else if (piece === '\\,' || piece === '\\\\') value += piece.slice(1);
    else return undefined;
  }
  return [...values, value];
}

/**
 * Reads a parameter that filters a list.
 *
 * @param unknown what to say of a parameter that filters by none of the fields
 */
export function readFilter(
  parameters: Parameters,
  name: string,
  filters: ReadonlyMap<string, Filter>,
  unknown: (field: string) => string,
): Condition | undefined {
  const bracket = name.endsWith(']') ? name.indexOf('[') : -1;
  const column = bracket === -1 ? name : name.slice(0, bracket);
  const form = bracket === -1 ? 'eq' : name.slice(bracket + 1, -1);
  const filter = filters.get(column);
  if (!filter) return parameters.fail(name, () => unknown(column));
  const operator = filter.operators.find((one) => one === form);
  if (!operator || (operator === 'eq' && bracket !== -1)) {
    const reason = written.has(form) ? `a form that ${filter.noun} does not have` : 'an unknown form';
    return parameters.fail(name, () => `has ${reason}. Known are ${listOf(formsOf(filter))}`);
  }
  const text = operator === 'in' ? parameters.list(name) : parameters.text(name);
  const values = valuesOf(parameters, name, filter, operator, text ?? '');
  return values && { column, operator, values };
}

function valuesOf(
  parameters: Parameters,
  name: string,
  filter: Filter,
  operator: Operator,
  text: string,
): readonly Value[] | undefined {
  const take = (reading: Reading, one?: string): readonly Value[] => {
    if ('value' in reading) return [reading.value];
    parameters.fail(name, () =>
      one === undefined ? reading.rule : `has the value ${quoted(one)}, which ${reading.rule}`,
    );
    return [];
  };
  if (operator === 'null') return take(readBoolean(text));
  if (operator === 'prefix') return take(checked(anyText, text));
  if (operator !== 'in') return take(filter.read(text));
  const texts = splitValues(text);
  if (!texts) {
    return parameters.fail(name, () => 'has an unknown escape: "\\," is a comma in a value, and "\\\\" a backslash');
  }
  if (texts.length > maxInValues) {
    return parameters.fail(name, () => `must have at most ${maxInValues} values, separated by commas`);
  }
  return texts.flatMap((one) => take(filter.read(one), one));
}
