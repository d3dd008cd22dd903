import type { Feature } from '../../kernel/feature.ts';
import { deliveryTables } from './tables.ts';

/** Events are taken to receivers, each event at least once, and those of a record in their order. It starts after all couriers. */
export const delivery: Feature = {
  name: 'delivery',
  needs: ['trail'],
  tables: deliveryTables,
  migration: async () => (await import('./receivers.ts')).migration,
  start: async (running) => (await import('./delivery.ts')).startDelivery(running),
};
