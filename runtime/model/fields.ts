import { z } from 'zod';
import type { FieldError } from './errors.ts';
import { maxTextLength } from './limits.ts';
import { type Format, formatRule } from './formats.ts';
import { Pattern } from './pattern.ts';

/** The column types: others lose or refuse something on one of the databases. */
export type ColumnType = 'text' | 'bigint' | 'double precision' | 'boolean';

/** A value of a column: JSON and the databases share these. */
export type Value = string | number | boolean | null;

/** The facts that a field helper knows of its field. Columns and request shapes are derived from it, never from zod's internals. */
interface FieldFacts {
  readonly type: ColumnType;
  /** The format of a string. */
  readonly format?: Format;
  /** How the field enters a record: from the client, which must or may send it, or from the service alone. */
  readonly presence: 'required' | 'optional' | 'server';
  /** The value of a field that a create does not send. */
  readonly default: Value;
  /** Null is a value of the field. */
  readonly isNullable: boolean;
  /** The value that a required field shows in rows that hold none. */
  readonly backfill?: Value;
  /** The names the field had before: its column is renamed from them. */
  readonly renamedFrom?: readonly string[];
  /** A singleton's required field is null until it is set, and cannot be set to null. */
  readonly initiallyNull?: true;
}

const facts = z.registry<FieldFacts>();

/** The facts of a field made by one of these helpers. */
export function factsOf(field: z.ZodType): FieldFacts {
  const found = facts.get(field);
  if (!found) throw new Error('A field of a record must be made by one of the field helpers.');
  return found;
}

const note = <S extends z.ZodType>(field: S, fieldFacts: FieldFacts): S => {
  facts.add(field, fieldFacts);
  return field;
};

const required = <S extends z.ZodType>(field: S, type: ColumnType, format?: Format): S =>
  note(field, { type, ...(format && { format }), presence: 'required', isNullable: false, default: null });

// A key each: a field can be of several kinds.
declare const optionalField: unique symbol;
declare const serverField: unique symbol;
declare const dateField: unique symbol;
/** A field that a create may leave out. */
export type Optional = { readonly [optionalField]: true };
/** A field that only the service sets. */
export type Server = { readonly [serverField]: true };
/** A field of dates, with a time or without. */
export type Dates = { readonly [dateField]: true };

/** A broken rule, kept in the zod issue that reports it. */
export type Rule = Pick<FieldError, 'code' | 'message'>;

const checked = <T>(field: z.ZodType<T>, broken: (value: T) => Rule | undefined): z.ZodType<T, T> =>
  field.check((context) => {
    const rule = broken(context.value);
    if (rule) context.issues.push({ code: 'custom', input: context.value, message: rule.message, params: rule });
  }) as z.ZodType<T, T>;

/** By the units of UTF-16: iterating over the code points of a long text takes several times as long. */
function codePoints(value: string): number {
  let pairs = 0;
  for (let i = 1; i < value.length; i++) {
    if ((value.charCodeAt(i) & 0xfc00) === 0xdc00 && (value.charCodeAt(i - 1) & 0xfc00) === 0xd800) pairs++;
  }
  return value.length - pairs;
}

/** The rule that a string breaks if a database cannot store it, or if it has lone surrogates, which UTF-8 cannot carry. */
function unstorable(value: string): Rule | undefined {
  if (value.includes('\0')) return { code: 'invalid_text', message: 'must not contain U+0000' };
  if (!value.isWellFormed()) return { code: 'invalid_text', message: 'must not contain a lone surrogate' };
  return undefined;
}

/** A string; lengths count code points. `pattern`, with the flag `u`, is searched for, as in JSON Schema. */
export function text(limits: { min?: number; max?: number; pattern?: RegExp } = {}): z.ZodType<string, string> {
  const { min = 0, max = maxTextLength } = limits;
  const pattern = limits.pattern && new Pattern(limits.pattern.source);
  const field = checked(z.string(), (value) => {
    // A code point takes one or two UTF-16 units, so most texts need no counting.
    if (value.length > max * 2 || (value.length > max && codePoints(value) > max)) {
      return { code: 'too_long', message: `must be at most ${max} characters long` };
    }
    if (value.length < min * 2 && codePoints(value) < min) {
      return { code: 'too_short', message: `must be at least ${min} characters long` };
    }
    if (pattern && !pattern.test(value)) {
      return { code: 'pattern_mismatch', message: `must match the pattern ${pattern.source}` };
    }
    return unstorable(value);
  });
  return required(field, 'text');
}

