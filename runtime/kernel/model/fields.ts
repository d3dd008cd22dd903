import { z } from 'zod';
import { withScale } from '../values/decimal.ts';
import { JsonText } from '../values/json-text.ts';
import { brokenDecimalRule, type DecimalLimits } from './decimals.ts';
import { maxEntries, maxJsonBytes } from './limits.ts';
import type { FieldErrorCode } from './errors.ts';
import { type Format, formatRule } from './formats.ts';
import type { Moment } from './moments.ts';
import { LinearPattern } from './linear-pattern.ts';
import { brokenJsonRule } from './json-rule.ts';
import { brokenNumberLimit, brokenTextLimit, type Rule, unstorable } from './value-rules.ts';

/** The column types: others lose or refuse something on one of the databases. */
export type ColumnType = 'text' | 'bigint' | 'double precision' | 'decimal' | 'boolean' | 'json';

/** The effects on a record if the one that it names is deleted; `restrict` refuses the delete. */
export const deletionRules = ['restrict', 'set_null', 'cascade'] as const;

/** A field that holds the id of a record. */
export interface Reference {
  /** The table of that record. */
  readonly table: string;
  /** Other tables that it may be in: the prefix of its id says which. */
  readonly others?: readonly string[];
  readonly onDelete: (typeof deletionRules)[number];
  /** The migration that adds the reference sets values to null that name no record; without it, it is refused. */
  readonly onMissing?: 'set_null';
  /** Whether `expand` shows the record; true without it. One that may be long is not shown. */
  readonly expand?: boolean;
}

/** The tables of the records that a field may name. */
export const targetsOf = ({ table, others = [] }: Pick<Reference, 'table' | 'others'>): string[] => [table, ...others];

/** The field of another record from which a create takes a value that its body leaves out. */
export interface Source {
  /** The table of that record, which has one alone if no field names it. */
  readonly table: string;
  readonly field: string;
  /** The field with the reference that names it. */
  readonly reference?: string;
}

/** A value of a column: JSON and the databases share these. */
export type Value = string | number | boolean | null;

/** A value of a field: its column holds a list as JSON. */
export type FieldValue = Value | readonly Value[];

/** A value of a field, or an object or array of any form. */
export type RecordValue = FieldValue | JsonText;

/** A value of a field, as its column holds it. */
export const columnValue = (value: RecordValue): Value =>
  value instanceof JsonText ? value.text : isList(value) ? JSON.stringify(value) : value;

const isList = (value: RecordValue | Moment): value is readonly Value[] => Array.isArray(value);

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
  /** How many bytes the JSON of an object or array of any form has at most. */
  readonly maxBytes?: number;
  /** How the field enters a record: from the client, which must or may send it, or from the service alone. */
  readonly presence: 'required' | 'optional' | 'server';
  /** The value that a create stores if the client leaves the field out, and that older rows get when the column is added. */
  readonly default: Value;
  /** In place of a default, if each create computes it. */
  readonly moment?: Moment;
  /** Each request that changes the record sets it as a create does. */
  readonly always?: true;
  /** In place of a default, if each create copies it. */
  readonly copies?: Source;
  /** The record that the value names. */
  readonly references?: Reference;
  /** The service gives each new record a value of its own, if an import does not bring one. */
  readonly isAssigned?: true;
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
  const fieldFacts = facts.get(field);
  if (!fieldFacts) throw new Error('A field of a record must be made by one of the field helpers.');
  return fieldFacts;
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
export const changed = <S extends z.ZodType>(field: z.ZodType, change: Partial<FieldFacts>): S =>
  note(field.clone() as S, { ...factsOf(field), ...change });

// A key each: a field can be of several kinds.
declare const optionalField: unique symbol;
declare const serverField: unique symbol;
declare const dateField: unique symbol;
declare const decimalField: unique symbol;
declare const unorderedField: unique symbol;
declare const referenceField: unique symbol;
declare const listField: unique symbol;
declare const jsonField: unique symbol;
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

/** A field of objects and arrays of any form. */
export type Jsons = { readonly [jsonField]: true };

/** A field with a rule, which the zod issue of a value that breaks it has in its `params`. */
const checked = <T>(field: z.ZodType<T>, broken: (value: T) => Rule<FieldErrorCode> | undefined): z.ZodType<T, T> =>
  field.check((context) => {
    const rule = broken(context.value);
    if (rule) context.issues.push({ code: 'custom', input: context.value, message: rule.message, params: rule });
  }) as z.ZodType<T, T>;

/** A field like another one, with one more rule for what requests bring: rows are not checked by it. */
export const restricted = <T>(field: z.ZodType<T>, broken: (value: T) => Rule | undefined): z.ZodType<T, T> =>
  note(checked(field, broken), factsOf(field));

/** A string; see `brokenTextLimit`. `pattern` has the flag `u`. */
export function text(limits: { min?: number; max?: number; pattern?: RegExp } = {}): z.ZodType<string, string> {
  const compiled = { ...limits, pattern: limits.pattern && new LinearPattern(limits.pattern.source) };
  const field = checked(z.string(), (value) => brokenTextLimit(value, compiled) ?? unstorable(value));
  return required(field, 'text', ruled(limits));
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
  for (const [at, item] of value.entries()) {
    if (value.indexOf(item) < at)
      issues.push({ code: 'custom', input: item, path: [at], message: rule.message, params: rule });
  }
}

/** An object or an array of any form, as clients see it. */
export type Json = { readonly [key: string]: unknown } | readonly unknown[];

/** An object or an array of any form: a record shows it as it was sent, its keys in their order. @param limits bytes of its JSON */
export const json = ({ maxBytes = maxJsonBytes }: { maxBytes?: number } = {}): z.ZodType<Json, Json> & Jsons =>
  required(
    checked(
      z.any().overwrite((value: unknown) => (isNested(value) ? new JsonText(JSON.stringify(value)) : value)),
      (value: unknown) => brokenJsonRule(value, maxBytes),
    ) as unknown as z.ZodType<Json, Json> & Jsons,
    'json',
    { maxBytes, ...ruled({ maxBytes }) },
  );

const isNested = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof JsonText);

export const boolean = (): z.ZodType<boolean, boolean> => required(z.boolean(), 'boolean');

/** A field that may be absent on create, where it takes `value`, and that null clears. */
export const optional = <S extends z.ZodType<FieldValue | Json>>(
  field: S,
  value: (z.output<S> & FieldValue) | Moment | null = null,
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

/** The default of a text: who makes the create, as events name it. */
export const actor = (): Moment => ({ by: 'actor' });

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
