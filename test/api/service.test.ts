import { expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { endpoints } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const withoutKey = { authorization: null };
const open = ['/healthz', '/readyz', '/openapi.json'];

test.each(open)('%s needs no key', async (path) => {
  for (const headers of [{}, withoutKey, { authorization: 'Bearer wrong' }]) {
    const answer = await server.request('GET', path, undefined, headers);
    expect(answer.status, answer.text).toBe(200);
  }
  const head = await server.request('HEAD', path, undefined, withoutKey);
  expect([head.status, head.text]).toEqual([200, '']);
});

test.each(open)('%s takes no other method', async (path) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await server.request(method, path, undefined, withoutKey);
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(/, */)).toContain('GET');
  }
});

test('the OpenAPI document lists the 136 operations of the interface, counts, batches, events, and the key', async () => {
  const answer = await server.request('GET', '/openapi.json', undefined, withoutKey);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json(;|$)/);
  const { openapi, paths } = answer.body as { openapi: string; paths: Record<string, Record<string, object>> };
  expect(openapi).toMatch(/^3\./);
  const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
  const listed = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/'))
    .flatMap(([path, item]) =>
      Object.keys(item)
        .filter((name) => methods.has(name))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
  const interfaceOperations = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(interfaceOperations).toHaveLength(136);
  const ofEvents = ['GET /api/events', 'POST /api/events/{number}/undo'];
  const others = ['POST /api/batch', 'GET /api/key', ...ofEvents];
  const counts = listed.filter((operation) => /^GET \/api\/[^/]+\/[^/]+\/count$/.test(operation));
  expect(counts).toHaveLength(17);
  expect(listed.toSorted()).toEqual([...interfaceOperations, ...counts, ...others].toSorted());
});

test('every operation of the OpenAPI document has an id of its own', async () => {
  const { text } = await server.request('GET', '/openapi.json', undefined, withoutKey);
  const ids = [...text.matchAll(/"operationId":\s*"([^"]+)"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThanOrEqual(136);
  expect(new Set(ids).size).toBe(ids.length);
});
