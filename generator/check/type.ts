import { brokenDecimalRule } from '../../runtime/kernel/model/decimals.ts';
import { maxJsonBytes, maxTextLength } from '../../runtime/kernel/model/limits.ts';
import type { Kind } from '../../runtime/kernel/model/operations.ts';
import { unitsOf, withScale } from '../../runtime/kernel/values/decimal.ts';
import { isMapping } from '../emit/json.ts';
import type { Diagnostic } from '../read/diagnostic.ts';
import { serviceFile } from '../read/paths.ts';
import {
  commonKeys,
  type FieldTypeName,
  fieldRules,
  fieldTypeNames,
  fieldTypes,
  impossible,
  itemTypes,
  reservedFieldNames,
  shortTypes,
  whyReserved,
  type WrittenField,
} from '../model/language.ts';
import type { FieldType } from '../model/model.ts';
import { quoted } from '../read/words.ts';
import { faultOfPattern } from '../model/pattern.ts';
import { brokenRules, inspect, type CheckedFile } from './structure.ts';
import { checkEnum, enumType, type ServiceValues } from './service-values.ts';
import { nearName, typeHint } from './hints.ts';

/** How the types are written that need more keys. */
const longForms: { readonly [T in FieldTypeName]?: string } = {
  decimal: 'decimal, digits: 12, scale: 2',
  list: 'list, of: string',
};

const isFieldType = (type: unknown): type is FieldTypeName => fieldTypeNames.includes(type as FieldTypeName);
const isItemType = (type: unknown): type is keyof typeof itemTypes =>
  typeof type === 'string' && Object.hasOwn(itemTypes, type);

/** A field, an input of a transition, or the values of a list: where it is written, and what it can refer to. */
export interface FieldPlace {
  readonly file: CheckedFile;
  readonly kind: Kind;
  readonly name: string;
  readonly path: readonly PropertyKey[];
  readonly shared: ServiceValues | undefined;
}

/** Reports a fault of a field. @param keys lead from the field to the faulty value @returns undefined, for the caller to return */
export const refuse = (
  { file, name, path }: FieldPlace,
  keys: readonly PropertyKey[],
  message: string,
  severity?: Diagnostic['severity'],
): undefined => file.atValue([...path, ...keys], `${name}: ${message}`, severity);

/** Reports a key of a field. @returns undefined, for the caller to return */
export const refuseKey = ({ file, name, path }: FieldPlace, key: string, message: string): undefined =>
  file.atKey([...path, key], `${name}: ${message}`);

/** Reads a field from its written form, short or long. */
export function readWritten(place: FieldPlace, written: unknown): WrittenField | undefined {
  const { file, name, path } = place;
  if (written === null) return {};
  if (written === 'string') return refuse(place, [], 'string is the default; leave it out');
  const isShort = typeof written === 'string';
  if (!isShort && !isMapping(written)) {
    const forms = 'a type, a mapping like { type: integer }, or nothing for an optional string';
    return file.atValue(path, `${name} must be ${forms}`);
  }
  const type = isShort ? written : 'type' in written ? written['type'] : 'string';
  if (!isFieldType(type)) {
    return refuse(place, isShort ? [] : ['type'], `unknown type ${quoted(type)}${typeHint(type, isShort)}`);
  }
  if (isShort) {
    if (shortTypes.includes(type)) return { type: type as 'integer' };
    return refuse(place, [], `${type} needs more keys; write { type: ${longForms[type]} }`);
  }
  if (type === 'string' && 'type' in written) refuseKey(place, 'type', 'string is the default; leave it out');
  return inspect(file, fieldTypes[type], path) as WrittenField | undefined;
}

/** Reads and checks the type of a field. Undefined where errors keep it from being read. */
export function readType(place: FieldPlace, written: WrittenField): FieldType | undefined {
  if (written.type === 'list') return readList(place, written);
  if (written.type === 'json') return { type: 'json', maxBytes: written.max_bytes ?? maxJsonBytes };
  if (written.type !== undefined && written.type !== 'string') {
    const ownKeys = Object.entries(written).filter(([key]) => !commonKeys.includes(key));
    const type = Object.fromEntries(ownKeys) as unknown as FieldType;
    if (type.type === 'decimal') return readDecimal(place, type);
    const { min = -Infinity, max = Infinity } = written as { min?: number; max?: number };
    if (min > max) refuse(place, ['max'], 'max is smaller than min');
    return type;
  }
  const { format, pattern, min_length: minLength, max_length: maxLength, enum: values, references } = written;
  // Keys of two types leave the type in doubt.
  if (brokenRules(fieldRules, written).some(({ not = '' }) => ['format', 'enum', 'references'].includes(not))) {
    return undefined;
  }
  if (format !== undefined) return { type: format };
  if (typeof values === 'string') {
    const hint = `; a list of values is written [${values}]`;
    const sharedEnum = sharedValue(place, ['enum'], values, place.shared?.enums, hint);
    return sharedEnum && enumType(sharedEnum, values);
  }
  if (references !== undefined) return readReference(place, references, written);
  if (values !== undefined) {
    checkEnum(place.file, [...place.path, 'enum'], values, `${place.name}: `);
    return enumType(values);
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    refuse(place, ['max_length'], 'max_length is smaller than min_length');
  }
  if (minLength !== undefined && minLength > maxTextLength && maxLength === undefined) {
    refuse(place, ['min_length'], `min_length is larger than ${maxTextLength}, the default max_length`);
  }
  const fault = pattern === undefined ? undefined : faultOfPattern(pattern);
  return fault === undefined ? { type: 'text', minLength, maxLength, pattern } : refuse(place, ['pattern'], fault);
}

