import { idLength } from '../../runtime/kernel/model/ids.ts';
import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import type { Kind } from '../../runtime/kernel/model/operations.ts';
import type { Unique } from '../../runtime/kernel/model/table.ts';
import { maxFolded, uniqueName } from '../../runtime/features/unique/columns.ts';
import { kindOf, schemaOf } from '../model/field-types.ts';
import {
  impossible,
  kindFields,
  maxIndexed,
  maxNameLength,
  uniqueRules,
  type WrittenUnique,
} from '../model/language.ts';
import type { Field } from '../model/model.ts';
import { quoted } from '../read/words.ts';
import { namedField } from './field.ts';
import type { ReadResource } from './resource.ts';
import type { CheckedFile } from './structure.ts';

/** Something unique, and where the spec says so. */
interface Written {
  readonly unique: Unique;
  readonly path: readonly PropertyKey[];
  /** The place of its first field, which the others follow. */
  readonly fieldPath: (index: number) => readonly PropertyKey[];
}

/** Reads and checks what the spec says to be unique: at fields, then at the resource. Undefined if that is nothing. */
export function readUnique(
  file: CheckedFile,
  kind: Kind,
  fields: readonly Field[],
  written: WrittenUnique,
): readonly Unique[] | undefined {
  const keyOf = (name: string, key: string): unknown => valueAt(file.spec.data, ['fields', name, key]);
  // A sequence is unique by itself, also a wrong one.
  const atFields = fields.filter(({ name }) => keyOf(name, 'unique') === true && keyOf(name, 'sequence') === undefined);
  if (kind === 'singleton') {
    for (const { name } of atFields) file.atKey(['fields', name, 'unique'], `${name}: ${impossible.uniqueInSingleton}`);
    return undefined;
  }
  const ofFields = fields.filter((field) => atFields.includes(field) || field.sequence);
  const all = [...ofFields.map(ofField), ...(written ?? []).map(ofResource)];
  const before = new Map<string, Written>();
  for (const entry of all) {
    checkOne(file, kind, fields, entry);
    const key = entry.unique.fields.toSorted().join();
    if (before.has(key)) file.atValue(entry.path, `${entry.unique.fields.join(', ')}: these fields are unique already`);
    before.set(key, entry);
  }
  return all.length === 0 ? undefined : all.map(({ unique }) => unique);
}

function ofField({ name, sequence }: Field): Written {
  const path = ['fields', name, sequence ? 'sequence' : 'unique'];
  return { unique: { fields: [name] }, path, fieldPath: () => path };
}

function ofResource(written: NonNullable<WrittenUnique>[number], at: number): Written {
  const path = ['unique', at];
  if (Array.isArray(written)) return { unique: { fields: written }, path, fieldPath: (index) => [...path, index] };
  const { fields, ignore_case: ignoreCase } = written;
  const unique = { fields, ...(ignoreCase && { ignoreCase }) };
  return { unique, path, fieldPath: (index) => [...path, 'fields', index] };
}

function checkOne(file: CheckedFile, kind: Kind, fields: readonly Field[], { unique, path, fieldPath }: Written): void {
  const { fields: names, ignoreCase } = unique;
  const uniqueFields = names.flatMap((name, index) => {
    const at = fieldPath(index);
    if (names.indexOf(name) !== index) file.atValue(at, `unique lists ${quoted(name)} twice`);
    if (!kindFields[kind].includes(name)) return namedField(file, fields, name, at) ?? [];
    file.atValue(at, `${name} is set by the service and cannot be named here`);
    return [];
  });
  if (uniqueFields.length < names.length) return;
  for (const field of uniqueFields.filter(({ type }) => type === 'list')) {
    file.atValue(path, `${field.name} ${impossible.uniqueList}`);
  }
  for (const { name } of uniqueFields.filter(({ type }) => type === 'json')) {
    file.atValue(path, `${name} is a JSON object or array, and only single values can be unique`);
  }
  const texts = uniqueFields.filter((field) => kindOf(field) === 'string');
  const [first] = uniqueFields;
  if (first && uniqueFields.length === 1) checkSingle(file, first, path);
  if (ignoreCase && texts.length === 0) file.atValue(path, 'ignore_case needs a string among the fields');
  const lengths = texts.map((field) => (ignoreCase ? maxFolded : lengthOf(file, field)));
  if (lengths.reduce((sum, length) => sum + length, 0) <= maxIndexed) return;
  const remedy = lengths.some((length) => length >= maxTextLength)
    ? 'give each of them a max_length, in place of a format'
    : 'lower max_length';
  file.atValue(path, `${names.join(', ')}: an index holds texts of ${maxIndexed} characters together; ${remedy}`);
}

/** Refuses a field that two records cannot differ in for long. */
function checkSingle(file: CheckedFile, field: Field, path: readonly PropertyKey[]): void {
  const { name, type, default: value, moment, backfill, defaultFrom } = field;
  if (type === 'boolean') file.atValue(path, `${name} ${impossible.uniqueBoolean}`);
  const hasKey = {
    default: value !== null || moment !== undefined,
    default_from: defaultFrom !== undefined,
    backfill: backfill !== null,
  };
  for (const { not, words } of uniqueRules) if (hasKey[not]) file.atValue(path, `${name}: ${words}`);
}

/** The characters that a text has at most. A reference is the id of a record, and so is the parent that this service has. */
function lengthOf({ spec }: CheckedFile, field: Field): number {
  const isParent =
    valueAt(spec.data, ['parent', 'field']) === field.name && valueAt(spec.data, ['parent', 'resource']) !== undefined;
  if (field.type === 'reference' || isParent) return maxNameLength + idLength('');
  const { enum: values, maxLength, format } = schemaOf(field);
  if (values) return Math.max(...values.map((value) => value.length));
  // Dates and UUIDs have one length; the digits of a time have no limit.
  return maxLength ?? (format === undefined || format === 'time' ? Infinity : 40);
}

/** Checks that no two indexes of the database get one name, as `a_b` and `c` give that of `a` and `b_c`. */
export function checkUniqueNames(read: readonly ReadResource[]): void {
  const owners = new Map<string, string>();
  for (const { file, resource } of read) {
    for (const { fields, ignoreCase = false } of resource?.unique ?? []) {
      const name = uniqueName(resource?.name ?? '', fields, ignoreCase);
      const claim = `${resource?.source} (${fields.join(', ')})`;
      const owner = owners.getOrInsert(name, claim);
      const words = `${fields.join(', ')}: the index ${name} is that of ${owner} too; name the fields in another order, or give the resource another \`name\``;
      if (owner !== claim) file.atValue(['fields', fields[0] ?? ''], words);
    }
  }
}
