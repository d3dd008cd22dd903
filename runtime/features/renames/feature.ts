import type { Feature } from '../../kernel/feature.ts';

/** Fields and values of enums keep their data under new names: rows are shown and changed by the present ones. */
export const renames: Feature = {
  name: 'renames',
  migration: async () => (await import('./former-values.ts')).migration,
};
