// Generated from spec/shop/settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, initiallyNull, onceSet, optional, singleton, updatable } from '../../runtime/index.ts';

/** What holds for all orders. */
export const Settings = z.strictObject({
  id: field.id(),
  currency: onceSet(initiallyNull(field.text())),
  founded_on: onceSet(optional(field.date())),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Settings = z.infer<typeof Settings>;

export const SettingsUpdate = updatable(Settings);
export const settingsTable = singleton('settings', Settings, { path: 'shop/settings' });
