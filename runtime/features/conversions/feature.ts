import type { Feature } from '../../kernel/feature.ts';

/** A column whose field gets another type keeps its values, converted, if that is requested and loses none. */
export const conversions: Feature = {
  name: 'conversions',
  needs: ['unique'],
  migration: async () => (await import('./compare.ts')).migration,
};
