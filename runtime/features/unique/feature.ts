import type { Feature } from '../../kernel/feature.ts';
import { describeClash, notUnique, uniqueValues } from './clashes.ts';
import { hiddenTexts, uniqueKeys } from './columns.ts';

/** No two records of an organization have the same values in unique fields. */
export const unique: Feature = {
  name: 'unique',
  needs: ['renames'],
  columns: hiddenTexts,
  indexes: uniqueKeys,
  mayClash: ({ unique: keys }) => keys !== undefined,
  write: uniqueValues,
  errors: [notUnique],
  describe: describeClash,
  migration: async () => (await import('./compare.ts')).migration,
};
