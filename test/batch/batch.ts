import { expect } from 'vitest';

import { service } from '../service/generated/app.ts';
import type { TestDatabase } from '../support/databases.ts';
import type { Problem } from '../support/problem.ts';
import type { Json } from '../support/records.ts';
import type { Answer, TestServer } from '../support/server.ts';

export const { tables } = service;

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface Result {
  readonly status: number;
  readonly body: { readonly [field: string]: Json };
}

/** The id of the record that the operation at a place creates, as a body names it. */
export const result = (place: number): { result: number } => ({ result: place });

export const send = (server: TestServer, operations: unknown): Promise<Answer> =>
  server.request('POST', '/api/batch', { operations });

/** The results of a batch that is done. */
export async function done(server: TestServer, operations: readonly Operation[]): Promise<Result[]> {
  const answer = await send(server, operations);
  expect(answer.status, answer.text).toBe(200);
  const { results, ...rest } = answer.body as { results: Result[] };
  expect(rest).toEqual({});
  expect(results).toHaveLength(operations.length);
  return results;
}

/** All rows of all tables, by the engine itself. */
export async function contentsOf(database: TestDatabase): Promise<Record<string, unknown>> {
  const keys: Record<string, string> = { _row_counter: '_organization, "table", parent, shard' };
  const names = [...tables.map((table) => table.name), '_row_counter'];
  const rows = await database.queryAll(names.map((name) => `select * from "${name}" order by ${keys[name] ?? 'id'}`));
  return Object.fromEntries(names.map((name, n) => [name, rows[n]]));
}

/** A problem without its request id and without the place of its operation in a batch. */
export function withoutPlace(problem: Problem & { operation?: number }): Partial<Problem> {
  const { request_id: _, operation, errors, ...rest } = problem;
  const prefix = `/operations/${operation}/body`;
  const cut = (pointer: string): string => (pointer.startsWith(prefix) ? pointer.slice(prefix.length) : pointer);
  return { ...rest, ...(errors && { errors: errors.map((error) => ({ ...error, pointer: cut(error.pointer) })) }) };
}
