import type { IncomingMessage } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ApiError, overloaded } from '../model/errors.ts';
import { pause } from '../model/wait.ts';
import type { EventQuery } from '../records/store.ts';
import { eventInterval, maxEventStreams, silentIntervals } from './limits.ts';
import { send } from './responses.ts';
import type { RequestEnv } from './service.ts';
import { requireKey } from './write-handlers.ts';

/** Whether a client wants server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export const acceptsStream = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && (headers.accept ?? '').includes('text/event-stream');

let open = 0;

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
  if (open >= maxEventStreams) throw overloaded('Too many streams of events are open.');
  const { outgoing } = env;
  outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' });
  open++;
  send(outgoing, textsOf(env, query, Number(last)))
    .catch((error: Error) => outgoing.destroy(error))
    .finally(() => open--);
  return RESPONSE_ALREADY_SENT;
}

/** The parts of a stream, until the client leaves, its key ends or the server stops. */
async function* textsOf(env: RequestEnv, query: EventQuery, from: number): AsyncGenerator<Uint8Array> {
  const { outgoing, principal } = env;
  // The headers leave at once.
  yield Buffer.from(':\n\n');
  let after = from;
  for (let silent = 0; !outgoing.destroyed && !env.isStopping();) {
    const { events, hasMore } = await principal.records.events({ ...query, after });
    for (const event of events) {
      after = (JSON.parse(event) as { number: number }).number;
      yield Buffer.from(`id: ${after}\ndata: ${event}\n\n`);
    }
    silent = events.length > 0 ? 0 : silent + 1;
    // Otherwise the connection would seem to be dead.
    if (silent % silentIntervals === silentIntervals - 1) yield Buffer.from(':\n\n');
    if (!hasMore) await pause(eventInterval);
    await requireKey(env);
  }
}
