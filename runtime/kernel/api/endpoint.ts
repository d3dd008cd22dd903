import type { Context } from 'hono';
import { type Action, basePath, operationsOf, type ResourceOperation } from '../model/operations.ts';
import { ApiError } from '../model/errors.ts';
import type { Table } from '../model/table.ts';
import type { Env, RequestEnv } from './service.ts';

/** An operation of a table, as requests reach it. */
export interface Endpoint {
  readonly table: Table;
  readonly operation: ResourceOperation;
  /** Its path: `/api/crm/lead/:id`. */
  readonly pattern: string;
}

/** The endpoints of a table. */
export const endpointsOf = (table: Table): Endpoint[] =>
  operationsOf(table).map((operation) => ({
    table,
    operation,
    pattern: `${basePath}/${table.path}${operation.path}`,
  }));

/** @throws Error if the table has no operation of that name */
export function endpointOf(table: Table, name: string): Endpoint {
  const found = endpointsOf(table).find(({ operation }) => operation.name === name);
  if (!found) throw new Error(`The table ${table.name} has no operation ${name}.`);
  return found;
}

/** Makes the function that says whether the key of a request may read the resource at a path. */
export const readableBy =
  ({ principal }: RequestEnv) =>
  (path: string): boolean =>
    principal.may('read', path);

/** @throws ApiError `insufficient_scope` (403) */
export function requirePermission({ principal }: RequestEnv, action: Action, path: string): void {
  if (!principal.may(action, path)) throw principal.refusal(action, path);
}

/** A body or a response may take minutes. @throws ApiError `unauthorized` if the key was revoked meanwhile */
export async function requireKey({ access, incoming: { headers, socket } }: RequestEnv): Promise<void> {
  const holder = await access.check(headers.authorization, socket.remoteAddress);
  if (holder instanceof ApiError) throw holder;
}

export type NoInput = Record<never, never>;

// The path and the input belong to the types of a route alone; a handler works on any.
// oxlint-disable-next-line no-explicit-any
export type Handler<Input extends object, R> = (c: Context<Env, any, Input>) => Promise<R>;

/** Makes the handler of an endpoint: it requires the permission, and runs. @throws ApiError at once if it is missing */
export const handlerOf =
  <Input extends object, R>({ pattern, operation, table }: Endpoint, run: Handler<Input, R>): Handler<Input, R> =>
  (c) => {
    c.env.outgoing.pattern = pattern;
    requirePermission(c.env, operation.action, table.path);
    return run(c);
  };
