import { rowOf, schemaOf } from '../field-types.ts';
import { type Affected, breaking, type FieldRule } from './change.ts';
import { writersOf } from './clients.ts';
import { code } from './markdown.ts';

/** Compares the JSON types of fields; strings with and without a format or an enum are of one. */
export const compareTypes: FieldRule = (before, after) => {
  const [old, now] = [schemaOf(before), schemaOf(after)];
  const [was, is] = [old.type, now.type];
  // Formats and enums have rules of their own; what differs in neither is another type all the same.
  const isToldElsewhere = before.type === after.type || old.format !== now.format || !old.enum !== !now.enum;
  if (was === is && isToldElsewhere) return [];
  const writers = writersOf(before, after);
  const [breaks, why]: [readonly Affected[], string] =
    was === 'integer' && is === 'number'
      ? [
          ['readers'],
          'Whole numbers are still accepted, but answers may hold fractions, which a reader of integers fails on',
        ]
      : was === 'number' && is === 'integer'
        ? [writers, 'Answers can still be read as numbers, but a fraction is refused with 422']
        : [
            ['readers', ...writers],
            'Answers hold values of another type, and those of the old one are refused with 422',
          ];
  const what = `${code(after.name)} is of the type ${rowOf(after).noun}; before, it was ${rowOf(before).noun}.`;
  return [
    breaking(
      'type/changed',
      breaks,
      `${what} ${why}. The database does it to a column that is there only when ordered.`,
    ),
  ];
};
