import type { Feature } from '../../kernel/feature.ts';
import { eventsRemoved, eventTable } from './event-table.ts';
import { noteDeleted, noteEvents } from './events.ts';
import { type SettingRows, wholeNumber } from '../../kernel/settings.ts';

const trailSettings = {
  EVENTS_KEEP: {
    default: '400',
    meaning: 'for how many days events are kept, and with them what an undo needs',
    ...wholeNumber(1, 36_500),
  },
} as const satisfies SettingRows;

/** Each write leaves an event: who changed which fields of a record, from which values, and when. */
export const trail: Feature = {
  name: 'trail',
  tables: [eventTable],
  write: { note: noteEvents, erasing: noteDeleted },
  settings: trailSettings,
  commands: { events: () => import('./command.ts') },
  errors: [eventsRemoved],
  routes: async () => (await import('./routes.ts')).mountEvents,
  start: async (running) =>
    (await import('./retention-schedule.ts')).scheduleRetention(running, running.settings(trailSettings).EVENTS_KEEP),
};
