// Generated from spec/help-desk/settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, optional, singleton } from '../../runtime/index.ts';

/** What everybody can read and nobody can change. */
export const Settings = z.strictObject({
  id: field.id(),
  greeting: optional(field.text(), 'Hello'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Settings = z.infer<typeof Settings>;

export const settingsTable = singleton('settings', Settings, {
  path: 'help-desk/settings',
  operations: ['retrieve'],
});
