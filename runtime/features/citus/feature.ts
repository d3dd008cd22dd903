import type { Feature } from '../../kernel/feature.ts';

/** The tables are spread over the nodes of a Citus cluster: all rows of an organization are on one node, where requests go. */
export const citus: Feature = {
  name: 'citus',
  migration: async () => (await import('./distribute.ts')).migration,
  postgres: async (home) => new (await import('./nodes.ts')).Nodes(home),
};
