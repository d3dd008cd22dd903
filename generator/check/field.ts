import type { z } from 'zod';
import { maxNumber } from '../../runtime/features/sequences/limits.ts';
import type { FieldValue } from '../../runtime/kernel/model/fields.ts';
import type { Sequence } from '../../runtime/features/sequences/pattern.ts';
import type { Moment } from '../../runtime/kernel/model/moments.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import type { Kind } from '../../runtime/kernel/model/operations.ts';
import { isValueOf, schemaOf } from '../model/field-types.ts';
import {
  actorLength,
  actorWords,
  fieldRules,
  impossible,
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
import { faultOfSequence } from './sequences.ts';
import type { ServiceValues } from './service-values.ts';
import { type FieldPlace, readType, readWritten, refuse, refuseKey, sharedValue } from './type.ts';
import { nearField } from './hints.ts';

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
  const { kind, archive } = file.spec.data as { kind?: Kind; archive?: unknown };
  const isSet = (kind && kindFields[kind]?.includes(name)) || (name === 'archived_at' && archive === true);
  if (isSet && !builtIn.includes(name))
    return file.atValue(path, `${name} is set by the service; only declared fields can be named`);
  const names = [...fields.map((candidate) => candidate.name), ...builtIn];
  return file.atValue(path, `there is no field ${quoted(name)}${nearField(name, names)}`);
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
    return file.atKey(path, `${name} ${why} and cannot be declared`);
  }
  return readFieldAt({ file, kind, name, path, shared }, written);
}

/** Reads and checks a field of a record, or an input. Undefined where errors keep it from being read. */
export function readFieldAt(place: FieldPlace, written: unknown): Field | undefined {
  const { file, kind, name, path, shared } = place;
  const reserved = whyReserved(reservedFieldNames, name);
  if (reserved !== undefined) return file.atKey(path, `a field cannot be called ${name}: ${reserved}`);
  const read = readWritten(place, written);
  const broken = brokenRules(fieldRules, read ?? {});
  for (const { key, words } of broken) refuseKey(place, key, words);
  const type = read && readType(place, read);
  const sequence = read && sequenceOf(place, read, broken.length > 0);
  if (!read || !type) return undefined;

  const { required = false, immutable } = read;
  const constant = constantOf(read.default);
  const always = 'always' in read ? read.always : undefined;
  const moment = momentOf(place, type, always === undefined ? 'default' : 'always', always ?? read.default);
  let value: FieldValue = constant !== undefined || moment ? null : ((read.default ?? null) as FieldValue);
  if (constant !== undefined) value = sharedValue(place, ['default', 'constant'], constant, shared?.constants) ?? null;
  value = readValue(place, type, ['default'], value, (wrong) => defaultHint(type, wrong));
  if (type.type === 'text' && constant === undefined && isMomentWord(value)) {
    const format = String(value).startsWith('now') ? 'date-time' : 'date';
    const words = `this default is the text ${quoted(value)}; if the time of the create is meant, add format: ${format}`;
    refuse(place, ['default'], words, 'warning');
  }
  const backfill = readValue(place, type, ['backfill'], read.backfill ?? null);
  if (backfill !== null && required && kind === 'singleton') {
    refuseKey(place, 'backfill', 'a required field of a singleton is null until it is set; remove backfill');
  }
  const defaultFrom = 'default_from' in read ? read.default_from : undefined;
  if (defaultFrom !== undefined && kind === 'singleton')
    refuseKey(place, 'default_from', impossible.defaultFromInSingleton);
  const nullable =
    read.nullable ?? !(required || sequence || (read.computed !== undefined && isMadeOfTotals(read.computed)));
  const whyNot = immutable && whyNotImmutable(immutable, kind, mayBeNull({ required, nullable }, { kind }));
  if (whyNot !== undefined) refuse(place, ['immutable'], whyNot);
  return {
    name,
    doc: read.doc,
    required,
    nullable,
    readOnly: read.read_only ?? (read.computed ?? always ?? sequence) !== undefined,
    // Keys that contradict it leave its type in doubt.
    computed: read.computed === undefined || broken.length > 0 ? undefined : onOneLine(read.computed),
    sequence,
    immutable,
    renamedFrom: [read.renamed_from ?? []].flat(),
    default: value,
    moment,
    always: always !== undefined && moment !== undefined,
    defaultFrom,
    backfill,
    example: readValue(place, type, ['example'], read.example ?? null),
    constant,
    colors: 'colors' in read ? read.colors : undefined,
    ...type,
    ...(sequence && { maxLength: maxNumber }),
  };
}

