import type { z } from 'zod';
import { maxTextLength } from '../../runtime/model/limits.ts';
import { text, type Value } from '../../runtime/model/fields.ts';
import { valueAt } from '../../runtime/model/validate.ts';
import type { Kind } from '../../runtime/model/operations.ts';
import { isValueOf, schemaOf } from '../model/field-types.ts';
import { isMapping } from '../emit/json.ts';
import { serviceFile } from '../read/paths.ts';
import {
  commonKeys,
  type FieldTypeName,
  fieldRules,
  fieldTypeNames,
  fieldTypes,
  kindFields,
  reservedFieldNames,
  serviceFields,
  whyReserved,
  type WrittenField,
} from '../model/language.ts';
import type { Field, FieldType } from '../model/model.ts';
import { withArticle } from '../model/names.ts';
import { oddCharacters, oneOfWords, quoted } from '../read/words.ts';
import { foreignWordHint } from './foreign-words.ts';
import { readPattern } from '../model/pattern.ts';
import { brokenRules, inspect, type CheckedFile } from './structure.ts';
import { typeHint } from './type-hint.ts';

/** The constants of spec/service.yaml by name, undefined for one that is wrong; all undefined where the file is. */
export type Constants = ReadonlyMap<string, Value | undefined> | undefined;

/** Reads a field from its written form, short or long. */
function readWritten(file: CheckedFile, name: string, written: unknown): WrittenField | undefined {
  const path = ['fields', name];
  if (written === null) return {};
  if (written === 'string') {
    file.atValue(path, `${name}: string is the default; leave it out`);
    return undefined;
  }
  const isShort = typeof written === 'string';
  if (!isShort && !isMapping(written)) {
    file.atValue(path, `${name} must be a type, a mapping like { type: integer }, or nothing for an optional string`);
    return undefined;
  }
  const type = isShort ? written : 'type' in written ? written['type'] : 'string';
  if (!fieldTypeNames.includes(type as FieldTypeName)) {
    const message = `unknown type ${quoted(type)}${typeHint(file, type, isShort)}`;
    file.atValue(isShort ? path : [...path, 'type'], `${name}: ${message}`);
    return undefined;
  }
  if (type === 'string' && 'type' in (written as object)) {
    file.atKey([...path, 'type'], `${name}: string is the default; leave it out`);
  }
  if (isShort) return { type: type as 'integer' };
  return inspect(file, fieldTypes[type as FieldTypeName], path) as WrittenField | undefined;
}

function readType(file: CheckedFile, name: string, written: WrittenField): FieldType | undefined {
  const path = ['fields', name];
  if (written.type !== undefined && written.type !== 'string') {
    const { min, max } = written as { min?: number; max?: number };
    if (min !== undefined && max !== undefined && min > max) {
      file.atValue([...path, 'max'], `${name}: max is smaller than min`);
    }
    const own = Object.entries(written).filter(([key]) => !commonKeys.includes(key));
    return Object.fromEntries(own) as unknown as FieldType;
  }
  const { format, pattern, min_length: minLength, max_length: maxLength, enum: values } = written;
  // Keys of two types leave the type in doubt.
  if (brokenRules(fieldRules, written).some(({ not }) => not === 'format' || not === 'enum')) return undefined;
  if (format !== undefined) return { type: format };
  if (values !== undefined) {
    file.checkRepeats([...path, 'enum'], values, `${name}: `);
    values.forEach((value, index) => {
      const rule = text().safeParse(value).error?.issues[0];
      if (rule) {
        file.atValue([...path, 'enum', index], `${name}: the enum value ${quoted(value)} ${rule.message}`);
      }
    });
    return { type: 'enum', values };
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    file.atValue([...path, 'max_length'], `${name}: max_length is smaller than min_length`);
  }
  if (minLength !== undefined && minLength > maxTextLength && maxLength === undefined) {
    const why = `min_length is larger than ${maxTextLength}, the default max_length`;
    file.atValue([...path, 'min_length'], `${name}: ${why}`);
  }
  const read = pattern === undefined ? undefined : readPattern(pattern);
  if (typeof read === 'string') {
    file.atValue([...path, 'pattern'], `${name}: ${read}`);
    return undefined;
  }
  return { type: 'text', minLength, maxLength, pattern };
}

