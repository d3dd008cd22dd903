import { z } from 'zod';
import { withScale } from '../rules/decimal.ts';
import { brokenDecimalRule, type DecimalLimits } from './decimals.ts';
import { maxEntries } from './limits.ts';
import { type Format, formatRule } from './formats.ts';
import type { Moment } from './moments.ts';
import { Pattern } from '../rules/pattern.ts';
import { brokenNumberLimit, brokenTextLimit, type Rule } from './value-rules.ts';

/** The column types: others lose or refuse something on one of the databases. */
export type ColumnType = 'text' | 'bigint' | 'double precision' | 'decimal' | 'boolean' | 'json';

/** The effects on a record if the one that it names is deleted; `restrict` refuses the delete. */
export const deletionRules = ['restrict', 'set_null', 'cascade'] as const;

/** A field that holds the id of a record. */
export interface Reference {
  /** The table of that record. */
  readonly table: string;
  readonly onDelete: (typeof deletionRules)[number];
  /** The migration that adds the reference sets values to null that name no record; without it, it is refused. */
  readonly onMissing?: 'set_null';
}

/** A value of a column: JSON and the databases share these. */
export type Value = string | number | boolean | null;

/** A value of a field: its column holds a list as JSON. */
export type FieldValue = Value | readonly Value[];

/** A value of a field, as its column holds it. */
export const columnValue = (value: FieldValue): Value => (isList(value) ? JSON.stringify(value) : value);

const isList = (value: FieldValue | Moment): value is readonly Value[] => Array.isArray(value);

/** The facts that a field helper knows of its field. Columns and request shapes are derived from it, never from zod's internals. */
export interface FieldFacts {
  readonly type: ColumnType;
  /** The format of a string. */
  readonly format?: Format;
  /** The limits of its values beyond its type, as a text: another one for other limits. Rows may be older than it. */
  readonly rule?: string;
  /** The digits behind the point of a decimal. */
  readonly scale?: number;
  /** The field of each value of a list. */
  readonly items?: z.ZodType;
  /** The type of the values of a list. */
  readonly itemType?: ColumnType;
  /** How many values a list has at most. */
  readonly maxItems?: number;
  /** How the field enters a record: from the client, which must or may send it, or from the service alone. */
  readonly presence: 'required' | 'optional' | 'server';
  /** The value that a create stores if the client leaves the field out, and that older rows get when the column is added. */
  readonly default: Value;
  /** In place of a default, if each create computes it. */
  readonly moment?: Moment;
  /** The record that the value names. */
  readonly references?: Reference;
  /** A record may show null. */
  readonly isNullable: boolean;
  /** The value that a field which is never null shows in rows that hold none. */
  readonly backfill?: Value;
  /** No update changes it: true from the create on, `once_set` once it is not null. */
  readonly immutable?: true | 'once_set';
  /** The names the field had before: its column is renamed from them. */
  readonly renamedFrom?: readonly string[];
  /** The former names of its values, each with the present one: rows may hold them. */
  readonly formerValues?: Readonly<Record<string, string>>;
  /** A singleton's required field is null until it is set, and cannot be set to null. */
  readonly initiallyNull?: true;
}

const facts = new WeakMap<z.ZodType, FieldFacts>();

/** The facts of a field made by one of these helpers. */
export function factsOf(field: z.ZodType): FieldFacts {
  const found = facts.get(field);
  if (!found) throw new Error('A field of a record must be made by one of the field helpers.');
  return found;
}

/** The limits of a field as a text; none if it has none. */
const ruled = (limits: object): Pick<FieldFacts, 'rule'> => {
  const rule = JSON.stringify(limits, (_, value: unknown) => (value instanceof RegExp ? value.source : value));
  return rule === '{}' ? {} : { rule };
};

const note = <S extends z.ZodType>(field: S, fieldFacts: FieldFacts): S => {
  facts.set(field, fieldFacts);
  return field;
};

const required = <S extends z.ZodType>(field: S, type: ColumnType, more: Partial<FieldFacts> = {}): S =>
  note(field, { type, presence: 'required', isNullable: false, default: null, ...more });

/** A field like another one, but for some facts. */
const changed = <S extends z.ZodType>(field: z.ZodType, change: Partial<FieldFacts>): S =>
  note(field.clone() as S, { ...factsOf(field), ...change });

