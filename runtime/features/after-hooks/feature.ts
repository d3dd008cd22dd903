import type { Feature } from '../../kernel/feature.ts';

/** Functions of a service run after its events: each is called until it succeeds, and its writes are done once. */
export const afterHooks: Feature = {
  name: 'after-hooks',
  // The commands of webhooks resume calls that are off.
  needs: ['delivery', 'hooks', 'idempotency', 'trail', 'webhooks'],
  migration: async () => (await import('./hook-receivers.ts')).migration,
  start: async (running) => (await import('./after-hooks.ts')).startHooks(running),
};
