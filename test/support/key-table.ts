import type { Principal } from '../../runtime/auth/keys.ts';
import { everything } from '../../runtime/auth/scopes.ts';
import { mainOrganization } from '../../runtime/sql/helper-tables.ts';
import type { Records, Store } from '../../runtime/records/store.ts';

/** The part of a store that keys are checked with, of one that has none and no records. */
export const withoutKeys: Pick<Store, 'of' | 'keys'> = {
  of: () => ({}) as Records,
  keys: { find: () => [], noteUses: async () => undefined },
};

/** The client of a request that may do everything. */
export const clientWith = (records: Records): Principal => ({
  name: 'test',
  keyId: undefined,
  organization: mainOrganization,
  about: { name: 'test', organization: 'main', expiresAt: null },
  records,
  scopes: new Set([everything]),
  limit: undefined,
});
