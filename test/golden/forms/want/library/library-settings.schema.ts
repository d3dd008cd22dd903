// Generated from spec/library/library-settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, optional, ruled, singleton, updatable } from '../../runtime/index.ts';
import { librarySettingsLogic } from './library-settings.rules.ts';

/** The settings of the library. */
export const LibrarySettings = z.strictObject({
  id: field.id(),
  has_fees: optional(field.boolean(), false),
  fee: optional(field.decimal({ digits: 6, scale: 2 })),
  currency: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type LibrarySettings = z.infer<typeof LibrarySettings>;

export const LibrarySettingsUpdate = updatable(LibrarySettings);
export const librarySettingsTable = singleton(
  'library_settings',
  LibrarySettings,
  { path: 'library/library-settings' },
  [ruled(librarySettingsLogic)],
);
