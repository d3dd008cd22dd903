import type { z } from 'zod';
import { type DecimalLimits, maxDigits } from '../../runtime/kernel/model/decimals.ts';
import { withScale } from '../../runtime/kernel/values/decimal.ts';
import { maxEntries, maxJsonBytes, maxTextLength } from '../../runtime/kernel/model/limits.ts';
import type { FieldValue } from '../../runtime/kernel/model/fields.ts';
import { type Format, formatRule } from '../../runtime/kernel/model/formats.ts';
import { contentOf } from '../../runtime/kernel/model/query.ts';
import { type Argument, Call, type Helper } from './calls.ts';
import { exampleOfMatch } from './pattern-example.ts';
import type { FieldType } from './model.ts';
import { camelCase } from './names.ts';

/** The JSON Schema of a field's values, null aside: OpenAPI shows it, and `changes` compares it. */
export interface ValueSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  readonly format?: string | undefined;
  readonly enum?: readonly string[] | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly items?: ValueSchema | undefined;
  readonly maxItems?: number | undefined;
  readonly uniqueItems?: true | undefined;
  /** Bytes of the value as JSON. */
  readonly maxBytes?: number | undefined;
  readonly 'x-minimum'?: string | undefined;
  readonly 'x-maximum'?: string | undefined;
  readonly description?: string | undefined;
}

/** All properties of a type that the generator needs. */
interface FieldTypeRow<T> {
  readonly noun: string;
  /** The runtime's helper that makes the zod type with its column, and the arguments of its call. */
  readonly helper: Helper;
  readonly args: (type: T) => readonly Argument[];
  readonly schema: (type: T) => ValueSchema;
  /** A value within the limits of the type; null where a pattern is too long to find one. */
  readonly example: (type: T) => FieldValue;
  /** Whether a field of the type can hold the id of a parent. */
  readonly canNameParent: boolean;
  /** Whether transitions can move a field of the type. */
  readonly canHaveStates: boolean;
}

/** The id of a record in examples. */
export const idExample = (name: string): string => `${name}_01M7Y4YG13000B0XK630YDQN92`;

/** The limits as an argument; no argument where all are undefined. */
const limits = (values: Readonly<Record<string, Argument>>): readonly Argument[] =>
  Object.values(values).some((value) => value !== undefined) ? [values] : [];

/** The properties that most types share. */
const plain = { args: (): readonly Argument[] => [], canNameParent: false, canHaveStates: false } as const;

const ofFormat = (format: Format, noun: string, example: string): FieldTypeRow<unknown> => ({
  ...plain,
  noun,
  helper: camelCase(format) as Helper,
  schema: () => ({ type: 'string', format, ...formatRule(format).limits }),
  example: () => example,
});

/** The pattern of decimals of so many digits. It takes -0 too: a look-around would refuse it, which not every tool knows. */
function patternOf({ digits, scale, min }: DecimalLimits): string {
  const sign = min === undefined || min.startsWith('-') ? '-?' : '';
  const whole = digits === scale ? '0' : String.raw`(?:0|[1-9]\d{0,${digits - scale - 1}})`;
  return `^${sign}${whole}${scale === 0 ? '' : String.raw`(?:\.\d{1,${scale}})?`}$`;
}

