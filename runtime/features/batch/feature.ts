import type { Feature } from '../../kernel/feature.ts';
import { batchSteps } from './writes.ts';

/** `POST /api/batch` does writes in their order, all or none. */
export const batch: Feature = {
  name: 'batch',
  writes: { batch: batchSteps },
  routes: async () => (await import('./batch.ts')).mountBatch,
};
