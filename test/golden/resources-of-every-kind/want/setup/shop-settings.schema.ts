// Generated from spec/setup/shop-settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  field,
  initiallyNull,
  nullable,
  onceSet,
  optional,
  readOnly,
  singleton,
  updatable,
} from '../../runtime/index.ts';

/** How the shop works. */
export const ShopSettings = z.strictObject({
  id: field.id(),
  /** Null until it is first set. */
  owner: initiallyNull(field.text()),
  country: initiallyNull(field.oneOf(['de', 'fr'])),
  budget: nullable(field.number()),
  page_size: optional(field.integer({ min: 1, max: 100 }), 20),
  currency: optional(field.text(), 'EUR'),
  theme: optional(field.text()),
  visits: readOnly(optional(field.integer(), 0)),
  founded_on: onceSet(optional(field.date())),
  bank: onceSet(initiallyNull(field.text())),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type ShopSettings = z.infer<typeof ShopSettings>;

export const ShopSettingsUpdate = updatable(ShopSettings);
export const shopSettingsTable = singleton('shop_settings', ShopSettings, { path: 'setup/shop-settings' });
