import type { Feature } from '../../kernel/feature.ts';
import type { Trait } from '../../kernel/model/table.ts';
import { sumTooLarge, tooManyGroups } from './errors.ts';
import { countIndexes } from './indexes.ts';

/** The fields that the records of a list are counted by, and those that are summed. */
export interface Counts {
  readonly by: readonly string[];
  readonly sum: readonly string[];
}

declare module '../../kernel/model/table.ts' {
  // oxlint-disable-next-line no-unused-vars
  interface Table<T = unknown> {
    readonly counts?: Counts;
  }
}

/** Lists are counted: how many records have each value of a field, and the sums of their numbers. */
export const counts: Feature = {
  name: 'counts',
  indexes: countIndexes,
  errors: [tooManyGroups, sumTooLarge],
  routes: async () => (await import('./routes.ts')).mountCounts,
};

/** The list is counted and summed by these fields. */
export const counted =
  ({ by = [], sum = [] }: Partial<Counts>): Trait =>
  (table) => ({ ...table, counts: { by, sum } });
