import type { Context } from 'hono';
import { ApiError, overloaded } from '../../kernel/model/errors.ts';
import { defaultListLimit, maxListLimit, maxWorkDuration } from '../../kernel/model/limits.ts';
import { basePath } from '../../kernel/model/operations.ts';
import { eventsRemoved } from './event-table.ts';
import { type EventPage, eventPages, type EventQuery } from './events.ts';
import { readableBy, requirePermission } from '../../kernel/api/endpoint.ts';
import { Parameters } from '../../kernel/api/parameters.ts';
import { respondRead } from '../../kernel/api/responses.ts';
import type { Env, RequestEnv, Routes } from '../../kernel/api/service.ts';

export const eventsPath = `${basePath}/events`;

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
export function visible(env: RequestEnv, query: EventQuery): EventQuery {
  if (env.principal.may('read', '*')) return query;
  const readable = env.service.tables.map(({ path }) => path).filter(readableBy(env));
  return { ...query, resources: query.resources?.filter((path) => readable.includes(path)) ?? readable };
}

/** The events that a request asks for, of those that its key may see. @throws ApiError `insufficient_scope`, `invalid_query` */
export function requestedEvents({ env, req }: Context<Env>): EventQuery {
  env.outgoing.pattern = eventsPath;
  requirePermission(env, 'read', 'events');
  return visible(env, readEventQuery(req.url));
}

/** Adds the route that responds 200 with a page of events. */
export const mountEvents: Routes = (app) => {
  app.get(eventsPath, (c) => {
    const query = requestedEvents(c);
    // The longest event has a record before and after a change.
    const longest = 2 * Math.max(...c.env.service.tables.map(({ maxBody }) => maxBody));
    // Seldom is an event that long: those who read events leave room for others.
    const most = Math.min(longest, c.env.capacity.maxShare / 2);
    return respondRead(c, most, false, async () => {
      const { events, hasMore } = await search(c.env, query);
      return `{"data":[${events.join()}],"has_more":${hasMore}}`;
    });
  });
};

/** @throws ApiError `events_removed` (410) if events behind `after` were removed */
export function refuseGap({ firstKept }: EventPage, after: number): void {
  if (firstKept === undefined) return;
  const detail = `Events behind number ${after} were removed: the first that is there is ${firstKept}.`;
  throw new ApiError(eventsRemoved, detail, { first_number: firstKept });
}

/**
 * Reads a page of events that has some, unless there are none.
 *
 * @throws ApiError `events_removed` (410), `overloaded` (503) if it takes too long
 */
async function search({ principal, outgoing }: RequestEnv, query: EventQuery): Promise<EventPage> {
  const start = performance.now();
  let page = await principal.records.ask(eventPages, query);
  refuseGap(page, query.after ?? 0);
  while (page.events.length === 0 && page.hasMore && !outgoing.closed) {
    if (performance.now() - start > maxWorkDuration)
      throw overloaded('The filter finds no event in time: set "after".');
    page = await principal.records.ask(eventPages, { ...query, after: page.last });
  }
  return page;
}