/** A value of spec/service.yaml that a field names; undefined if there is none, or it is wrong. */
export function sharedValue<T>(
  place: FieldPlace,
  keys: readonly string[],
  name: string,
  all: ReadonlyMap<string, T | undefined> | undefined,
  otherwise = '',
): T | undefined {
  if (all && !all.has(name)) {
    const hint = nearName(name, [...all.keys()]) || otherwise;
    const words = `${serviceFile()} has no ${keys.at(-1)} ${quoted(name)}${hint}`;
    // The name of the transition stands here for an input.
    place.file.atValue([...place.path, ...keys], `${String(place.path[1])}: ${words}`);
  }
  return all?.get(name);
}

function readReference(
  place: FieldPlace,
  references: string | readonly string[],
  { on_delete: onDelete = 'restrict', on_missing: onMissing, inverse }: Extract<WrittenField, { on_delete?: unknown }>,
): FieldType {
  const reserved = inverse === undefined ? undefined : whyReserved(reservedFieldNames, inverse);
  if (reserved !== undefined) refuse(place, ['inverse'], `an inverse cannot be called ${inverse}: ${reserved}`);
  const { file, kind, name } = place;
  if (inverse !== undefined && kind === 'singleton') refuseKey(place, 'inverse', impossible.inverseInSingleton);
  if (onDelete === 'cascade' && kind === 'singleton') {
    file.atValue(['fields', name, 'on_delete'], `${name}: on_delete: ${impossible.cascadeInSingleton}`);
  }
  const [resource = '', ...others] = [references].flat();
  place.file.checkRepeats([...place.path, 'references'], [resource, ...others], `${name}: `);
  if (others.length > 0 && onMissing !== undefined)
    refuseKey(
      place,
      'on_missing',
      'on_missing is for references to one resource; correct such values with the version before',
    );
  // The tables are known when all files are read.
  const more = others.map((other) => ({ resource: other, table: '' }));
  return { type: 'reference', resource, table: '', others: more, onDelete, onMissing, inverse, isShown: true };
}

/** Reads and checks a list. Undefined where errors keep it from being read. */
function readList(
  place: FieldPlace,
  { of, max_items: maxItems, unique_items: uniqueItems }: Extract<WrittenField, { type: 'list' }>,
): FieldType | undefined {
  const items = { ...place, path: [...place.path, 'of'] };
  const read = readItem(items, of);
  const type = read && readType(items, read);
  return type && { type: 'list', of: type, maxItems, uniqueItems: uniqueItems === true };
}

/** Reads the type of the values of a list from its written form. */
function readItem(place: FieldPlace, of: unknown): WrittenField | undefined {
  const type = isMapping(of) ? (of['type'] ?? 'string') : of;
  if (!isItemType(type)) {
    const examples = 'of: string, of: { format: date } or of: { type: integer, min: 0 }';
    return refuse(place, [], `the values of a list are strings or integers; write ${examples}`);
  }
  if (isMapping(of)) return inspect(place.file, itemTypes[type], place.path);
  return type === 'string' ? {} : { type };
}

type Decimal = Extract<FieldType, { type: 'decimal' }>;

/** Checks the keys of a decimal, and writes its limits with its scale. Undefined if one of the keys is wrong. */
function readDecimal(place: FieldPlace, written: Decimal): Decimal | undefined {
  const { digits, scale, min, max, ...type } = written;
  if (scale > digits) {
    return refuse(place, ['scale'], 'scale is larger than digits, which counts the digits behind the point as well');
  }
  const broken = (['min', 'max'] as const).filter((key) => {
    const rule = written[key] === undefined ? undefined : brokenDecimalRule(written[key], { digits, scale });
    if (rule) refuse(place, [key], `the ${key} "${written[key]}" ${rule.message}`);
    return rule;
  });
  if (broken.length > 0) return undefined;
  if (min !== undefined && max !== undefined && unitsOf(min, scale) > unitsOf(max, scale)) {
    refuse(place, ['max'], 'max is smaller than min');
  }
  return {
    ...type,
    digits,
    scale,
    ...(min !== undefined && { min: withScale(min, scale) }),
    ...(max !== undefined && { max: withScale(max, scale) }),
  };
}
