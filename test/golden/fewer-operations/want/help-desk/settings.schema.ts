// Generated from spec/help-desk/settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { id, optional, singleton, text, timestamp } from '../../runtime/index.ts';

/** What everybody can read and nobody can change. */
export const Settings = z.strictObject({
  id: id(),
  greeting: optional(text(), 'Hello'),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Settings = z.infer<typeof Settings>;

export const settingsTable = singleton('settings', Settings);
