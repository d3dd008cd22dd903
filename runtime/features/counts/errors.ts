import type { FeatureCode } from '../../kernel/model/error-codes.ts';
import { maxGroups } from './limits.ts';

export const tooManyGroups = {
  code: 'too_many_groups',
  behind: 'invalid_query',
  status: 400,
  title: 'Too many groups',
  meaning: `The records have more than ${maxGroups} different values in the field that they are counted by.`,
  remedy: 'Ask with filters that find fewer records, or count by another field.',
} as const satisfies FeatureCode;

export const sumTooLarge = {
  code: 'sum_too_large',
  behind: 'too_many_groups',
  status: 400,
  title: 'Sum too large',
  meaning:
    'A sum is larger than a number of JSON can be: an integer beyond 2^53 - 1, or a number beyond the largest double.',
  remedy: 'Ask with filters that find fewer records, or leave out the sum that the detail names.',
} as const satisfies FeatureCode;
