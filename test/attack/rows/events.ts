import type { Attack } from '../attack.ts';
import { quietKey, requestOf } from '../requests.ts';

const eventsPath = '/api/events';
const asStream = ['Accept: text/event-stream'];

/** A filter that finds nothing. */
const nothing = `${eventsPath}?operation=none`;

export const eventAttacks: readonly Attack[] = [
  {
    name: 'large-events-unread',
    what: '400 clients that ask for events of 10 MiB and never read',
    contents: 'large records',
    async run(target) {
      await target.times(400, () => target.connect({ reads: false }).send(requestOf('GET', eventsPath)));
      await target.hold();
    },
  },
  {
    name: 'large-event-streams-unread',
    what: '400 streams of events of 10 MiB, which are never read',
    contents: 'large records',
    async run(target) {
      const request = requestOf('GET', eventsPath, { headers: asStream });
      await target.times(400, () => target.connect({ reads: false }).send(request));
      await target.hold();
    },
  },
  {
    name: 'event-streams-of-nothing',
    what: '200 streams of a filter that finds none of 300,000 events',
    contents: 'many events',
    beside: requestOf('GET', `${eventsPath}?limit=1`, { key: quietKey }),
    async run(target) {
      const request = requestOf('GET', nothing, { headers: asStream });
      await target.times(200, () => target.connect().send(request));
      await target.hold();
    },
  },
  {
    name: 'events-of-nothing',
    what: '200 requests for events that a filter does not find among 300,000',
    contents: 'many events',
    run: (target) => target.times(200, () => target.exchange(requestOf('GET', nothing, { last: true }))),
  },
];
