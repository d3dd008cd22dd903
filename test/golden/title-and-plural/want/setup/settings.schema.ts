// Generated from spec/setup/settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, optional, singleton, updatable } from '../../runtime/index.ts';

/** How the tablets work. */
export const Settings = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Settings = z.infer<typeof Settings>;

export const SettingsUpdate = updatable(Settings);
export const settingsTable = singleton('settings', Settings, {
  path: 'setup/settings',
  title: 'iPad settings',
});
