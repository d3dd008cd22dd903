import type { Feature } from '../../kernel/feature.ts';
import { changedSince, restoredRecord } from './restored.ts';

/** Undoes an event by a write, if the record is as the event left it. */
export const undo: Feature = {
  name: 'undo',
  needs: ['batch', 'trail'],
  errors: [changedSince],
  write: restoredRecord,
  routes: async () => (await import('./routes.ts')).mountUndo,
};
