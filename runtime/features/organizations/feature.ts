import type { Feature } from '../../kernel/feature.ts';

/** Organizations share a database: each has records and keys of its own. */
export const organizations: Feature = {
  name: 'organizations',
  commands: { organizations: () => import('./command.ts') },
};