// A key each: a field can be of several kinds.
declare const optionalField: unique symbol;
declare const serverField: unique symbol;
declare const dateField: unique symbol;
declare const decimalField: unique symbol;
declare const unorderedField: unique symbol;
declare const referenceField: unique symbol;
declare const listField: unique symbol;
/** A field that a create may leave out. */
export type Optional = { readonly [optionalField]: true };
/** A field that only the service sets. */
export type Server = { readonly [serverField]: true };
/** A field of dates, with a time or without. */
export type Dates = { readonly [dateField]: true };
/** A field of decimals, which are strings. */
export type Decimals = { readonly [decimalField]: true };

/** A field of strings whose format has no order. */
export type Unordered = { readonly [unorderedField]: true };

export type References = { readonly [referenceField]: true };

export type Lists = { readonly [listField]: true };

/** A field with a rule, which the zod issue of a value that breaks it has in its `params`. */
const checked = <T>(field: z.ZodType<T>, broken: (value: T) => Rule | undefined): z.ZodType<T, T> =>
  field.check((context) => {
    const rule = broken(context.value);
    if (rule) context.issues.push({ code: 'custom', input: context.value, message: rule.message, params: rule });
  }) as z.ZodType<T, T>;

/** The rule that a string breaks if a database cannot store it, or if it has lone surrogates, which UTF-8 cannot carry. */
function unstorable(value: string): Rule | undefined {
  if (value.includes('\0')) return { code: 'invalid_text', message: 'must not contain U+0000' };
  if (!value.isWellFormed()) return { code: 'invalid_text', message: 'must not contain a lone surrogate' };
  return undefined;
}

/** A string; see `brokenTextLimit`. `pattern` has the flag `u`. */
export function text(limits: { min?: number; max?: number; pattern?: RegExp } = {}): z.ZodType<string, string> {
  const compiled = { ...limits, pattern: limits.pattern && new Pattern(limits.pattern.source) };
  const field = checked(z.string(), (value) => brokenTextLimit(value, compiled) ?? unstorable(value));
  return required(field, 'text', ruled(limits));
}

/** The id of a record of a table, which must exist. */
export function reference(
  table: string,
  { onDelete = 'restrict', ...rest }: Partial<Omit<Reference, 'table'>> = {},
): z.ZodType<string, string> & References {
  return changed(text(), { references: { table, onDelete, ...rest } });
}

/** One of the given strings. @param formerValues former names of some of them: records show the present ones */
export const oneOf = <const T extends string>(
  values: readonly [T, ...T[]],
  formerValues?: Readonly<Record<string, T>>,
): z.ZodEnum<{ [K in T]: K }> =>
  required(z.enum(values), 'text', { ...ruled(values), ...(formerValues && { formerValues }) });

/** A string of a format, as `formats` defines it. */
const formatted = (format: Format) => (): z.ZodType<string, string> => {
  const { accepts, code, words, normalize } = formatRule(format);
  const written = normalize ? z.string().overwrite((value) => normalize(value) ?? value) : z.string();
  return required(
    checked(written, (value) => (accepts(value) ? undefined : { code, message: `must be ${words}` })),
    'text',
    { format, ...ruled({ format }) },
  );
};

export const date = formatted('date') as () => z.ZodType<string, string> & Dates;
export const dateTime = formatted('date-time') as () => z.ZodType<string, string> & Dates;
export const time = formatted('time');
export const uuid = formatted('uuid');
export const email = formatted('email');
export const uri = formatted('uri');

/** An integer that every JSON reader keeps exactly: between -(2^53 - 1) and 2^53 - 1. */
export const integer = (limits: { min?: number; max?: number } = {}): z.ZodType<number, number> =>
  required(
    checked(z.int(), (value) => brokenNumberLimit(value, limits)),
    'bigint',
    ruled(limits),
  );

/** Zero without a sign, which not every database keeps. */
const withoutNegativeZero = (value: number): number => value + 0;

/** A finite double. */
export const number = (limits: { min?: number; max?: number } = {}): z.ZodType<number, number> =>
  required(
    checked(z.number().overwrite(withoutNegativeZero), (value) => brokenNumberLimit(value, limits)),
    'double precision',
    ruled(limits),
  );

/** A decimal number, which is exact, as a string in plain notation. It is stored with `scale` digits behind the point; fewer are accepted. */
export function decimal(limits: DecimalLimits): z.ZodType<string, string> & Decimals {
  const { scale } = limits;
  const written = z.string().overwrite((value) => (brokenDecimalRule(value, limits) ? value : withScale(value, scale)));
  const field = checked(written, (value) => brokenDecimalRule(value, limits)) as z.ZodType<string, string> & Decimals;
  return required(field, 'decimal', { scale, ...ruled(limits) });
}

