import { expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { parseRaw, raw } from '../support/raw.ts';
import { create, list, pageIn } from '../support/records.ts';
import { type Answer, testKey } from '../support/server.ts';
import { endpoints } from './interface.ts';
import { sharedServer } from './server.ts';

const secondKey = 'second-key-fedcba9876543210fedcba9876543210';
const server = sharedServer({ env: { API_KEYS: `${testKey},${secondKey}` } });

const withoutKey = 'Bearer realm="business-records"';
const withWrongKey = 'Bearer realm="business-records", error="invalid_token"';
const path = '/api/crm/competitor';

function expectUnauthorized(answer: Answer, challenge: string): void {
  expectProblem(answer, 401, 'unauthorized');
  expect(answer.headers.get('www-authenticate')).toBe(challenge);
}

test('each of the keys opens', async () => {
  for (const key of [testKey, secondKey]) {
    pageIn(await server.request('GET', path, undefined, { authorization: `Bearer ${key}` }));
  }
});

test('without a key nothing opens', async () => {
  expectUnauthorized(await server.request('GET', path, undefined, { authorization: null }), withoutKey);
});

test.each([
  'wrong',
  `${testKey}x`,
  `x${testKey}`,
  testKey.slice(0, -1),
  testKey.toUpperCase(),
  `${testKey},${secondKey}`,
  ',',
  '*',
  '"',
  'x'.repeat(100),
])('the key %s does not open', async (key) => {
  expectUnauthorized(await server.request('GET', path, undefined, { authorization: `Bearer ${key}` }), withWrongKey);
});

test.each(['Basic dXNlcjpwYXNz', testKey, 'Bearer', `Token ${testKey}`, `Bearer${testKey}`, `Bearer ${testKey} x`])(
  'the header %s does not open',
  async (authorization) => {
    const answer = await server.request('GET', path, undefined, { authorization });
    expectProblem(answer, 401, 'unauthorized');
    expect([withoutKey, withWrongKey]).toContain(answer.headers.get('www-authenticate'));
  },
);

test('a key in the query or in another header does not open', async () => {
  for (const query of [`api_key=${testKey}`, `access_token=${testKey}`]) {
    expectUnauthorized(await server.request('GET', `${path}?${query}`, undefined, { authorization: null }), withoutKey);
  }
  const headers = { authorization: null, 'x-api-key': testKey, cookie: `authorization=${testKey}` };
  expectUnauthorized(await server.request('GET', path, undefined, headers), withoutKey);
});

/** A request that nothing but its key should be said of. */
const requestTo = ({ method, path: template }: (typeof endpoints)[number], authorization: string | null) => {
  const body = method === 'PATCH' || method === 'POST' ? '{"broken' : undefined;
  return server.request(method, template.replace('{id}', 'x'), body, { authorization });
};

test.each(endpoints)('$method $path needs a key', async (endpoint) => {
  expectUnauthorized(await requestTo(endpoint, null), withoutKey);
});

test('a wrong key opens nothing', async () => {
  // At the same time: many of them are answered a second later.
  await Promise.all(
    endpoints.map(async (endpoint) => expectUnauthorized(await requestTo(endpoint, 'Bearer x'), withWrongKey)),
  );
});

test('the key comes before anything that could be told of the path', async () => {
  for (const unknown of ['/api/nothing', '/api/crm', '/api/crm/lead/', '/api/crm/lead/x/y/z', '/api/crm/lead?x=1']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expectUnauthorized(await server.request(method, unknown, undefined, { authorization: null }), withoutKey);
    }
  }
});

test('the key comes before the body: its type, its size, and its first byte', async () => {
  const { total } = await list(server, path, { limit: 1 });
  const headers = { authorization: null };
  expectUnauthorized(await server.request('POST', path, 'x', { ...headers, 'content-type': 'text/plain' }), withoutKey);
  // A body that is announced and never sent: who waits for it never answers.
  const answer = await raw(
    server.port,
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`,
  );
  expectUnauthorized(parseRaw(answer), withoutKey);
  expect((await list(server, path, { limit: 1 })).total).toBe(total);
});

test.each([
  `http://x${path}`,
  `http://x:1${path}?limit=1`,
  `/${path}`,
  `/.${path}`,
  `/x/..${path}`,
  `/healthz/..${path}`,
  path.replace('api', '%61pi'),
  path.replaceAll('/', '%2F'),
  path.replaceAll('/', '\\'),
  path.replace('api', 'API'),
  `${path};x`,
  `?${path}`,
  `/healthz#${path}`,
])('no spelling of the path gets around the key: %s', async (target) => {
  for (const method of ['GET', 'POST', 'HEAD']) {
    const answer = parseRaw(await raw(server.port, `${method} ${target} HTTP/1.1\r\nHost: x\r\n\r\n`));
    expect([400, 401, 404, 405]).toContain(answer.status);
    expect(answer.text).not.toContain('total');
  }
});

test('a refused request leaves nothing behind', async () => {
  const created = await create(server, path, { competitor_name: 'Acme' });
  const headers = { authorization: 'Bearer wrong' };
  const { total } = await list(server, path, { limit: 1 });
  await server.request('POST', path, { competitor_name: 'Other' }, headers);
  await server.request('PATCH', `${path}/${created.id}`, { competitor_name: 'Other' }, headers);
  await server.request('DELETE', `${path}/${created.id}`, undefined, headers);
  expect(await list(server, path, { limit: 1 })).toEqual({ data: [created], has_more: total > 1, total });
});

test('an error never repeats the key', async () => {
  for (const key of [testKey, 'wrong-key']) {
    const answer = await server.request('GET', '/api/nothing', undefined, { authorization: `Bearer ${key}` });
    expect(answer.text).not.toContain(key);
  }
});
