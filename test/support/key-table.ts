import type { Records, Store } from '../../runtime/store/store.ts';

/** The part of a store that keys are checked with, of one that has none and no records. */
export const withoutKeys: Pick<Store, 'of' | 'keys'> = {
  of: () => ({}) as Records,
  keys: { version: () => 0, find: () => [], noteUses: async () => undefined },
};
