import type { z } from 'zod';
import type { FieldValue } from '../../runtime/model/fields.ts';
import type { Moment } from '../../runtime/model/moments.ts';
import { valueAt } from '../../runtime/model/validate.ts';
import type { Kind } from '../../runtime/model/operations.ts';
import { isValueOf, schemaOf } from '../model/field-types.ts';
import {
  fieldRules,
  kindFields,
  reservedFieldNames,
  serviceFields,
  whyReserved,
  type WrittenField,
} from '../model/language.ts';
import { type Field, type FieldType, mayBeNull } from '../model/model.ts';
import { withArticle } from '../model/names.ts';
import { onOneLine } from '../rules/parse.ts';
import { isMadeOfTotals } from '../rules/totals.ts';
import { oddCharacters, oneOfWords, quoted } from '../read/words.ts';
import { foreignWordHint } from './foreign-words.ts';
import { brokenRules, type CheckedFile } from './structure.ts';
import type { ServiceValues } from './service-values.ts';
import { readType, readWritten, sharedValue } from './type.ts';
import { nearName } from './hints.ts';

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
  file.atValue(path, `there is no field ${quoted(name)}${nearName(name, known)}`);
  return undefined;
}

/** Reads and checks one field. Undefined where errors keep it from being read. */
export function readField(
  file: CheckedFile,
  kind: Kind,
  name: string,
  written: unknown,
  shared: ServiceValues | undefined,
): Field | undefined {
  const path = ['fields', name];
  if (kindFields[kind].includes(name) || serviceFields.includes(name)) {
    const why = kindFields[kind].includes(name) ? `is a built-in field of a ${kind}` : 'is set by the service';
    file.atKey(path, `${name} ${why} and cannot be declared`);
    return undefined;
  }
  return readFieldAt(file, kind, path, written, shared);
}

/** Reads and checks a field of a record, or an input. Undefined where errors keep it from being read. */
export function readFieldAt(
  file: CheckedFile,
  kind: Kind,
  path: readonly string[],
  written: unknown,
  shared: ServiceValues | undefined,
): Field | undefined {
  const name = String(path.at(-1));
  const reserved = whyReserved(reservedFieldNames, name);
  if (reserved !== undefined) {
    file.atKey(path, `a field cannot be called ${name}: ${reserved}`);
    return undefined;
  }
  const read = readWritten(file, name, path, written);
  const broken = brokenRules(fieldRules, read ?? {});
  for (const { key, words } of broken) file.atKey([...path, key], `${name}: ${words}`);
  const type = read && readType(file, kind, name, path, read, shared);
  if (!read || !type) return undefined;

  const required = read.required ?? false;
  const constant = constantOf(read.default);
  const moment = momentOf(type, read.default, shared?.timeZone);
  let value: FieldValue = constant !== undefined || moment ? null : ((read.default ?? null) as FieldValue);
  if (constant !== undefined) {
    value = sharedValue(file, [...path, 'default', 'constant'], constant, shared?.constants) ?? null;
  }
  /** A value that the spec gives, as records store it. */
  const stored = (key: 'default' | 'backfill' | 'example', given: FieldValue): FieldValue => {
    const result = given === null ? undefined : isValueOf(type, given);
    if (!result) return given;
    if (result.success) return result.data as FieldValue;
    for (const issue of result.error.issues.slice(0, 1)) {
      const wrong = valueAt(given, issue.path);
      const why = issueWords(issue, type.type === 'list' && issue.path.length > 0 ? type.of : type, String(wrong));
      const hint = key === 'default' && type.type.startsWith('date') ? momentHint(type, String(given)) : '';
      file.atValue([...path, key, ...issue.path], `${name}: the ${key} ${quoted(wrong)} ${why}${hint}`);
    }
    return given;
  };
  value = stored('default', value);
  if (type.type === 'text' && constant === undefined && isMomentWord(value)) {
    const format = String(value).startsWith('now') ? 'date-time' : 'date';
    const words = `${name}: this default is the text ${quoted(value)}; if the time of the create is meant, add format: ${format}`;
    file.atValue([...path, 'default'], words, 'warning');
  }
  const backfill = stored('backfill', read.backfill ?? null);
  const example = stored('example', read.example ?? null);
  if (backfill !== null && required && kind === 'singleton') {
    file.atKey(
      [...path, 'backfill'],
      `${name}: a required field of a singleton is null until it is set; remove backfill`,
    );
  }
  const nullable = read.nullable ?? !(required || (read.computed !== undefined && isMadeOfTotals(read.computed)));
  const { immutable } = read;
  const whyNot = immutable && whyNotImmutable(immutable, kind, mayBeNull({ required, nullable }, { kind }));
  if (whyNot !== undefined) file.atValue([...path, 'immutable'], `${name}: ${whyNot}`);
  return {
    name,
    doc: read.doc,
    required,
    nullable,
    readOnly: read.read_only ?? read.computed !== undefined,
    // Keys that contradict it leave its type in doubt.
    computed: read.computed === undefined || broken.length > 0 ? undefined : onOneLine(read.computed),
    immutable,
    renamedFrom: [read.renamed_from ?? []].flat(),
    default: value,
    moment,
    backfill,
    example,
    constant,
    ...type,
  };
}

/** The name of the constant that a default comes from. */
const constantOf = (written: WrittenField['default']): string | undefined =>
  typeof written === 'object' && 'constant' in written ? written.constant : undefined;

/** The default that each create computes; on other types, the words stand for themselves. */
function momentOf(type: FieldType, written: unknown, timeZone = 'UTC'): Moment | undefined {
  if (type.type === 'date-time' && written === 'now') return { at: 'now' };
  return type.type === 'date' && written === 'today' ? { at: 'today', timeZone } : undefined;
}

const isMomentWord = (value: unknown): boolean => /^(?:now|today)(?:\(\))?$/i.test(String(value));

/** How to write a default that each create computes, to follow a wrong one. */
function momentHint({ type }: FieldType, given: string): string {
  if (!isMomentWord(given)) return foreignWordHint(given) ?? '';
  return type === 'date' ? '; write today, the day of the create' : '; write now, the time of the create';
}

/** Why a field cannot be immutable in this way; undefined where it can. */
function whyNotImmutable(immutable: true | 'once_set', kind: Kind, isNullAtFirst: boolean): string | undefined {
  if (immutable === true) {
    return kind === 'singleton' ? 'no client creates a singleton; write immutable: once_set' : undefined;
  }
  return isNullAtFirst ? undefined : 'immutable: once_set needs a field that may be null; write immutable: true';
}

/** The reason why a value is none of a type, to follow the value. */
function issueWords(issue: z.core.$ZodIssue, type: FieldType, value: string): string {
  if (issue.code === 'too_big') return `must have at most ${issue.maximum} ${issue.maximum === 1 ? 'value' : 'values'}`;
  if (issue.code === 'invalid_value') return `must be ${oneOfWords(issue.values)}${oddCharacters(value)}`;
  return issue.code === 'custom' ? (issue.message ?? '') : `is not ${withArticle(schemaOf(type).type)}`;
}