/** A field that another key of the spec names; `builtIn` are those that the key can name as well. */
export function namedField(
  file: CheckedFile,
  fields: readonly Field[],
  name: string,
  path: readonly PropertyKey[],
  builtIn: readonly string[] = [],
): Field | undefined {
  const field = fields.find((candidate) => candidate.name === name);
  // A field that is there and has errors of its own is not missing.
  if (field || valueAt(file.spec.data, ['fields', name]) !== undefined) return field;
  const known = [...fields.map((candidate) => candidate.name), ...builtIn];
  file.atValue(path, `there is no field ${quoted(name)}${file.didYouMean(name, known)}`);
  return undefined;
}

/** Reads and checks one field. Undefined where errors keep it from being read. */
export function readField(
  file: CheckedFile,
  kind: Kind,
  name: string,
  written: unknown,
  constants: Constants,
): Field | undefined {
  const path = ['fields', name];
  if (kindFields[kind].includes(name) || serviceFields.includes(name)) {
    const why = kindFields[kind].includes(name) ? `is a built-in field of a ${kind}` : 'is set by the service';
    file.atKey(path, `${name} ${why} and cannot be declared`);
    return undefined;
  }
  const reserved = whyReserved(reservedFieldNames, name);
  if (reserved !== undefined) {
    file.atKey(path, `a field cannot be called ${name}: ${reserved}`);
    return undefined;
  }
  const read = readWritten(file, name, written);
  for (const { key, words } of brokenRules(fieldRules, read ?? {})) file.atKey([...path, key], `${name}: ${words}`);
  const type = read && readType(file, name, read);
  if (!read || !type) return undefined;

  const required = read.required ?? false;
  const constant = typeof read.default === 'object' ? read.default.constant : undefined;
  let value: Value = typeof read.default === 'object' ? null : (read.default ?? null);
  if (constant !== undefined) {
    if (constants?.has(constant)) {
      value = constants.get(constant) ?? null;
    } else if (constants) {
      const hint = file.didYouMean(constant, [...constants.keys()]);
      const message = `${serviceFile()} has no constant ${quoted(constant)}`;
      file.atValue([...path, 'default', 'constant'], `${name}: ${message}${hint}`);
    }
  }
  /** A value that the spec gives, as records store it. */
  const stored = (key: 'default' | 'backfill' | 'example', given: Value): Value => {
    const result = given === null ? undefined : isValueOf(type, given);
    if (!result) return given;
    if (result.success) return result.data as Value;
    const rule = result.error.issues[0];
    const why = rule ? issueWords(rule, type, String(given)) : '';
    const hint = key === 'default' && type.type.startsWith('date') ? (foreignWordHint(String(given)) ?? '') : '';
    file.atValue([...path, key], `${name}: the ${key} ${quoted(given)} ${why}${hint}`);
    return given;
  };
  value = stored('default', value);
  const backfill = stored('backfill', read.backfill ?? null);
  const example = stored('example', read.example ?? null);
  if (backfill !== null && kind === 'singleton') {
    file.atKey(
      [...path, 'backfill'],
      `${name}: a required field of a singleton is null until it is set; remove backfill`,
    );
  }
  return {
    name,
    doc: read.doc,
    required,
    nullable: !required || (read.nullable ?? false),
    readOnly: read.read_only ?? false,
    renamedFrom: [read.renamed_from ?? []].flat(),
    default: value,
    backfill,
    example,
    constant,
    ...type,
  };
}

/** The reason why a value is none of a type, to follow the value. */
function issueWords(issue: z.core.$ZodIssue, type: FieldType, value: string): string {
  if (issue.code === 'invalid_value') return `must be ${oneOfWords(issue.values)}${oddCharacters(value)}`;
  return issue.code === 'custom' ? (issue.message ?? '') : `is not ${withArticle(schemaOf(type).type)}`;
}
