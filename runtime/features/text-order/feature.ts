import type { Feature } from '../../kernel/feature.ts';
import { orderColumns, orderIndexes } from './columns.ts';

/** Lists are sorted by texts without regard to case and accents, if the spec says so of a field. */
export const textOrder: Feature = {
  name: 'text-order',
  columns: orderColumns,
  indexes: orderIndexes,
  migration: async () => (await import('./compare.ts')).migration,
};
