import type { Feature } from '../../kernel/feature.ts';

/** Clients that ask for server-sent events get events as they come. */
export const streams: Feature = {
  name: 'streams',
  needs: ['trail'],
  routes: async () => (await import('./event-stream.ts')).mountStreams,
};
