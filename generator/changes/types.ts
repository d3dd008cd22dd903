import type { FieldType } from '../model.ts';
import { type Affected, breaking, type FieldRule } from './change.ts';
import { writersOf } from './clients.ts';
import { code } from './markdown.ts';

type JsonType = 'string' | 'integer' | 'number' | 'boolean';

/** How JSON shows each type. */
const jsonTypeOf: Readonly<Record<FieldType['type'], JsonType>> = {
  text: 'string',
  date: 'string',
  'date-time': 'string',
  enum: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
};

/** The JSON type of a field. */
export const asJson = ({ type }: FieldType): JsonType => jsonTypeOf[type];

/** Compares the JSON types of fields; texts with and without a format or an enum are of one. */
export const compareTypes: FieldRule = (before, after) => {
  const [was, is] = [asJson(before), asJson(after)];
  if (was === is) return [];
  const writers = writersOf(before, after);
  const [breaks, why]: [readonly Affected[], string] =
    was === 'integer' && is === 'number'
      ? [
          ['readers'],
          'Whole numbers are still accepted, but answers may hold fractions, which a reader of integers fails on',
        ]
      : was === 'number' && is === 'integer'
        ? [writers, 'Answers can still be read as numbers, but a fraction is refused with 422']
        : [['readers', ...writers], 'Answers hold another JSON type, and values of the old one are refused with 422'];
  const what = `${code(after.name)} is of the type ${is}; before, it was ${was}.`;
  return [
    breaking(
      'type/changed',
      breaks,
      `${what} ${why}. The database does it to a column that is there only when ordered.`,
    ),
  ];
};
