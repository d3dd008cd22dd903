import type { z } from 'zod';
import { maxTextLength } from '../../runtime/limits.ts';
import { date, dateTime, integer, number, oneOf, text, boolean, type Value } from '../../runtime/schema/fields.ts';
import { didYouMean } from '../../runtime/suggest.ts';
import {
  type FieldTypeName,
  fieldRules,
  fieldTypeNames,
  fieldTypes,
  kindFields,
  type Kind,
  objectNames,
  serviceFields,
  type WrittenField,
} from '../language.ts';
import type { Field, FieldType } from '../model.ts';
import { brokenRules, inspect, oneOfWords, type Report } from './structure.ts';

/** The constants of spec/service.yaml by name, undefined for one that is wrong; all undefined where the file is. */
export type Constants = ReadonlyMap<string, Value | undefined> | undefined;

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

/** Whether a field of the type takes a value; if not, its first issue says why. */
export const isValueOf = (type: FieldType, value: Value): z.ZodSafeParseResult<unknown> =>
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
  // With one of these too many, there is no telling which type is meant.
  if (brokenRules(fieldRules, written).some(({ not }) => not === 'format' || not === 'enum')) return undefined;
  if (format !== undefined) return { type: format };
  if (values !== undefined) {
    values.forEach((value, place) => {
      if (values.indexOf(value) < place) {
        report.atValue([...path, 'enum', place], `${name}: the enum has the value ${JSON.stringify(value)} twice`);
      }
      const rule = text().safeParse(value).error?.issues[0];
      if (rule) {
        report.atValue([...path, 'enum', place], `${name}: the enum value ${JSON.stringify(value)} ${rule.message}`);
      }
    });
    return { type: 'enum', values };
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    report.atValue([...path, 'max_length'], `${name}: max_length is smaller than min_length`);
  }
  if (minLength !== undefined && minLength > maxTextLength && maxLength === undefined) {
    const why = `min_length is larger than ${maxTextLength}, the max_length where none is given`;
    report.atValue([...path, 'min_length'], `${name}: ${why}`);
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
  constants: Constants,
): Field | undefined {
  const path = ['fields', name];
  if (kindFields[kind].includes(name) || serviceFields.includes(name)) {
    const why = kindFields[kind].includes(name) ? `comes with the kind ${kind}` : 'is set by the service';
    report.atKey(path, `${name} ${why} and is not written`);
    return undefined;
  }
  if (objectNames.includes(name)) {
    report.atKey(path, `a field cannot be called ${name}: every JavaScript object has something of that name`);
    return undefined;
  }
  const read = readWritten(report, name, written);
  for (const { key, words } of brokenRules(fieldRules, read ?? {})) report.atKey([...path, key], `${name}: ${words}`);
  const type = read && readType(report, name, read);
  if (!read || !type) return undefined;

  const required = read.required ?? false;
  const constant = typeof read.default === 'object' ? read.default.constant : undefined;
  let value: Value = typeof read.default === 'object' ? null : (read.default ?? null);
  if (constant !== undefined) {
    if (constants?.has(constant)) {
      value = constants.get(constant) ?? null;
    } else if (constants) {
      const hint = didYouMean(constant, [...constants.keys()]);
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
