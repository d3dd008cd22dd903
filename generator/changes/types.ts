import { fieldTypeRow, kindOf, schemaOf, type ValueSchema } from '../model/field-types.ts';
import { type Affected, breaking, type FieldRule } from './change.ts';
import { writersOf } from './clients.ts';
import { code } from './markdown.ts';

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
