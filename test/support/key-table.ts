import type { Principal } from '../../runtime/kernel/api/service.ts';
import { notFound } from '../../runtime/kernel/model/errors.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import type { Records, Store } from '../../runtime/kernel/records/store.ts';

/** The part of a store that keys are checked with, of one that has none and no records. */
export const withoutKeys: Pick<Store, 'of' | 'rows' | 'execute'> = {
  of: () => ({}) as Records,
  rows: async () => [],
  execute: async () => undefined,
};

/** The client of a request that may do everything. */
export const clientWith = (records: Records): Principal => ({
  name: 'test',
  keyId: undefined,
  organization: mainOrganization,
  records,
  limit: undefined,
  may: () => true,
  refusal: (_, path) => notFound('resource', path),
  takeRequest: () => undefined,
});
