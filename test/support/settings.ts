import { features } from '../../runtime/features.ts';
import type { SettingsOf } from '../../runtime/kernel/settings.ts';
import { serverSettings, settingsIn, settingsOf } from '../../runtime/server/settings.ts';

/** Reads the settings of a server with all features. */
export const readSettings = (environment: Readonly<Record<string, string>>): SettingsOf<typeof serverSettings> =>
  settingsIn(settingsOf(features), environment)(serverSettings);
