import type { Context } from 'hono';
import { readableBy, requirePermission } from '../../../runtime/kernel/api/endpoint.ts';
import { keyOf, onceOf } from '../../../runtime/kernel/api/preconditions.ts';
import { refuseQuery } from '../../../runtime/kernel/api/query.ts';
import { respond } from '../../../runtime/kernel/api/responses.ts';
import type { Env, Routes } from '../../../runtime/kernel/api/service.ts';
import { originOf } from '../../../runtime/kernel/api/write-handlers.ts';
import { currentTime } from '../../../runtime/kernel/model/ids.ts';
import { basePath } from '../../../runtime/kernel/model/operations.ts';
import type { Table } from '../../../runtime/kernel/model/table.ts';
import { perform } from '../../../runtime/kernel/records/perform.ts';
import { hasStars, starOperation } from './feature.ts';

/** Adds the route that gives a record a star. */
export const mountStars: Routes = (app, { tables }) => {
  for (const table of tables.filter(hasStars)) {
    const pattern = `${basePath}/${table.path}/:id/star`;
    app.post(pattern, (c) => star(c, table, pattern));
  }
};

/** Gives a record a star. Responds 200 with the record. @throws ApiError `not_found`, `too_many_stars` */
async function star(c: Context<Env>, table: Table, pattern: string): Promise<Response> {
  const { env, req } = c;
  env.outgoing.pattern = pattern;
  refuseQuery(req.url);
  requirePermission(env, 'write', table.path);
  const [id, time, none] = [req.param('id') ?? '', currentTime(), {}];
  const write = {
    op: 'update',
    operation: starOperation,
    table: table.name,
    id,
    set: none,
    expected: none,
    time,
  } as const;
  const origin = originOf(env, onceOf(env, keyOf(env), req.path));
  const prepared = { table, write, success: 'written' } as const;
  const { effect } = await perform(env.pipeline, env.principal.records, prepared, readableBy(env), origin);
  return respond(c, effect);
}