function decimalWords({ scale, min, max }: DecimalLimits): string {
  const decimals = scale === 1 ? '1 decimal' : `${scale} decimals`;
  const lower = min === undefined ? [] : [`at least ${min}`];
  const upper = max === undefined ? [] : [`at most ${max}`];
  const limited = [...lower, ...upper].join(' and ');
  return `A decimal number${limited && `, ${limited}`}. Responses have ${decimals}; requests may have fewer.`;
}

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
        : (exampleOfMatch(pattern, minLength, maxLength) ?? null),
    canNameParent: true,
    canHaveStates: true,
  },
  enum: {
    ...plain,
    noun: 'string of an enum',
    helper: 'oneOf',
    args: ({ values, formerValues }) => [values, ...limits(formerValues)],
    schema: ({ values }) => ({ type: 'string', enum: values }),
    example: ({ values }) => values[0] ?? null,
    canHaveStates: true,
  },
  reference: {
    ...plain,
    noun: 'reference',
    helper: 'refers',
    args: ({ table, others, onDelete, onMissing, isShown }) => [
      others.length > 0 ? [table, ...others.map((other) => other.table)] : table,
      { onDelete, ...(onMissing && { onMissing }), ...(!isShown && { expand: false }) },
    ],
    schema: () => ({ type: 'string', maxLength: maxTextLength }),
    example: ({ table }) => idExample(table),
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
  decimal: {
    ...plain,
    noun: 'decimal',
    helper: 'decimal',
    args: ({ digits, scale, min, max }) => [{ digits, scale, min, max }],
    schema: (type) => ({
      type: 'string',
      format: 'decimal',
      pattern: patternOf(type),
      'x-minimum': type.min,
      'x-maximum': type.max,
      description: decimalWords(type),
    }),
    example: ({ digits, scale, min, max }) =>
      withScale(min ?? max ?? (digits - scale < 2 ? '0' : scale === 0 ? '12' : '12.5'), scale),
  },
  list: {
    ...plain,
    noun: 'list',
    helper: 'list',
    args: ({ of, maxItems, uniqueItems }) => [
      callOf(of),
      ...limits({ max: maxItems, unique: uniqueItems || undefined }),
    ],
    schema: ({ of, maxItems = maxEntries, uniqueItems }) => ({
      type: 'array',
      items: schemaOf(of),
      maxItems,
      uniqueItems: uniqueItems || undefined,
    }),
    example: ({ of }) => [fieldTypeRow(of).example(of)].flat(),
  },
  json: {
    ...plain,
    noun: 'JSON object or array',
    helper: 'json',
    args: ({ maxBytes }) => (maxBytes === maxJsonBytes ? [] : [{ maxBytes }]),
    schema: ({ maxBytes }) => ({
      type: 'object',
      maxBytes,
      description: `An object or an array of any form, of at most ${maxBytes} bytes as JSON: it is returned as it was sent.`,
    }),
    example: () => ({ colour: 'blue', sizes: [38, 40] }) as unknown as FieldValue,
  },
  boolean: { ...plain, noun: 'boolean', helper: 'boolean', schema: () => ({ type: 'boolean' }), example: () => true },
};

/** The row of a type. */
export const fieldTypeRow = ({ type }: FieldType): FieldTypeRow<FieldType> =>
  fieldTypes[type] as FieldTypeRow<FieldType>;

const anyText: FieldType = { type: 'text', minLength: undefined, maxLength: undefined, pattern: undefined };

/** The type of the values that a filter of a field takes: all that the field can ever have held, whatever its limits are today. */
export const filterTypeOf = (field: FieldType): FieldType => {
  if (field.type === 'list') return filterTypeOf(field.of);
  if (field.type === 'json') return field;
  if (field.type === 'decimal') return { type: 'decimal', digits: maxDigits, scale: field.scale };
  const content = contentOf(zodTypeOf(field));
  return content === 'string' || content === 'unordered' || content === 'reference'
    ? anyText
    : ({ type: field.type } as FieldType);
};

/** The JSON Schema of a field's values, null aside. */
export const schemaOf = (type: FieldType): ValueSchema => fieldTypeRow(type).schema(type);

/** The kind of a field's values: a decimal, which JSON has as a string, is a kind of its own. */
export const kindOf = (type: FieldType): string => (type.type === 'decimal' ? type.type : schemaOf(type).type);

/** The call of the runtime's helper that makes the zod type of a field's values. */
export const callOf = (type: FieldType): Call => new Call(fieldTypeRow(type).helper, ...fieldTypeRow(type).args(type));

const zodTypes = new WeakMap<FieldType, z.ZodType>();

/** The zod type of a field's values, made once: a list of states asks for the same one again and again. */
export const zodTypeOf = (type: FieldType): z.ZodType =>
  zodTypes.getOrInsertComputed(type, () => callOf(type).result() as z.ZodType);

/** Whether a field of the type takes a value; if not, its first issue says why. */
export const isValueOf = (type: FieldType, value: FieldValue): z.ZodSafeParseResult<unknown> =>
  zodTypeOf(type).safeParse(value);
