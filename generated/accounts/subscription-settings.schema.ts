// Generated from spec/accounts/subscription-settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, optional, singleton, updatable } from '../../runtime/index.ts';

/** How subscriptions are billed and when an unpaid one ends. */
export const SubscriptionSettings = z.strictObject({
  id: field.id(),
  grace_period: optional(field.integer(), 1),
  /** Whether a subscription ends with its grace period. */
  cancel_after_grace: optional(field.boolean(), false),
  /** Whether a part of a billing period is charged in proportion. */
  prorate: optional(field.boolean(), true),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type SubscriptionSettings = z.infer<typeof SubscriptionSettings>;

export const SubscriptionSettingsUpdate = updatable(SubscriptionSettings);
export const subscriptionSettingsTable = singleton('subscription_settings', SubscriptionSettings, {
  path: 'accounts/subscription-settings',
});
