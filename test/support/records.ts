import { expect } from 'vitest';

import type { Answer, TestServer } from './server.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A record, line item or singleton as the server answers it. */
export type Stored = { [field: string]: Json; id: string };

export type ListPage<T = Stored> = { data: T[]; has_more: boolean; total: number };

export function storedIn(answer: Answer, status = 200): Stored {
  expect(answer.status, answer.text).toBe(status);
  return answer.body as Stored;
}

export function pageIn(answer: Answer): ListPage {
  expect(answer.status, answer.text).toBe(200);
  return answer.body as ListPage;
}

export async function create(server: TestServer, path: string, body: object): Promise<Stored> {
  return storedIn(await server.request('POST', path, body), 201);
}

export async function retrieve(server: TestServer, path: string, id: string): Promise<Stored> {
  return storedIn(await server.request('GET', `${path}/${id}`));
}

export async function update(server: TestServer, path: string, id: string, body: object): Promise<Stored> {
  return storedIn(await server.request('PATCH', `${path}/${id}`, body));
}

export async function remove(server: TestServer, path: string, id: string): Promise<void> {
  const answer = await server.request('DELETE', `${path}/${id}`);
  expect(answer.status, answer.text).toBe(200);
}

export async function removeAll(server: TestServer, path: string): Promise<void> {
  for (const { id } of await listAll(server, path)) await remove(server, path, id);
}

export async function list(
  server: TestServer,
  path: string,
  query: Record<string, string | number> = {},
): Promise<ListPage> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return pageIn(await server.request('GET', `${path}?${search}`));
}

/** Every entry of a list, page by page. */
export async function listAll(
  server: TestServer,
  path: string,
  query: Record<string, string> = {},
  limit = 1000,
): Promise<Stored[]> {
  const all: Stored[] = [];
  for (;;) {
    const page = await list(server, path, { ...query, limit, offset: all.length });
    all.push(...page.data);
    expect(page.has_more).toBe(all.length < page.total);
    if (!page.has_more) return all;
    expect(page.data).toHaveLength(limit);
  }
}
