// Generated from spec/setup/shop-settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  id,
  initiallyNull,
  integer,
  nullable,
  number,
  oneOf,
  optional,
  readOnly,
  singleton,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** How the shop works. */
export const ShopSettings = z.strictObject({
  id: id(),
  /** Null until it is first set. */
  owner: initiallyNull(text()),
  country: initiallyNull(oneOf(['de', 'fr'])),
  budget: nullable(number()),
  page_size: optional(integer({ min: 1, max: 100 }), 20),
  currency: optional(text(), 'EUR'),
  theme: optional(text()),
  visits: readOnly(optional(integer(), 0)),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type ShopSettings = z.infer<typeof ShopSettings>;

export const ShopSettingsUpdate = updatable(ShopSettings);
export const shopSettingsTable = singleton('shop_settings', ShopSettings);
