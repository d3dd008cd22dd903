import type { Context } from 'hono';
import { allows, type Permission, permissionOf } from '../auth/scopes.ts';
import { ApiError } from '../model/errors.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { basePath, operationsOf, type ResourceOperation } from '../model/operations.ts';
import type { Table } from '../model/table.ts';
import type { Env, RequestEnv } from './service.ts';

/** An operation of a table, as requests reach it. */
export interface Endpoint {
  readonly table: Table;
  readonly operation: ResourceOperation;
  /** Its path: `/api/crm/lead/:id`. */
  readonly pattern: string;
  readonly permission: Permission;
}

/** The endpoints of a table. */
export const endpointsOf = (table: Table): Endpoint[] =>
  operationsOf(table).map((operation) => ({
    table,
    operation,
    pattern: `${basePath}/${table.path}${operation.path}`,
    permission: permissionOf(table, operation.action),
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
    allows(principal.scopes, permissionOf({ path }, 'read'));

/** @throws ApiError `insufficient_scope` (403) */
export function requirePermission({ principal, service }: RequestEnv, permission: Permission): void {
  if (allows(principal.scopes, permission)) return;
  const { scope } = permission;
  // The realm is that of a missing key (RFC 6750, 3.1).
  const challenge = `Bearer realm="${service.name}", error="insufficient_scope", scope="${scope}"`;
  const detail = `The API key may not do this: it needs the scope ${scope}.`;
  throw new ApiError('insufficient_scope', detail, { headers: { 'WWW-Authenticate': challenge } });
}

export type NoInput = Record<never, never>;

// The path and the input belong to the types of a route alone; a handler works on any.
// oxlint-disable-next-line no-explicit-any
export type Handler<Input extends object, R> = (c: Context<Env, any, Input>) => MaybePromise<R>;

/** Makes the handler of an endpoint: it requires the permission, and runs. */
export const handlerOf =
  <Input extends object, R>({ pattern, permission }: Endpoint, run: Handler<Input, R>): Handler<Input, R> =>
  (c) => {
    c.env.outgoing.pattern = pattern;
    requirePermission(c.env, permission);
    return run(c);
  };