/** One of the given strings. */
export const oneOf = <const T extends string>(values: readonly [T, ...T[]]): z.ZodEnum<{ [K in T]: K }> =>
  required(z.enum(values), 'text');

/** A string of a format, as `formats` defines it. */
const formatted = (format: Format) => (): z.ZodType<string, string> => {
  const { accepts, code, words, normalize } = formatRule(format);
  const written = normalize ? z.string().overwrite((value) => normalize(value) ?? value) : z.string();
  return required(
    checked(written, (value) => (accepts(value) ? undefined : { code, message: `must be ${words}` })),
    'text',
    format,
  );
};

export const date = formatted('date') as () => z.ZodType<string, string> & Dates;
export const dateTime = formatted('date-time') as () => z.ZodType<string, string> & Dates;
export const time = formatted('time');
export const uuid = formatted('uuid');
export const email = formatted('email');
export const uri = formatted('uri');

const within =
  ({ min = -Infinity, max = Infinity }: { min?: number; max?: number }) =>
  (value: number): Rule | undefined => {
    if (value < min) return { code: 'too_small', message: `must be at least ${min}` };
    if (value > max) return { code: 'too_large', message: `must be at most ${max}` };
    return undefined;
  };

/** An integer that every JSON reader keeps exactly: between -(2^53 - 1) and 2^53 - 1. */
export const integer = (limits: { min?: number; max?: number } = {}): z.ZodType<number, number> =>
  required(checked(z.int(), within(limits)), 'bigint');

/** Zero without a sign, which not every database keeps. */
const withoutNegativeZero = (value: number): number => value + 0;

/** A finite double. */
export const number = (limits: { min?: number; max?: number } = {}): z.ZodType<number, number> =>
  required(checked(z.number().overwrite(withoutNegativeZero), within(limits)), 'double precision');

export const boolean = (): z.ZodType<boolean, boolean> => required(z.boolean(), 'boolean');

/** A field that may be absent on create, where it takes `value`, and that null clears. */
export const optional = <S extends z.ZodType<Value>>(
  field: S,
  value: z.output<S> | null = null,
): z.ZodNullable<S> & Optional =>
  note(field.nullable() as z.ZodNullable<S> & Optional, {
    ...factsOf(field),
    presence: 'optional',
    isNullable: true,
    default: value as Value,
  });

/** A field that must be sent on create, and whose value may be null. */
export const nullable = <S extends z.ZodType>(field: S): z.ZodNullable<S> =>
  note(field.nullable(), { ...factsOf(field), isNullable: true });

/** A required field that shows `value` in rows that hold none, because they are older than the rule. */
export const backfilled = <S extends z.ZodType<Value>>(field: S, value: z.output<S>): S =>
  note(field.clone() as S, { ...factsOf(field), backfill: value });

/** A singleton's field that is null until it is set, and that nothing can set back to null. */
export const initiallyNull = <S extends z.ZodType>(field: S): z.ZodNullable<S> =>
  note(field.nullable(), { ...factsOf(field), isNullable: true, initiallyNull: true });

/** A field that only the service sets: refused on create, accepted on update only with the value that is stored. */
export const readOnly = <S extends z.ZodType>(field: S): S & Server =>
  note(field.clone() as S & Server, { ...factsOf(field), presence: 'server' });

/** A field that was called otherwise before: where its column still has one of those names, it is renamed. */
export const renamed = <S extends z.ZodType>(field: S, ...from: readonly string[]): S =>
  note(field.clone() as S, { ...factsOf(field), renamedFrom: from });

/** The id of a record. */
export const id = (): z.ZodType<string, string> & Server => readOnly(text());

/** The time of a record's creation or of its last change, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const timestamp = (): z.ZodType<string, string> & Dates & Server =>
  readOnly(text() as z.ZodType<string, string> & Dates);

/** The place of a line item among its siblings; on create, one after the last of them where it is absent. */
export const position = (): z.ZodType<number, number> & Optional =>
  note(z.int() as unknown as z.ZodType<number, number> & Optional, {
    type: 'bigint',
    presence: 'optional',
    isNullable: false,
    default: null,
  });
