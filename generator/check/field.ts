import type { z } from 'zod';
import { date, dateTime, integer, number, oneOf, text, boolean, type Value } from '../../runtime/schema/fields.ts';
import { didYouMean } from '../../runtime/nearest.ts';
import {
  type FieldTypeName,
  fieldTypeNames,
  fieldTypes,
  kindFields,
  type Kind,
  type WrittenField,
} from '../language.ts';
import type { Field, FieldType } from '../model.ts';
import { inspect, oneOfWords, type Report } from './structure.ts';

// Names that JavaScript gives every object: as fields they would be found where there are none.
const objectNames = new Set(['constructor', 'prototype']);

/** The zod type of a field's values, made by the helper that the generated code calls. */
const valuesOf: { [T in FieldType['type']]: (type: Extract<FieldType, { type: T }>) => z.ZodType } = {
  text: ({ minLength, maxLength, pattern }) =>
    text({
      ...(minLength !== undefined && { min: minLength }),
      ...(maxLength !== undefined && { max: maxLength }),
      ...(pattern !== undefined && { pattern: new RegExp(pattern, 'u') }),
    }),
  date,
  'date-time': dateTime,
  enum: ({ values }) => oneOf(values as readonly [string, ...string[]]),
  integer: ({ min = -Infinity, max = Infinity }) => integer({ min, max }),
  number: ({ min = -Infinity, max = Infinity }) => number({ min, max }),
  boolean,
};

const isValueOf = (type: FieldType, value: Value): z.ZodSafeParseResult<unknown> =>
  (valuesOf[type.type] as (type: FieldType) => z.ZodType)(type).safeParse(value);

/** Reads a field from its written form, short or long. */
function readWritten(report: Report, name: string, written: unknown): WrittenField | undefined {
  const path = ['fields', name];
  if (written === null) return {};
  if (typeof written === 'string') {
    if (written === 'string') {
      report.atValue(path, `${name}: string is the default; leave it out`);
      return undefined;
    }
    if (fieldTypeNames.includes(written as FieldTypeName)) return { type: written as 'integer' };
    const hint = didYouMean(written, fieldTypeNames);
    report.atValue(
      path,
      `${name}: unknown type ${JSON.stringify(written)}${hint || `; it must be ${oneOfWords(fieldTypeNames)}`}`,
    );
    return undefined;
  }
  if (typeof written !== 'object' || Array.isArray(written)) {
    report.atValue(path, `${name} must be a type, a mapping like { type: integer }, or nothing for an optional string`);
    return undefined;
  }
  const type = 'type' in written ? written.type : 'string';
  if (!fieldTypeNames.includes(type as FieldTypeName)) {
    const hint = typeof type === 'string' ? didYouMean(type, fieldTypeNames) : '';
    report.atValue(
      [...path, 'type'],
      `${name}: unknown type ${JSON.stringify(type)}${hint || `; it must be ${oneOfWords(fieldTypeNames)}`}`,
    );
    return undefined;
  }
  return inspect(report, fieldTypes[type as FieldTypeName], path) as WrittenField | undefined;
}

function readType(report: Report, name: string, written: WrittenField): FieldType | undefined {
  const path = ['fields', name];
  if (written.type === 'boolean') return { type: 'boolean' };
  if (written.type === 'integer' || written.type === 'number') {
    const { type, min, max } = written;
    if (min !== undefined && max !== undefined && min > max) {
      report.atValue([...path, 'max'], `${name}: max is smaller than min`);
    }
    return { type, min, max };
  }
  const { format, pattern, min_length: minLength, max_length: maxLength, enum: values } = written;
  const limits = (['pattern', 'min_length', 'max_length'] as const).filter((key) => written[key] !== undefined);
  const whole = format === undefined ? 'enum' : 'format';
  if (format !== undefined || values !== undefined) {
    const others = format !== undefined && values !== undefined ? ['enum', ...limits] : limits;
    for (const key of others) report.atKey([...path, key], `${name}: ${key} has no place beside ${whole}`);
    if (others.length > 0) return undefined;
  }
  if (format !== undefined) return { type: format };
  if (values !== undefined) {
    values.forEach((value, place) => {
      if (values.indexOf(value) < place) {
        report.atValue([...path, 'enum', place], `${name}: the enum has the value ${JSON.stringify(value)} twice`);
      }
    });
    return { type: 'enum', values };
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    report.atValue([...path, 'max_length'], `${name}: max_length is smaller than min_length`);
  }
  const mistake = pattern === undefined ? undefined : patternMistake(pattern);
  if (mistake !== undefined) {
    report.atValue([...path, 'pattern'], `${name}: the pattern is not a regular expression: ${mistake}`);
    return undefined;
  }
  return { type: 'text', minLength, maxLength, pattern };
}

function patternMistake(pattern: string): string | undefined {
  try {
    RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    // "Invalid regular expression: /(/u: Unterminated group" repeats what is known.
    return (error as Error).message.split(': ').at(-1);
  }
}

/** Reads and checks one field. Undefined where the report has got problems that keep it from being read. */
export function readField(
  report: Report,
  kind: Kind,
  name: string,
  written: unknown,
  constants: Readonly<Record<string, Value>>,
): Field | undefined {
  const path = ['fields', name];
  if (kindFields[kind].includes(name)) {
    report.atKey(path, `${name} comes with the kind ${kind} and is not written`);
    return undefined;
  }
  if (objectNames.has(name)) {
    report.atKey(path, `a field cannot be called ${name}: every JavaScript object has something of that name`);
    return undefined;
  }
  const read = readWritten(report, name, written);
  const type = read && readType(report, name, read);
  if (!read || !type) return undefined;

  const required = read.required ?? false;
  if (read.nullable && !required) {
    report.atKey(
      [...path, 'nullable'],
      `${name}: nullable has a meaning only beside required; an optional field is nullable`,
    );
  }
  if (read.read_only && required) {
    report.atKey([...path, 'read_only'], `${name}: what only the service sets cannot be required of a client`);
  }
  if (required && read.default !== undefined) {
    report.atKey([...path, 'default'], `${name}: a required field never takes a default`);
  }
  const constant = typeof read.default === 'object' ? read.default.constant : undefined;
  let value: Value = typeof read.default === 'object' ? null : (read.default ?? null);
  if (constant !== undefined) {
    if (Object.hasOwn(constants, constant)) {
      value = constants[constant] as Value;
    } else {
      const hint = didYouMean(constant, Object.keys(constants));
      const message = `spec/service.yaml has no constant ${JSON.stringify(constant)}`;
      report.atValue([...path, 'default', 'constant'], `${name}: ${message}${hint}`);
    }
  }
  if (value !== null) {
    const result = isValueOf(type, value);
    if (!result.success) {
      const rule = result.error.issues[0];
      const why = type.type === 'enum' ? `must be ${oneOfWords(type.values)}` : ruleWords(rule, type);
      report.atValue([...path, 'default'], `${name}: the default ${JSON.stringify(value)} ${why}`);
    }
  }
  return {
    name,
    doc: read.doc,
    required,
    nullable: !required || (read.nullable ?? false),
    readOnly: read.read_only ?? false,
    renamedFrom: [read.renamed_from ?? []].flat(),
    default: value,
    constant,
    ...type,
  };
}

const ruleWords = (rule: z.core.$ZodIssue | undefined, { type }: FieldType): string =>
  rule?.code === 'custom' ? (rule.message ?? '') : `is not ${type === 'integer' ? 'an integer' : `a ${type}`}`;
