import { isDeepStrictEqual } from 'node:util';
import { maxDigits } from '../../runtime/kernel/model/decimals.ts';
import type { FieldValue } from '../../runtime/kernel/model/fields.ts';
import { unitsOf } from '../../runtime/kernel/values/decimal.ts';
import { fieldTypeRow, kindOf, schemaOf, type ValueSchema } from '../model/field-types.ts';
import { type Field, itemField } from '../model/model.ts';
import { compareBound } from './bounds.ts';
import {
  type Affected,
  breaking,
  type Difference,
  type FieldRule,
  narrowedFor,
  olderValues,
  safe,
  writersOf,
} from './change.ts';
import { code } from './markdown.ts';
import { compareEnums, compareFormats, comparePatterns } from './strings.ts';

/** Whether limits of numbers rule out some of what others allow. */
const isTighter = (now: ValueSchema, old: ValueSchema): boolean =>
  (now.minimum ?? -Infinity) > (old.minimum ?? -Infinity) || (now.maximum ?? Infinity) < (old.maximum ?? Infinity);

/** Compares the JSON types of fields; all strings have one, whatever their format or enum. */
export const compareTypes: FieldRule = (before, after) => {
  const [old, now] = [schemaOf(before), schemaOf(after)];
  const [was, is] = [kindOf(before), kindOf(after)];
  // Formats, enums and references have rules of their own; types that differ in none are compared here.
  const isReference = before.type === 'reference' || after.type === 'reference';
  const isCoveredElsewhere =
    isReference || before.type === after.type || old.format !== now.format || !old.enum !== !now.enum;
  if (was === is && isCoveredElsewhere) return [];
  const writers = writersOf(before, after);
  const [breaks, why]: [readonly Affected[], string] =
    was === 'integer' && is === 'number'
      ? [
          isTighter(now, old) ? ['readers', ...writers] : ['readers'],
          `Whole numbers ${isTighter(now, old) ? 'outside of its new limits are refused with 422' : 'are still accepted'}, and ` +
            'responses may hold fractions, on which readers of integers fail',
        ]
      : was === 'number' && is === 'integer'
        ? [writers, 'Responses can still be read as numbers, but a fraction is refused with 422']
        : [
            ['readers', ...writers],
            'Responses hold values of the new type, and those of the old one are refused with 422',
          ];
  const what = `${code(after.name)} has the type ${fieldTypeRow(after).noun} instead of ${fieldTypeRow(before).noun}.`;
  return [breaking('type/changed', breaks, `${what} ${why}. Only an explicit migration converts an existing column.`)];
};

/** Compares the values of a list by the rules of fields. */
export const compareItems: FieldRule = (before, after, resource) => {
  if (before.type !== 'list' || after.type !== 'list') return [];
  const [old, now] = [before, after].map((field) => ({ ...itemField(field), name: `${field.name}[]` })) as [
    Field,
    Field,
  ];
  const [was, is] = [kindOf(old), kindOf(now)];
  const differences: Difference[] = [
    ...[compareFormats, compareEnums, comparePatterns].flatMap((rule) => rule(old, now, resource)),
    ...(['min_length', 'max_length', 'min', 'max'] as const).flatMap((key) => compareBound(key, old, now)),
  ];
  if (was !== is) {
    const message = `${code(now.name)} has the type ${is} instead of ${was}: values of the old type are refused with 422. Older records keep theirs.`;
    differences.push(breaking('type/changed', ['readers', ...writersOf(before, after)], message));
  }
  return differences.map((difference) => ({ ...difference, at: `of/${difference.at}` }));
};

/** Compares whether a value may be in a list twice. */
export const compareUniqueItems: FieldRule = (before, after) => {
  if (before.type !== 'list' || after.type !== 'list' || before.uniqueItems === after.uniqueItems) return [];
  const name = code(after.name);
  if (!after.uniqueItems) return [safe('unique_items/removed', `${name} may have a value twice.`)];
  const message = `${name} may have no value twice: other lists are refused with 422. ${olderValues}`;
  return [breaking('unique_items/added', narrowedFor(before, after), message)];
};

/** Whether a value of two fields, like their defaults, is the same one: a decimal may have more zeros at its end. */
export function isSameValue(before: Field, was: FieldValue, after: Field, is: FieldValue): boolean {
  const isDecimal = before.type === 'decimal' && after.type === 'decimal';
  if (!isDecimal || was === null || is === null) return isDeepStrictEqual(was, is);
  return unitsOf(String(was), maxDigits) === unitsOf(String(is), maxDigits);
}

const digitsBeforePoint = ({ digits, scale }: Field & { readonly type: 'decimal' }): number => digits - scale;

/** Compares the digits before the point of a decimal. */
export const compareDigits: FieldRule = (before, after) => {
  if (before.type !== 'decimal' || after.type !== 'decimal') return [];
  const [was, is] = [digitsBeforePoint(before), digitsBeforePoint(after)];
  if (was === is) return [];
  const what = `${code(after.name)} may have ${is} digits before the point instead of ${was}.`;
  if (is > was) return [safe('digits/widened', `${what} All values of before are still accepted.`)];
  const why = `Longer ones are refused with 422, even where an update sends back that of an older record. ${olderValues}`;
  return [breaking('digits/narrowed', narrowedFor(before, after), `${what} ${why}`)];
};

/** Compares the digits behind the point of a decimal. */
export const compareScale: FieldRule = (before, after) => {
  if (before.type !== 'decimal' || after.type !== 'decimal' || before.scale === after.scale) return [];
  const what = `${code(after.name)} has ${after.scale} digits behind the point instead of ${before.scale}.`;
  if (after.scale > before.scale) {
    const effect = 'All values of before are still accepted; responses have zeros behind them.';
    return [safe('scale/widened', `${what} ${effect}`)];
  }
  const why = 'Values with more are refused with 422, and the next start is refused while a record has one.';
  return [breaking('scale/narrowed', writersOf(before, after), `${what} ${why}`)];
};
