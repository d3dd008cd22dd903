import type { Context } from 'hono';
import { ApiError, overloaded } from '../../kernel/model/errors.ts';
import { maxBatchResults, maxCascade, maxListLimit, maxWorkDuration } from '../../kernel/model/limits.ts';
import { quoted } from '../../kernel/model/text.ts';
import type { Table } from '../../kernel/model/table.ts';
import { type DoneBatch, performAll } from '../../kernel/records/perform.ts';
import type { PreparedWrite } from '../../kernel/records/prepare.ts';
import type { Effect } from '../../kernel/records/write.ts';
import { enter, enterLongest, workOn } from '../../kernel/api/capacity.ts';
import { readableBy, requirePermission } from '../../kernel/api/endpoint.ts';
import { keyOf, onceOf, versionsOf } from '../../kernel/api/preconditions.ts';
import { refuseQuery } from '../../kernel/api/query.ts';
import { respond } from '../../kernel/api/responses.ts';
import type { Env, RequestEnv, Routes } from '../../kernel/api/service.ts';
import { bodyText, noteReplay, originOf } from '../../kernel/api/write-handlers.ts';
import { type Event, type EventPage, eventPages, parseEvent } from '../trail/events.ts';
import { eventsPath, visible } from '../trail/routes.ts';
import { changedSince } from './restored.ts';
import { actionsOf, asNamedNow, restore, reverse, tableOf } from './undo.ts';

const undoPath = `${eventsPath}/:number/undo`;

/** Adds the route that reverses what an event did. */
export const mountUndo: Routes = (app) => void app.post(undoPath, (c) => undo(c));

/** Reverses what an event did. Responds 200 as the write that it is. @throws ApiError `not_found`, `changed_since` */
async function undo(c: Context<Env>): Promise<Response> {
  const { env } = c;
  env.outgoing.pattern = undoPath;
  refuseQuery(c.req.url);
  versionsOf(env.incoming.headers['if-match']);
  const number = c.req.param('number') ?? '';
  const isNumber = /^[1-9]\d{0,14}$/.test(number);
  // A key that may only write a resource cannot undo what other keys have done: it does not know their records.
  const query = visible(env, { number: Number(number), limit: 1 });
  const [json = 'null'] = isNumber ? (await env.principal.records.ask(eventPages, query)).events : [];
  const stored = JSON.parse(json) as Event | null;
  const { tables } = env.service;
  const table = stored && tableOf(tables, stored);
  if (!stored || !table) throw new ApiError('not_found', `No event has the number ${quoted(number)}.`);
  const event = asNamedNow(table, parseEvent(table, json));
  for (const action of actionsOf(table, event)) requirePermission(env, action, table.path);
  const reversed = reverse(table, event);
  // It would seem to succeed, again and again.
  if (reversed.write.op === 'update' && Object.keys(reversed.write.set).length === 0)
    throw new ApiError(changedSince, `Event ${number} has changed no field that can be set back.`);
  const deadline = performance.now() + maxWorkDuration;
  await enter(env, json.length);
  const isDelete = event.operation === 'delete';
  if (isDelete && tables.some(({ parent }) => parent?.table === table.name)) await enterLongest(env);
  const items = isDelete ? await restoredItems(env, table, event, json.length, deadline) : [];
  const writes = [reversed, ...items];
  const done = await workOn(env, items.length > 0 ? maxBatchResults : json.length, () =>
    performUndo(env, event, writes, c.req.path, deadline),
  );
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
  const { time, request_id, number } = event;
  const same = { operation: 'delete', time, limit: maxListLimit, ...(request_id !== null && { request_id }) };
  // The events of line items are behind that of their record. More of them could not be restored within the time of a request.
  const last = number + maxCascade;
  const query = { ...same, until: last + maxCascade };
  const restored: PreparedWrite[] = [];
  let bytes = length;
  let page: EventPage = { events: [], hasMore: tables.length > 0, last: number };
  while (page.hasMore && (page.last < last || restored.length > 0)) {
    if (performance.now() > deadline) throw overloaded('The line items are not found in time: nothing was done.');
    page = await env.principal.records.ask(eventPages, { ...query, after: page.last });
    for (const json of page.events) {
      const table = tableOf(tables, JSON.parse(json) as Event);
      if (!table) continue;
      const item = asNamedNow(table, parseEvent(table, json));
      if (item.changes[table.parent?.field ?? '']?.[0] !== event.record) continue;
      bytes += json.length;
      if (item.number > last || bytes > maxBatchResults) throw tooManyItems();
      restored.push(restore(table, item));
    }
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
    return await performAll(env.pipeline, { records, writes, isReadable: readableBy(env), origin });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'body_too_large') throw tooManyItems();
    if (!['not_found', 'stale', 'invalid_body', 'wrong_state'].includes(error.code)) throw error;
    const detail = `The record has changed since event ${event.number}, which cannot be undone.`;
    throw new ApiError(changedSince, detail);
  }
}
