import type { Context } from 'hono';
import { eventsPermission, permissionOf, readsAll } from '../auth/scopes.ts';
import { ApiError, overloaded } from '../model/errors.ts';
import { defaultListLimit, maxBatchResults, maxCascade, maxListLimit, maxWorkDuration } from '../model/limits.ts';
import { basePath, operationsOf } from '../model/operations.ts';
import { quoted } from '../model/text.ts';
import type { Table } from '../model/table.ts';
import { type DoneBatch, performAll } from '../records/perform.ts';
import type { PreparedWrite } from '../records/prepare.ts';
import type { EventPage, EventQuery } from '../records/store.ts';
import type { Effect } from '../records/write.ts';
import { type Event, restore, reverse } from '../records/undo.ts';
import { bodyText } from './batch.ts';
import { acquire, eventBytes, workOn } from './capacity.ts';
import { readableBy, requirePermission } from './endpoint.ts';
import { Parameters } from './parameters.ts';
import { acceptsStream, refuseGap, streamEvents } from './event-stream.ts';
import { keyOf, onceOf, versionsOf } from './preconditions.ts';
import { refuseQuery } from './query.ts';
import { respond, respondInRoom } from './responses.ts';
import type { Env, RequestEnv } from './service.ts';
import { noteReplay, originOf } from './write-handlers.ts';

export const eventsPath = `${basePath}/events`;
export const undoPath = `${eventsPath}/:number/undo`;

const filters = ['resource', 'record', 'operation', 'actor'] as const;
const known = [...filters, 'after', 'limit', 'sort'];

/** Reads which events are requested. @throws ApiError `invalid_query` (400) */
function readEventQuery(url: string): EventQuery {
  const parameters = new Parameters(url);
  parameters.refuseOthers(known);
  const limit = parameters.integer('limit', 1, maxListLimit, defaultListLimit);
  const after = parameters.integer('after', 0, Number.MAX_SAFE_INTEGER, 0);
  const sort = parameters.text('sort') ?? 'number';
  if (!['number', '-number'].includes(sort)) parameters.fail('sort', () => 'must be number or -number');
  const { resource, ...same } = Object.fromEntries(filters.map((name) => [name, parameters.text(name)]));
  parameters.finish();
  const given = Object.fromEntries(Object.entries(same).filter(([, value]) => value !== undefined));
  return {
    limit,
    isDescending: sort === '-number',
    ...(parameters.text('after') !== undefined && { after }),
    ...(resource !== undefined && { resources: [resource] }),
    ...given,
  };
}

/** The events that a key may see: those of resources that it may read. */
function visible(env: RequestEnv, query: EventQuery): EventQuery {
  if (readsAll(env.principal.scopes)) return query;
  const readable = env.service.tables.map(({ path }) => path).filter(readableBy(env));
  return { ...query, resources: query.resources?.filter((path) => readable.includes(path)) ?? readable };
}

/** Responds 200 with a page of events, or a stream of them. */
export async function listEvents(c: Context<Env>): Promise<Response> {
  const { env } = c;
  env.outgoing.pattern = eventsPath;
  requirePermission(env, eventsPermission);
  const query = visible(env, readEventQuery(c.req.url));
  if (acceptsStream(env.incoming)) return streamEvents(env, query);
  return respondInRoom(c, eventBytes(env), false, async () => {
    const { events, hasMore } = await search(env, query);
    return `{"data":[${events.join()}],"has_more":${hasMore}}`;
  });
}

/**
 * Reads a page of events that has some, unless there are none.
 *
 * @throws ApiError `events_removed` (410), `overloaded` (503) if it takes too long
 */
async function search({ principal, outgoing }: RequestEnv, query: EventQuery): Promise<EventPage> {
  const start = performance.now();
  let page = await principal.records.events(query);
  refuseGap(page, query.after ?? 0);
  while (page.events.length === 0 && page.hasMore && !outgoing.closed) {
    if (performance.now() - start > maxWorkDuration)
      throw overloaded('The filter finds no event in time: set "after".');
    page = await principal.records.events({ ...query, after: page.last });
  }
  return page;
}

