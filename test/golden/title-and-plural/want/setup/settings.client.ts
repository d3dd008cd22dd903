// Generated from spec/setup/settings.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** How the tablets work. */
export interface Settings {
  readonly id: string;
  name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SettingsUpdate = client.Updatable<Settings>;

/** The operations of `/api/setup/settings`. */
export const settingsOperations = (requests: client.Requests) => {
  const path = '/api/setup/settings';
  return {
    /** Retrieve the iPad settings. */
    retrieve: client.retrieveSingleton<Settings>(requests, path),

    /** Update the iPad settings. */
    update: client.update<Settings, SettingsUpdate>(requests, path),
  };
};
