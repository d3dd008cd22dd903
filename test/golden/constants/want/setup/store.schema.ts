// Generated from spec/setup/store.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A place where things are sold. */
export const Store = z.strictObject({
  id: field.id(),
  /** Where the store stands. The default is the constant region of spec/service.yaml. */
  region: optional(field.text(), "eu's"),
  /** The default is the constant region of spec/service.yaml. */
  zone: optional(field.oneOf(["eu's", 'us']), "eu's"),
  /** The default is the constant page_size of spec/service.yaml. */
  page_size: optional(field.integer(), 50),
  /** The default is the constant vat of spec/service.yaml. */
  vat: optional(field.number(), 0.19),
  /** The default is the constant is_open of spec/service.yaml. */
  is_open: optional(field.boolean(), true),
  /** The default is the constant opened_on of spec/service.yaml. */
  opened_on: optional(field.date(), '2020-02-02'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Store = z.infer<typeof Store>;

export const StoreCreate = creatable(Store);
export const StoreUpdate = updatable(Store);
export const StoreQuery = query(Store);
export const storeTable = record('store', Store, { path: 'setup/store', list: StoreQuery });