/** Reverses what an event did. Responds 200 as the write that it is. @throws ApiError `not_found`, `changed_since` */
export async function undo(c: Context<Env>): Promise<Response> {
  const { env } = c;
  env.outgoing.pattern = undoPath;
  refuseQuery(c.req.url);
  versionsOf(env.incoming.headers['if-match']);
  const number = c.req.param('number') ?? '';
  const isNumber = /^[1-9]\d{0,14}$/.test(number);
  // A key that may only write a resource cannot undo what other keys have done: it does not know their records.
  const query = visible(env, { number: Number(number), limit: 1 });
  const [json = 'null'] = isNumber ? (await env.principal.records.events(query)).events : [];
  const event = JSON.parse(json) as Event | null;
  const table = env.service.tables.find(({ path }) => path === event?.resource);
  if (!event || !table) throw new ApiError('not_found', `No event has the number ${quoted(number)}.`);
  const operation = operationsOf(table).find(({ name }) => name === event.operation);
  requirePermission(env, permissionOf(table, operation?.action ?? 'write'));
  const reversed = reverse(table, event);
  // It would seem to succeed, again and again.
  if (reversed.write.op === 'update' && Object.keys(reversed.write.set).length === 0)
    throw new ApiError('changed_since', `Event ${number} has changed no field that can be set back.`);
  const deadline = performance.now() + maxWorkDuration;
  await acquire(env, json.length);
  const items = event.operation === 'delete' ? await restoredItems(env, table, event, json.length, deadline) : [];
  const writes = [reversed, ...items];
  const done = await workOn(env, env.held ?? 0, () => performUndo(env, event, writes, c.req.path, deadline));
  noteReplay(env, done);
  const effect = done.effects[0] as Effect;
  return effect.outcome === 'written' ? respond(c, effect) : respond(c, bodyText(done.ids[0], effect));
}

const tooManyItems = (): ApiError =>
  new ApiError('body_too_large', 'The record had too many line items to be restored.');

/**
 * Prepares to restore the line items that were deleted with a record.
 *
 * @param length that of the JSON of its event
 * @param deadline see `Origin`
 * @throws ApiError `body_too_large` (413) if they are too many, `overloaded` (503)
 */
async function restoredItems(
  env: RequestEnv,
  { name }: Table,
  event: Event,
  length: number,
  deadline: number,
): Promise<PreparedWrite[]> {
  const tables = env.service.tables.filter(({ parent }) => parent?.table === name);
  const { time, request_id: requestId, number } = event;
  const same = { operation: 'delete', time, limit: maxListLimit, ...(requestId !== null && { requestId }) };
  // The events of line items are behind that of their record. More of them could not be restored within the time of a request.
  const last = number + maxCascade;
  const query = { ...same, resources: tables.map(({ path }) => path), until: last + maxCascade };
  const restored: PreparedWrite[] = [];
  let bytes = length;
  let page: EventPage = { events: [], hasMore: tables.length > 0, last: number };
  while (page.hasMore && (page.last < last || restored.length > 0)) {
    if (performance.now() > deadline) throw overloaded('The line items are not found in time: nothing was done.');
    page = await env.principal.records.events({ ...query, after: page.last });
    for (const json of page.events) {
      const item = JSON.parse(json) as Event;
      const table = tables.find(({ path }) => path === item.resource) as Table;
      if (item.changes[table.parent?.field ?? '']?.[0] !== event.record) continue;
      bytes += json.length;
      if (item.number > last || bytes > maxBatchResults) throw tooManyItems();
      restored.push(restore(table, item));
    }
    await acquire(env, bytes);
  }
  return restored;
}

/** Does the writes of an undo as one. */
async function performUndo(
  env: RequestEnv,
  event: Event,
  writes: readonly PreparedWrite[],
  path: string,
  deadline: number,
): Promise<DoneBatch> {
  const { records } = env.principal;
  try {
    const origin = { ...originOf(env, onceOf(env, keyOf(env), path)), deadline };
    return (await performAll({ records, writes, isReadable: readableBy(env), origin })) as DoneBatch;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'body_too_large') throw tooManyItems();
    if (!['not_found', 'stale', 'invalid_body'].includes(error.code)) throw error;
    const detail = `The record has changed since event ${event.number}, which cannot be undone.`;
    throw new ApiError('changed_since', detail);
  }
}
