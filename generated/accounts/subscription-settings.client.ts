// Generated from spec/accounts/subscription-settings.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** How subscriptions are billed and when an unpaid one ends. */
export interface SubscriptionSettings {
  readonly id: string;
  grace_period: number | null;
  /** Whether a subscription ends with its grace period. */
  cancel_after_grace: boolean | null;
  /** Whether a part of a billing period is charged in proportion. */
  prorate: boolean | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SubscriptionSettingsUpdate = client.Updatable<SubscriptionSettings>;

/** The operations of `/api/accounts/subscription-settings`. */
export const subscriptionSettingsOperations = (requests: client.Requests) => {
  const path = '/api/accounts/subscription-settings';
  return {
    /** Retrieve the subscription settings. */
    retrieve: client.retrieveSingleton<SubscriptionSettings>(requests, path),

    /** Update the subscription settings. */
    update: client.update<SubscriptionSettings, SubscriptionSettingsUpdate>(requests, path),
  };
};
