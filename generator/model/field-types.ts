import type { z } from 'zod';
import { CliError } from '../../runtime/model/errors.ts';
import { maxTextLength } from '../../runtime/model/limits.ts';
import type { Value } from '../../runtime/model/fields.ts';
import { type Format, formatRule } from '../../runtime/model/formats.ts';
import { Pattern } from '../../runtime/model/pattern.ts';
import { contentOf } from '../../runtime/model/query.ts';
import { type Argument, Call, type Helper } from './calls.ts';
import { exampleOfMatch } from './pattern.ts';
import type { FieldType } from './model.ts';
import { camelCase } from './names.ts';

/** The JSON Schema of a field's values, null aside: OpenAPI shows it, and `changes` compares it. */
export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** All properties of a type that the generator needs. */
interface FieldTypeRow<T> {
  /** The noun for a value. */
  readonly noun: string;
  /** The runtime's helper that makes the zod type with its column, and the arguments of its call. */
  readonly helper: Helper;
  readonly args: (type: T) => readonly Argument[];
  readonly schema: (type: T) => ValueSchema;
  /** A value within the limits of the type; null where a pattern is too long to find one. */
  readonly example: (type: T) => Value;
  /** Whether a field of the type can hold the id of a parent. */
  readonly canNameParent: boolean;
  /** Whether transitions can move a field of the type. */
  readonly canHaveStates: boolean;
}

/** The limits as an argument; no argument where all are undefined. */
const limits = (given: Readonly<Record<string, Argument>>): readonly Argument[] =>
  Object.values(given).some((value) => value !== undefined) ? [given] : [];

/** The properties that most types share. */
const plain = {
  args: (): readonly Argument[] => [],
  canNameParent: false,
  canHaveStates: false,
} as const;

const ofFormat = (format: Format, noun: string, example: string): FieldTypeRow<unknown> => ({
  ...plain,
  noun,
  helper: camelCase(format) as Helper,
  schema: () => ({ type: 'string', format, ...formatRule(format).limits }),
  example: () => example,
});

/** One row per type of the model. A new type or format does not compile until it has its row. */
const fieldTypes: { readonly [T in FieldType['type']]: FieldTypeRow<Extract<FieldType, { type: T }>> } = {
  text: {
    noun: 'string',
    helper: 'text',
    args: ({ minLength, maxLength, pattern }) =>
      limits({ min: minLength, max: maxLength, pattern: pattern === undefined ? undefined : new RegExp(pattern, 'u') }),
    schema: ({ minLength, maxLength = maxTextLength, pattern }) => ({ type: 'string', minLength, maxLength, pattern }),
    example: ({ minLength = 0, maxLength = maxTextLength, pattern }) =>
      pattern === undefined
        ? 'x'.repeat(Math.max(minLength, 1))
        : (exampleOfMatch(new Pattern(pattern), minLength, maxLength) ?? null),
    canNameParent: true,
    canHaveStates: true,
  },
  enum: {
    ...plain,
    noun: 'string of an enum',
    helper: 'oneOf',
    args: ({ values }) => [values],
    schema: ({ values }) => ({ type: 'string', enum: values }),
    example: ({ values }) => values[0] ?? null,
    canHaveStates: true,
  },
  date: ofFormat('date', 'date', '2026-01-31'),
  'date-time': ofFormat('date-time', 'date with its time', '2026-01-31T12:30:00.000Z'),
  time: ofFormat('time', 'time', '12:30:00+01:00'),
  uuid: ofFormat('uuid', 'UUID', '9f86d081-884c-4d65-9a2f-eaa0c55ad015'),
  email: ofFormat('email', 'email address', 'name@example.com'),
  uri: ofFormat('uri', 'URI', 'https://example.com/path'),
  integer: {
    ...plain,
    noun: 'integer',
    helper: 'integer',
    args: ({ min, max }) => limits({ min, max }),
    schema: ({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER }) => ({
      type: 'integer',
      minimum: min,
      maximum: max,
    }),
    example: ({ min, max }) => min ?? max ?? 7,
  },
  number: {
    ...plain,
    noun: 'number',
    helper: 'number',
    args: ({ min, max }) => limits({ min, max }),
    schema: ({ min, max }) => ({ type: 'number', minimum: min, maximum: max }),
    example: ({ min, max }) => min ?? max ?? 0.75,
  },
  boolean: {
    ...plain,
    noun: 'boolean',
    helper: 'boolean',
    schema: () => ({ type: 'boolean' }),
    example: () => true,
  },
};

/**
 * The row of a type.
 *
 * @throws CliError where it has none: a format that is not finished
 */
export function rowOf({ type }: FieldType): FieldTypeRow<FieldType> {
  const row = fieldTypes[type] as FieldTypeRow<FieldType> | undefined;
  if (row) return row;
  throw new CliError(
    `generator/model/field-types.ts has no row for ${type}, which runtime/model/formats.ts has: add it (CONTRIBUTING.md, ` +
      '"Adding a field type").',
  );
}

const anyText: FieldType = { type: 'text', minLength: undefined, maxLength: undefined, pattern: undefined };

/** The type of the values that a filter of a field takes: all that the field can ever have held, whatever its limits are today. */
export const filterTypeOf = (field: FieldType): FieldType =>
  contentOf(zodTypeOf(field)) === 'string' ? anyText : ({ type: field.type } as FieldType);

/** The JSON Schema of a field's values, null aside. */
export const schemaOf = (type: FieldType): ValueSchema => rowOf(type).schema(type);

/** The call of the runtime's helper that makes the zod type of a field's values. */
export const callOf = (type: FieldType): Call => new Call(rowOf(type).helper, ...rowOf(type).args(type));

/** The zod types of values, by the type of the field: a list of states asks for the same one again and again. */
const zodTypes = new WeakMap<FieldType, z.ZodType>();

/** The zod type of a field's values. */
export function zodTypeOf(type: FieldType): z.ZodType {
  const zodType = zodTypes.get(type) ?? (callOf(type).result() as z.ZodType);
  zodTypes.set(type, zodType);
  return zodType;
}

/** Whether a field of the type takes a value; if not, its first issue says why. */
export const isValueOf = (type: FieldType, value: Value): z.ZodSafeParseResult<unknown> =>
  zodTypeOf(type).safeParse(value);
