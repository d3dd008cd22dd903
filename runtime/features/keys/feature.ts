import type { Feature } from '../../kernel/feature.ts';
import { insufficientScope, tooManyRequests, unauthorized } from './errors.ts';
import { apiKeyTable } from './key-table.ts';
import { keySettings } from './settings.ts';

/** Requests below `/api` need an API key, which has scopes and a rate; a revoked key stops within a second. */
export const keys: Feature = {
  name: 'keys',
  needs: ['organizations'],
  tables: [apiKeyTable],
  settings: keySettings,
  commands: { keys: () => import('./command.ts') },
  localKey: async (settings) => (await import('./key-file.ts')).localKey(settings),
  errors: [unauthorized, insufficientScope, tooManyRequests],
  routes: async () => (await import('./start.ts')).mountKey,
  prepare: async (settings) => (await import('./start.ts')).requireKeys(settings),
  start: async (running) => (await import('./start.ts')).startKeys(running),
};
