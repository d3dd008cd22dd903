import type { Feature } from '../../kernel/feature.ts';
import { hasHooks, refused } from './hooks.ts';

/** Functions of a service run before its writes, and commit with them or refuse them. */
export const hooks: Feature = {
  name: 'hooks',
  needs: ['batch', 'trail'],
  around: async ({ tables }, parameters) =>
    tables.some(hasHooks) ? (await import('./pipeline.ts')).hookedIn(parameters) : (next) => next,
  errors: [refused],
  routes: async () => (await import('./routes.ts')).mountProblems,
};
