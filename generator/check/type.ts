import { brokenDecimalRule } from '../../runtime/model/decimals.ts';
import { maxTextLength } from '../../runtime/model/limits.ts';
import type { Kind } from '../../runtime/model/operations.ts';
import { unitsOf, withScale } from '../../runtime/rules/decimal.ts';
import { isMapping } from '../emit/json.ts';
import { serviceFile } from '../read/paths.ts';
import {
  commonKeys,
  type FieldTypeName,
  fieldRules,
  fieldTypeNames,
  fieldTypes,
  impossible,
  itemTypes,
  shortTypes,
  type WrittenField,
} from '../model/language.ts';
import type { FieldType } from '../model/model.ts';
import { quoted } from '../read/words.ts';
import { readPattern } from '../model/pattern.ts';
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

/** The place of a field, or of the `of` of a list. */
type Path = readonly PropertyKey[];

/** Reads a field from its written form, short or long. */
export function readWritten(file: CheckedFile, name: string, path: Path, written: unknown): WrittenField | undefined {
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
  if (!isFieldType(type)) {
    const message = `unknown type ${quoted(type)}${typeHint(type, isShort)}`;
    file.atValue(isShort ? path : [...path, 'type'], `${name}: ${message}`);
    return undefined;
  }
  if (type === 'string' && 'type' in (written as object)) {
    file.atKey([...path, 'type'], `${name}: string is the default; leave it out`);
  }
  if (isShort && !shortTypes.includes(type)) {
    file.atValue(path, `${name}: ${type} needs more keys; write { type: ${longForms[type]} }`);
    return undefined;
  }
  if (isShort) return { type: type as 'integer' };
  return inspect(file, fieldTypes[type], path) as WrittenField | undefined;
}

/** Reads and checks the type of a field. Undefined where errors keep it from being read. */
export function readType(
  file: CheckedFile,
  kind: Kind,
  name: string,
  path: Path,
  written: WrittenField,
  shared: ServiceValues | undefined,
): FieldType | undefined {
  if (written.type === 'list') return readList(file, kind, name, path, written, shared);
  if (written.type !== undefined && written.type !== 'string') {
    const own = Object.entries(written).filter(([key]) => !commonKeys.includes(key));
    const type = Object.fromEntries(own) as unknown as FieldType;
    if (type.type === 'decimal') return readDecimal(file, name, path, type);
    const { min = -Infinity, max = Infinity } = written as { min?: number; max?: number };
    if (min > max) file.atValue([...path, 'max'], `${name}: max is smaller than min`);
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
    const named = sharedValue(file, [...path, 'enum'], values, shared?.enums, hint);
    return named && enumType(named, values);
  }
  if (references !== undefined) return readReference(file, kind, name, references, written);
  if (values !== undefined) {
    checkEnum(file, [...path, 'enum'], values, `${name}: `);
    return enumType(values);
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

/** A value of spec/service.yaml that a field names; undefined if there is none, or it is wrong. */
export function sharedValue<T>(
  file: CheckedFile,
  path: Path,
  name: string,
  all: ReadonlyMap<string, T | undefined> | undefined,
  otherwise = '',
): T | undefined {
  if (all && !all.has(name)) {
    const hint = nearName(name, [...all.keys()]) || otherwise;
    const [label, key] = [path[1], path.at(-1)].map(String);
    file.atValue(path, `${label}: ${serviceFile()} has no ${key} ${quoted(name)}${hint}`);
  }
  return all?.get(name);
}

function readReference(
  file: CheckedFile,
  kind: Kind,
  name: string,
  resource: string,
  { on_delete: onDelete = 'restrict', on_missing: onMissing }: Extract<WrittenField, { on_delete?: unknown }>,
): FieldType {
  if (onDelete === 'cascade' && kind === 'singleton') {
    file.atValue(['fields', name, 'on_delete'], `${name}: on_delete: ${impossible.cascadeInSingleton}`);
  }
  // The table is known when all files are read.
  return { type: 'reference', resource, table: '', onDelete, onMissing };
}

/** Reads and checks a list. Undefined where errors keep it from being read. */
function readList(
  file: CheckedFile,
  kind: Kind,
  name: string,
  path: Path,
  { of, max_items: maxItems, unique_items: uniqueItems }: Extract<WrittenField, { type: 'list' }>,
  shared: ServiceValues | undefined,
): FieldType | undefined {
  const at = [...path, 'of'];
  const read = readItem(file, name, at, of);
  const type = read && readType(file, kind, name, at, read, shared);
  return type && { type: 'list', of: type, maxItems, uniqueItems: uniqueItems === true };
}

/** Reads the type of the values of a list from its written form. */
function readItem(file: CheckedFile, name: string, at: Path, of: unknown): WrittenField | undefined {
  const type = isMapping(of) ? (of['type'] ?? 'string') : of;
  if (isItemType(type)) return isMapping(of) ? inspect(file, itemTypes[type], at) : type === 'string' ? {} : { type };
  const examples = 'of: string, of: { format: date } or of: { type: integer, min: 0 }';
  file.atValue(at, `${name}: the values of a list are strings or integers; write ${examples}`);
  return undefined;
}

type Decimal = Extract<FieldType, { type: 'decimal' }>;

/** Checks the keys of a decimal, and writes its limits with its scale. Undefined if one of the keys is wrong. */
function readDecimal(file: CheckedFile, name: string, path: Path, written: Decimal): Decimal | undefined {
  const { digits, scale } = written;
  const at = (key: string, rule: string): void => file.atValue([...path, key], `${name}: ${rule}`);
  if (scale > digits) {
    at('scale', 'scale is larger than digits, which counts the digits behind the point as well');
    return undefined;
  }
  const broken = (['min', 'max'] as const).filter((key) => {
    const rule = written[key] === undefined ? undefined : brokenDecimalRule(written[key], { digits, scale });
    if (rule) at(key, `the ${key} "${written[key]}" ${rule.message}`);
    return rule;
  });
  if (broken.length > 0) return undefined;
  const { min, max, ...type } = written;
  if (min !== undefined && max !== undefined && unitsOf(min, scale) > unitsOf(max, scale)) {
    at('max', 'max is smaller than min');
  }
  return {
    ...type,
    ...(min !== undefined && { min: withScale(min, scale) }),
    ...(max !== undefined && { max: withScale(max, scale) }),
  };
}
