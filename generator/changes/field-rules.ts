import { isDeepStrictEqual } from 'node:util';
import type { fieldTypes, FieldTypeName } from '../model/language.ts';
import { type bounds, compareBound } from './bounds.ts';
import { breaking, type FieldRule, safe } from './change.ts';
import { compareDigits, compareItems, compareScale, compareTypes, compareUniqueItems, isSameValue } from './types.ts';
import { code } from './markdown.ts';
import {
  compareBackfills,
  compareDefaults,
  compareImmutable,
  compareNullable,
  compareReadOnly,
  compareRequired,
  compareSources,
} from './presence.ts';
import { compareDeletionRules, compareInverses, compareMissingRules, compareReferences } from './references.ts';
import { compareEnums, compareFormats, comparePatterns } from './strings.ts';

type KeyOf<T extends FieldTypeName> = T extends T ? keyof (typeof fieldTypes)[T]['shape'] : never;

/** A key that a field can be written with. */
type FieldKey = KeyOf<FieldTypeName>;

const compareDocs: FieldRule = (before, after) =>
  before.doc === after.doc ? [] : [safe('doc/changed', `The documentation of ${code(after.name)} changes.`)];

const compareExamples: FieldRule = (before, after) =>
  isSameValue(before, before.example, after, after.example)
    ? []
    : [safe('example/changed', `The example of ${code(after.name)} changes.`)];

const compareComputed: FieldRule = (before, after) => {
  if (before.computed === after.computed) return [];
  const name = code(after.name);
  if (after.computed === undefined) {
    return [safe('computed/removed', `${name} is no longer computed: records keep the values that they have.`)];
  }
  const values = `${name} is computed as ${code(after.computed)}: the next start computes it in all records.`;
  if (before.computed !== undefined) return [breaking('computed/changed', ['readers'], values)];
  const lost = 'The values that clients have set are lost: give the computed field a name of its own to keep them.';
  return [breaking('computed/added', ['readers'], `${values} ${lost}`)];
};

/** That the field becomes read-only, or may be null again, is a change of its own. */
const compareSequence: FieldRule = (before, after) => {
  const [was, is] = [before.sequence?.pattern, after.sequence?.pattern];
  if (was === is) return [];
  const name = code(after.name);
  if (is === undefined) return [safe('sequence/removed', `${name} is no longer numbered: records keep their numbers.`)];
  const others = was === undefined ? 'others keep their values' : 'others keep their numbers';
  return [
    safe(`sequence/${was === undefined ? 'added' : 'changed'}`, `New records get ${name} as ${code(is)}: ${others}.`),
  ];
};

const bound =
  (key: keyof typeof bounds): FieldRule =>
  (before, after) =>
    compareBound(key, before, after);

/** The rule for each key of a field. A new key of the language does not compile until it has a row here. */
export const fieldRules: Readonly<Record<FieldKey, FieldRule>> = {
  type: compareTypes,
  format: compareFormats,
  enum: compareEnums,
  pattern: comparePatterns,
  min_length: bound('min_length'),
  max_length: bound('max_length'),
  min: bound('min'),
  max: bound('max'),
  of: compareItems,
  max_items: bound('max_items'),
  max_bytes: bound('max_bytes'),
  unique_items: compareUniqueItems,
  digits: compareDigits,
  scale: compareScale,
  required: compareRequired,
  nullable: compareNullable,
  read_only: compareReadOnly,
  immutable: compareImmutable,
  references: compareReferences,
  on_delete: compareDeletionRules,
  on_missing: compareMissingRules,
  inverse: compareInverses,
  default: compareDefaults,
  default_from: compareSources,
  backfill: compareBackfills,
  example: compareExamples,
  computed: compareComputed,
  sequence: compareSequence,
  colors: (before, after) =>
    isDeepStrictEqual(before.colors, after.colors)
      ? []
      : [safe('colors/changed', `The console shows ${code(after.name)} in other colors.`)],
  doc: compareDocs,
  // The rule of `read_only` says it.
  always: () => [],
  // The rule of the resource has what its fields say.
  unique: () => [],
  // Former names decide which fields are a pair.
  renamed_from: () => [],
};
