// Generated from spec/setup/settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { id, optional, singleton, text, timestamp, updatable } from '../../runtime/index.ts';

/** How the tablets work. */
export const Settings = z.strictObject({
  id: id(),
  name: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Settings = z.infer<typeof Settings>;

export const SettingsUpdate = updatable(Settings);
export const settingsTable = singleton('settings', Settings, {
  title: 'iPad settings',
});
