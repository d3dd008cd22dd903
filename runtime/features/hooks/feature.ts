import type { Feature } from '../../kernel/feature.ts';
import { hasHooks, refused } from './hooks.ts';

/** Functions of a service run before its writes, commit with them or refuse them, and run after its events. */
export const hooks: Feature = {
  name: 'hooks',
  // Their commands resume calls after writes that are off.
  needs: ['batch', 'delivery', 'idempotency', 'trail', 'webhooks'],
  around: async ({ tables }, parameters) =>
    tables.some(hasHooks) ? (await import('./pipeline.ts')).hookedIn(parameters) : (next) => next,
  errors: [refused],
  routes: async () => (await import('./routes.ts')).mountProblems,
  migration: async () => (await import('./hook-receivers.ts')).migration,
  start: async (running) => (await import('./after-hooks.ts')).startHooks(running),
};
