import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ApiError } from '../../kernel/model/errors.ts';
import { type EventPage, eventPages, type EventQuery } from '../trail/events.ts';
import { enter, tryEnter } from '../../kernel/api/capacity.ts';
import { isFound, sentText } from './event-feed.ts';
import { type EventStream, EventStreams } from './event-streams.ts';
import { eventsPath, refuseGap, requestedEvents } from '../trail/routes.ts';
import { largeBytes } from '../../kernel/api/limits.ts';
import { silentIntervals } from './limits.ts';
import { send } from '../../kernel/api/responses.ts';
import type { RequestEnv, Routes } from '../../kernel/api/service.ts';
import { requireKey } from '../../kernel/api/endpoint.ts';

/** Whether a client wants server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
const acceptsStream = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/event-stream');

/** Adds the route of clients that want events as they come. */
export const mountStreams: Routes = (app) => {
  const streams = new EventStreams();
  app.get(eventsPath, (c, next) => {
    if (!acceptsStream(c.env.incoming)) return next();
    return streamEvents(c.env, requestedEvents(c), streams);
  });
};

/**
 * Responds 200 with events as they come, from those behind `after` or `Last-Event-ID` on.
 *
 * @throws ApiError `invalid_header` or `invalid_query` (400), `events_removed` (410), `overloaded` (503)
 */
async function streamEvents(env: RequestEnv, query: EventQuery, streams: EventStreams): Promise<Response> {
  if (query.isDescending) throw new ApiError('invalid_query', 'A stream of events has the "sort" number.');
  const last = env.incoming.headers['last-event-id'] ?? String(query.after ?? 0);
  if (!/^\d{1,15}$/.test(String(last)))
    throw new ApiError('invalid_header', 'Last-Event-ID must be the number of an event.');
  const after = Number(last);
  const { outgoing, principal } = env;
  refuseGap(await principal.records.ask(eventPages, { after, until: after, limit: 1 }), after);
  const stream = streams.open(principal, outgoing);
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
  send(outgoing, textsOf(env, stream, query, after)).catch((error: Error) => outgoing.destroy(error));
  return RESPONSE_ALREADY_SENT;
}

/** The parts of a stream, until it is over, its key ends or the server stops. */
async function* textsOf(
  env: RequestEnv,
  stream: EventStream,
  query: EventQuery,
  from: number,
): AsyncGenerator<Uint8Array> {
  // The headers leave at once.
  yield Buffer.from(':\n\n');
  let after = from;
  let silent = 0;
  const isOver = (): boolean => stream.isOver || env.isStopping();
  while (!isOver()) {
    const { last, events } = await stream.feed.behind(after);
    silent++;
    if (events) {
      const found = events.filter((event) => isFound(query, event));
      if (found.length > 0) {
        yield Buffer.from(found.map(({ text }) => text).join(''));
        silent = 0;
      }
    } else {
      for (let hasMore = true; hasMore && !isOver();) {
        const page = await nextEvents(env, { ...query, after, until: last });
        refuseGap(page, after);
        for (const event of page.events) yield Buffer.from(sentText(event));
        // A filter may find nothing among very many.
        silent = page.events.length > 0 ? 0 : silent + 1;
        if (silent % silentIntervals === silentIntervals - 1) yield Buffer.from(':\n\n');
        env.leave?.();
        ({ last: after, hasMore } = page);
        await requireKey(env);
      }
    }
    after = last;
    // Otherwise the connection would seem to be dead.
    if (silent % silentIntervals === silentIntervals - 1) yield Buffer.from(':\n\n');
    await requireKey(env);
  }
}

/** The next events: few, as those that the client does not take stay in memory, or a long one, for which there must be room. */
async function nextEvents(env: RequestEnv, query: EventQuery): Promise<EventPage> {
  const read = (): Promise<EventPage> => env.principal.records.ask(eventPages, { ...query, maxBytes: largeBytes });
  const found = await inRoom(env, read);
  if (typeof found !== 'number') return found;
  await enter(env, found);
  return read();
}

/** A page if there is room for it, otherwise its bytes: a function that waits for room would hold it meanwhile. */
async function inRoom(env: RequestEnv, read: () => Promise<EventPage>): Promise<EventPage | number> {
  const page = await read();
  const bytes = page.events.reduce((sum, { length }) => sum + length, 0);
  return bytes <= 2 * largeBytes || tryEnter(env, bytes) ? page : bytes;
}
