// Generated from spec/setup/shop-settings.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** How the shop works. */
export interface ShopSettings {
  readonly id: string;
  /** Null until it is first set. */
  owner: string | null;
  country: 'de' | 'fr' | null;
  budget: number | null;
  page_size: number | null;
  currency: string | null;
  theme: string | null;
  readonly visits: number | null;
  founded_on: string | null;
  bank: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ShopSettingsUpdate = client.Updatable<ShopSettings, 'bank' | 'country' | 'owner'>;

/** The operations of `/api/setup/shop-settings`. */
export const shopSettingsOperations = (requests: client.Requests) => {
  const path = '/api/setup/shop-settings';
  return {
    /** Retrieve the shop settings. */
    retrieve: client.retrieveSingleton<ShopSettings>(requests, path),

    /** Update the shop settings. */
    update: client.update<ShopSettings, ShopSettingsUpdate>(requests, path),
  };
};
