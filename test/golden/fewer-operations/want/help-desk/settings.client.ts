// Generated from spec/help-desk/settings.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** What everybody can read and nobody can change. */
export interface Settings {
  readonly id: string;
  greeting: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

/** The operations of `/api/help-desk/settings`. */
export const settingsOperations = (requests: client.Requests) => {
  const path = '/api/help-desk/settings';
  return {
    /** Retrieve the settings. */
    retrieve: client.retrieveSingleton<Settings>(requests, path),
  };
};