/** The sequence of a field; undefined if it has none, or a wrong one. @param isBroken whether other keys contradict it */
function sequenceOf(place: FieldPlace, written: WrittenField, isBroken: boolean): Sequence | undefined {
  const pattern = 'sequence' in written ? written.sequence : undefined;
  if (pattern === undefined || isBroken) return undefined;
  const { kind, shared } = place;
  if (kind === 'singleton') return refuseKey(place, 'sequence', impossible.sequenceInSingleton);
  const fault = faultOfSequence(pattern);
  if (fault !== undefined) return refuse(place, ['sequence'], `the sequence ${quoted(pattern)} ${fault}`);
  return { pattern, timeZone: shared?.timeZone ?? 'UTC' };
}

/**
 * A value that the spec gives, as records store it; as it is written if the type does not take it.
 *
 * @param keys where it is written at the place; messages name it by the first one
 * @param hintOf completes the message about a wrong value
 */
export function readValue(
  place: FieldPlace,
  type: FieldType,
  keys: readonly string[],
  value: FieldValue,
  hintOf: (wrong: string) => string = () => '',
): FieldValue {
  const result = value === null ? undefined : isValueOf(type, value);
  if (!result) return value;
  if (result.success) return result.data as FieldValue;
  for (const issue of result.error.issues.slice(0, 1)) {
    const wrong = valueAt(value, issue.path);
    const why = issueWords(issue, type.type === 'list' && issue.path.length > 0 ? type.of : type, String(wrong));
    refuse(place, [...keys, ...issue.path], `the ${keys[0]} ${quoted(wrong)} ${why}${hintOf(String(value))}`);
  }
  return value;
}

/** The name of the constant that a default comes from. */
const constantOf = (written: WrittenField['default']): string | undefined =>
  typeof written === 'object' && 'constant' in written ? written.constant : undefined;

/** Whether a field of the type can hold who makes a request. */
export const canHoldActor = (type: FieldType): boolean =>
  type.type === 'text' && type.pattern === undefined && (type.maxLength ?? actorLength) >= actorLength;

/** The default that each create computes; on other types, the words stand for themselves. */
function momentOf(place: FieldPlace, type: FieldType, key: 'default' | 'always', written: unknown): Moment | undefined {
  if (type.type === 'date-time' && written === 'now') return { at: 'now' };
  if (type.type === 'date' && written === 'today') return { at: 'today', timeZone: place.shared?.timeZone ?? 'UTC' };
  if (written === 'actor' && type.type === 'text') {
    const wrong = type.pattern === undefined ? 'max_length' : 'pattern';
    if (!canHoldActor(type)) return refuse(place, [wrong], actorWords);
    if (place.kind === 'singleton' && key === 'default') {
      return refuse(place, [key], 'no client creates a singleton; write always: actor');
    }
    return { by: 'actor' };
  }
  // A rule about the keys says the rest.
  if (key === 'default' || (type.type !== 'date' && type.type !== 'date-time') || written === 'actor') return undefined;
  return refuse(place, [key], `always: ${written} needs format: ${type.type === 'date' ? 'date-time' : 'date'}`);
}

/** Whether a value looks like the time or the day. */
export const isMomentWord = (value: unknown): boolean => /^(?:now|today)(?:\(\))?$/i.test(String(value));

/** How to write a default that each create computes, to follow a wrong one. */
function defaultHint({ type }: FieldType, written: string): string {
  if (
    /^(?:decimal|integer|number|boolean|date)/.test(type) &&
    /^(?:[a-z][a-z0-9-]*\/)?[a-z][a-z0-9_-]*\.[a-z][a-z0-9_]*$/.test(written)
  )
    return `; a value of another record is written default_from: ${written}`;
  if (!type.startsWith('date')) return '';
  if (!isMomentWord(written)) return foreignWordHint(written) ?? '';
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