/** A list of values, each as the field `of` takes it; with `unique`, none of them twice. */
export function list<V extends string | number>(
  of: z.ZodType<V, V>,
  { max = maxEntries, unique = false }: { max?: number; unique?: boolean } = {},
): z.ZodType<V[], V[]> & Lists {
  const values = z.array(of).max(max);
  const field = unique ? values.check(refuseRepeated) : values;
  const { type: itemType, rule: each, formerValues } = factsOf(of);
  return required(field as unknown as z.ZodType<V[], V[]> & Lists, 'json', {
    items: of,
    itemType,
    maxItems: max,
    ...(formerValues && { formerValues }),
    ...ruled({ each, ...(max < maxEntries && { max }), ...(unique && { unique }) }),
  });
}

function refuseRepeated({ value, issues }: z.core.ParsePayload<readonly Value[]>): void {
  const rule: Rule = { code: 'duplicate', message: 'repeats an earlier value' };
  for (const [at, one] of value.entries()) {
    if (value.indexOf(one) < at)
      issues.push({ code: 'custom', input: one, path: [at], message: rule.message, params: rule });
  }
}

export const boolean = (): z.ZodType<boolean, boolean> => required(z.boolean(), 'boolean');

/** A field that may be absent on create, where it takes `value`, and that null clears. */
export const optional = <S extends z.ZodType<FieldValue>>(
  field: S,
  value: z.output<S> | Moment | null = null,
): z.ZodNullable<S> & Optional =>
  changed(nullable(field), {
    presence: 'optional',
    ...(isMoment(value) ? { moment: value } : { default: columnValue(value) }),
  });

const isMoment = (value: FieldValue | Moment): value is Moment =>
  typeof value === 'object' && value !== null && !isList(value);

/** The default of a date-time: the time of the create. */
export const now = (): Moment => ({ at: 'now' });

/** The default of a date: the day of the create in a time zone. */
export const today = (timeZone = 'UTC'): Moment => ({ at: 'today', timeZone });

/** A field that is never null: it takes `value` where a create leaves it out, and shows a literal in rows that hold none. */
export const defaulted = <S extends z.ZodType<FieldValue>>(field: S, value: z.output<S> | Moment): S & Optional =>
  changed(field, {
    presence: 'optional',
    ...(isMoment(value) ? { moment: value } : { default: columnValue(value), backfill: columnValue(value) }),
  });

/** A field that must be sent on create, and whose value may be null. */
export const nullable = <S extends z.ZodType>(field: S): z.ZodNullable<S> =>
  note(field.nullable(), { ...factsOf(field), isNullable: true });

/** A field that is never null, and shows `value` in rows that hold none, because they are older than the rule. */
export const backfilled = <S extends z.ZodType<FieldValue>>(field: S, value: z.output<S>): S =>
  changed(field, { backfill: columnValue(value) });

/** A singleton's field that is null until it is set, and that nothing can set back to null. */
export const initiallyNull = <S extends z.ZodType>(field: S): z.ZodNullable<S> =>
  changed(nullable(field), { initiallyNull: true });

/** A field that only the service sets: refused on create, accepted on update only with the value that is stored. */
export const readOnly = <S extends z.ZodType>(field: S): S & Server => changed(field, { presence: 'server' });

/** A field that a create sets: an update is accepted only with the value that is stored. */
export const immutable = <S extends z.ZodType>(field: S): S => changed(field, { immutable: true });

/** A field that is null until it is set: from then on, an update is accepted only with the value that is stored. */
export const onceSet = <S extends z.ZodType>(field: S): S => changed(field, { immutable: 'once_set' });

/** A field that was called otherwise before: where its column still has one of those names, it is renamed. */
export const renamed = <S extends z.ZodType>(field: S, ...from: readonly string[]): S =>
  changed(field, { renamedFrom: from });

/** The id of a record. */
export const id = (): z.ZodType<string, string> & Server => readOnly(text());

/** The time of a record's creation or of its last change, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export const timestamp = (): z.ZodType<string, string> & Dates & Server =>
  readOnly(text() as z.ZodType<string, string> & Dates);

/** The place of a line item among its siblings; on create, one after the last of them where it is absent. */
export const position = (): z.ZodType<number, number> & Optional =>
  required(z.int() as unknown as z.ZodType<number, number> & Optional, 'bigint', { presence: 'optional' });
