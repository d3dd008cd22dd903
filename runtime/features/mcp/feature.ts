import type { Feature } from '../../kernel/feature.ts';
import { mcpHeaders, mcpPath } from './path.ts';

/** Agents use the API by the Model Context Protocol: tools that take a resource, and say what the spec says of it. */
export const mcp: Feature = {
  name: 'mcp',
  needs: ['batch', 'trail', 'undo'],
  keyed: [{ path: mcpPath, headers: mcpHeaders }],
  routes: async () => (await import('./routes.ts')).mountMcp,
  commands: { mcp: () => import('./command.ts') },
};
