import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ApiError, overloaded } from '../model/errors.ts';
import { checkInterval } from '../model/limits.ts';
import { pause } from '../model/wait.ts';
import type { EventPage, EventQuery } from '../records/store.ts';
import { acquire, setHeld, tryAcquire } from './capacity.ts';
import { largeBytes, maxEventStreams, silentIntervals } from './limits.ts';
import { send } from './responses.ts';
import type { RequestEnv } from './service.ts';
import { requireKey } from './write-handlers.ts';

/** Whether a client wants server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const acceptsStream = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/event-stream');

/** The streams that each key has open. */
const open = new Map<string, number>();

/**
 * Responds 200 with events as they come, from those behind `after` or `Last-Event-ID` on.
 *
 * @throws ApiError `invalid_header` or `invalid_query` (400), `overloaded` (503)
 */
export function streamEvents(env: RequestEnv, query: EventQuery): Response {
  if (query.isDescending) throw new ApiError('invalid_query', 'A stream of events has the "sort" number.');
  const last = env.incoming.headers['last-event-id'] ?? String(query.after ?? 0);
  if (!/^\d{1,15}$/.test(String(last)))
    throw new ApiError('invalid_header', 'Last-Event-ID must be the number of an event.');
  const { outgoing, principal } = env;
  const { name } = principal;
  const own = open.get(name) ?? 0;
  const all = [...open.values()].reduce((sum, count) => sum + count, 0);
  if (own >= maxEventStreams / 4 || all >= maxEventStreams) throw overloaded('Too many streams of events are open.');
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
  open.set(name, own + 1);
  send(outgoing, textsOf(env, query, Number(last)))
    .catch((error: Error) => outgoing.destroy(error))
    .finally(() => {
      const left = (open.get(name) as number) - 1;
      if (left > 0) open.set(name, left);
      else open.delete(name);
    });
  return RESPONSE_ALREADY_SENT;
}

/** The parts of a stream, until the client leaves, its key ends or the server stops. */
async function* textsOf(env: RequestEnv, query: EventQuery, from: number): AsyncGenerator<Uint8Array> {
  const { outgoing } = env;
  // The headers leave at once.
  yield Buffer.from(':\n\n');
  let after = from;
  for (let silent = 0; !outgoing.destroyed && !env.isStopping();) {
    const { events, hasMore, last } = await nextEvents(env, { ...query, after });
    for (const event of events) {
      yield Buffer.from(`id: ${/^{"number":(\d+)/.exec(event)?.[1]}\ndata: ${event}\n\n`);
    }
    after = last;
    setHeld(env, 0);
    silent = events.length > 0 ? 0 : silent + 1;
    // Otherwise the connection would seem to be dead.
    if (silent % silentIntervals === silentIntervals - 1) yield Buffer.from(':\n\n');
    // An event is shown at most a second after its write.
    if (!hasMore) await pause(checkInterval / 2);
    await requireKey(env);
  }
}

/** The next events: few, as those that the client does not take stay in memory, or a long one, for which there must be room. */
async function nextEvents(env: RequestEnv, query: EventQuery): Promise<EventPage> {
  const read = (): Promise<EventPage> => env.principal.records.events({ ...query, maxBytes: largeBytes });
  const found = await inRoom(env, read);
  if (typeof found !== 'number') return found;
  await acquire(env, found);
  return read();
}

/** A page if there is room for it, otherwise its bytes: a function that waits for room would hold it meanwhile. */
async function inRoom(env: RequestEnv, read: () => Promise<EventPage>): Promise<EventPage | number> {
  const page = await read();
  const bytes = page.events.reduce((sum, { length }) => sum + length, 0);
  return bytes <= 2 * largeBytes || tryAcquire(env, bytes) ? page : bytes;
}
