import { rowOf, schemaOf, type ValueSchema } from '../model/field-types.ts';
import { type Affected, breaking, type FieldRule } from './change.ts';
import { writersOf } from './clients.ts';
import { code } from './markdown.ts';

/** Whether limits of numbers rule out some of what others allow. */
const isTighter = (now: ValueSchema, old: ValueSchema): boolean =>
  (now.minimum ?? -Infinity) > (old.minimum ?? -Infinity) || (now.maximum ?? Infinity) < (old.maximum ?? Infinity);

/** Compares the JSON types of fields; all strings have one, whatever their format or enum. */
export const compareTypes: FieldRule = (before, after) => {
  const [old, now] = [schemaOf(before), schemaOf(after)];
  const [was, is] = [old.type, now.type];
  // Formats and enums have rules of their own; types that differ in neither are compared here.
  const isCoveredElsewhere = before.type === after.type || old.format !== now.format || !old.enum !== !now.enum;
  if (was === is && isCoveredElsewhere) return [];
  const writers = writersOf(before, after);
  const [breaks, why]: [readonly Affected[], string] =
    was === 'integer' && is === 'number'
      ? isTighter(now, old)
        ? [
            ['readers', ...writers],
            'Whole numbers outside of its new limits are refused with 422, and answers may hold fractions, on which readers of integers fail',
          ]
        : [
            ['readers'],
            'Whole numbers are still accepted, but answers may hold fractions, on which readers of integers fail',
          ]
      : was === 'number' && is === 'integer'
        ? [writers, 'Answers can still be read as numbers, but a fraction is refused with 422']
        : [
            ['readers', ...writers],
            'Answers hold values of the new type, and those of the old one are refused with 422',
          ];
  const what = `${code(after.name)} has the type ${rowOf(after).noun} instead of ${rowOf(before).noun}.`;
  return [breaking('type/changed', breaks, `${what} ${why}. Only an explicit migration converts an existing column.`)];
};
