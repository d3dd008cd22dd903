import { describe, expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { create, pageIn } from '../support/records.ts';
import { endpoints, records, resources, singletons } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The methods of each path template, HEAD with GET. */
const paths = Object.entries(Object.groupBy(endpoints, ({ path }) => path)).map(([path, ofPath = []]) => {
  const methods = ofPath.map(({ method }) => method);
  return { path, methods: methods.includes('GET') ? [...methods, 'HEAD'] : methods };
});

// PATCH and DELETE of <path>/reorder are also PATCH and DELETE of an item with the id "reorder".
const isAnItem = (path: string, method: string): boolean =>
  path.endsWith('/reorder') && (method === 'PATCH' || method === 'DELETE');

const refused = paths.flatMap(({ path, methods }) =>
  allMethods
    .filter((method) => !methods.includes(method) && !isAnItem(path, method))
    .map((method) => ({ method, path, methods })),
);

test('every path of the interface is covered', () => {
  // 16 records: two paths each, and four of them with submit and cancel; 9 line items: three; 2 singletons: two.
  expect(paths).toHaveLength(16 * 2 + 4 * 2 + 9 * 3 + 2 * 2);
});

test.each(refused)('$method $path is not allowed', async ({ method, path, methods }) => {
  const answer = await server.request(method, path.replace('{id}', 'x'));
  if (method === 'HEAD') {
    expect(answer.status).toBe(405);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
  } else expectProblem(answer, 405, 'method_not_allowed');
  const allowed = (answer.headers.get('allow') ?? '').split(/, */).filter((one) => !isAnItem(path, one));
  // HEAD goes without saying where there is GET.
  expect(new Set([...allowed, ...(allowed.includes('GET') ? ['HEAD'] : [])])).toEqual(new Set(methods));
});

describe.each(resources)('$name', ({ path }) => {
  test('a trailing slash, another case or one segment more is another path', async () => {
    for (const other of ['/', '/x/', '/x/y', '/x/submit/', '/x/submit/y', '/reorder/x/y', '//', '/x//']) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expectProblem(await server.request(method, path + other), 404, 'not_found');
      }
    }
    expectProblem(await server.request('GET', path.toUpperCase()), 404, 'not_found');
    expectProblem(await server.request('GET', path.replace('/api/', '/api//')), 404, 'not_found');
    expectProblem(await server.request('GET', `/v1${path}`), 404, 'not_found');
    expectProblem(await server.request('GET', path.slice(0, -1)), 404, 'not_found');
  });
});

test.each(['/api/crm', '/api/nothing', '/api/nothing/at/all', '/api/crm/leads', '/api/crm/__proto__', '/api/x%00y'])(
  'there is nothing at %s',
  async (path) => {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT']) {
      expectProblem(await server.request(method, path), 404, 'not_found');
    }
  },
);

test.each(['/nothing', '/favicon.ico', '/crm/lead', '/apis', '/package.json', '/.env', '/healthz/', '/readyz/x'])(
  'there is nothing at %s, with a key or without',
  async (path) => {
    expectProblem(await server.request('GET', path), 404, 'not_found');
    expectProblem(await server.request('GET', path, undefined, { authorization: null }), 404, 'not_found');
    expectProblem(await server.request('POST', path, {}, { authorization: null }), 404, 'not_found');
  },
);

test('a path that cannot be decoded is an error of the caller', async () => {
  for (const id of ['%', '%zz', '%ff', '%ed%a0%80', '%c0%af']) {
    const answer = await server.request('GET', `/api/crm/lead/${id}`);
    if (answer.status === 404) expectProblem(answer, 404, 'not_found');
    else expectProblem(answer, 400, 'bad_request');
  }
});

// Headers of one response or its connection; fetch closes the connection of a HEAD.
const perAnswer = new Set(['date', 'x-request-id', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']);

describe('HEAD answers as GET without the body', () => {
  async function expectHead(path: string): Promise<void> {
    const [head, get] = [await server.request('HEAD', path), await server.request('GET', path)];
    expect([head.status, head.text]).toEqual([get.status, '']);
    const without = (headers: Headers) => [...headers].filter(([name]) => !perAnswer.has(name));
    expect(without(head.headers)).toEqual(without(get.headers));
    // The length may be left out of an answer without a body; a wrong one may not be given.
    const length = head.headers.get('content-length');
    if (length !== null && get.status === 200) expect(Number(length)).toBe(Buffer.byteLength(get.text));
  }

  test.each(records)('$name', async ({ path }) => {
    await expectHead(path);
    await expectHead(`${path}?limit=3`);
    await expectHead(`${path}?limit=0`);
    await expectHead(`${path}/x`);
  });

  test.each(singletons)('$name', async ({ path }) => {
    await expectHead(path);
  });

  test('of a record', async () => {
    const path = '/api/crm/competitor';
    const { id } = await create(server, path, { competitor_name: 'Ümläut 🙂' });
    await expectHead(`${path}/${id}`);
    pageIn(await server.request('GET', path));
  });
});
