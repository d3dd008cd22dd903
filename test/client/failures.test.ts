import { describe, expect, test, vi } from 'vitest';

import { type ClientOptions, createClient } from '../service/generated/client.ts';
import { testKey } from '../support/server.ts';
import { FailingServer, problem, type Reply, success } from './failing-server.ts';

const lead = { id: 'lead_1', lead_name: 'Ann' };
const page = { data: [lead], has_more: false, total: 1 };

type Api = ReturnType<typeof createClient>;
type Request = readonly [name: string, send: (api: Api) => Promise<unknown>, answer: unknown];

const reads: readonly Request[] = [
  ['retrieve', (api) => api.crm.lead.retrieve('lead_1'), lead],
  ['list', (api) => api.crm.lead.list(), page],
];
const writes: readonly Request[] = [
  ['create', (api) => api.crm.lead.create({ lead_name: 'Ann' }), lead],
  ['update', (api) => api.crm.lead.update('lead_1', { lead_name: 'Ann' }), lead],
  ['delete', (api) => api.crm.lead.delete('lead_1'), { id: 'lead_1', deleted: true }],
  ['a transition', (api) => api.sales.order.submit('order_1'), { id: 'order_1' }],
  ['a batch', (api) => api.batch((queue) => [queue.crm.lead.create({})]), [lead]],
];

/** Sends a request to a server with these replies. @returns what comes of it, and how many requests the server got */
async function attempt(replies: readonly Reply[], send: Request[1], options?: Partial<ClientOptions>) {
  await using server = await FailingServer.start(...replies);
  const api = createClient({ url: server.url, key: testKey, ...options });
  const outcome = await send(api).catch((error: unknown) => error);
  return { outcome, received: server.received };
}

const answerOf = ([name, , answer]: Request): Reply =>
  success(name === 'a batch' ? { results: [{ status: 201, body: lead }] } : answer);

const html: Reply = { status: 502, body: '<html>Bad gateway</html>', headers: { 'Content-Type': 'text/html' } };
const now = { 'Retry-After': '0' };

describe.each([...reads, ...writes])('%s', (...request) => {
  test.each<[string, Reply]>([
    ['rate_limited', problem(429, 'rate_limited', now)],
    ['overloaded', problem(503, 'overloaded', now)],
    ['a 429 of a proxy', { ...html, status: 429, headers: { 'Retry-After': new Date(0).toUTCString() } }],
  ])('is repeated after %s, which nothing was done by', async (_, refusal) => {
    const { outcome, received } = await attempt([refusal, refusal, answerOf(request)], request[1]);
    expect(outcome).toEqual(request[2]);
    expect(received).toHaveLength(3);
    expect(received[2]).toEqual(received[0]);
  });
});

const inUse = problem(409, 'idempotency_key_in_use', now);
const uncertain: readonly Reply[] = ['close', 'cut off', problem(503, 'unavailable', now), inUse, html];

test.concurrent.each(
  [...reads, ...writes].flatMap((request) => uncertain.map((reply) => [request[0], reply, request] as const)),
)('%s is repeated if its outcome is unknown: %s', async (_, reply, request) => {
  const { outcome, received } = await attempt([reply, answerOf(request)], request[1]);
  expect(outcome).toEqual(request[2]);
  expect(received).toHaveLength(2);
  expect(received[1]).toEqual(received[0]);
});

test('each write has an Idempotency-Key of its own, or that of its options', async () => {
  const create = writes[0]![1];
  const keysOf = async (...args: Parameters<typeof attempt>): Promise<unknown[]> =>
    (await attempt(...args)).received.map(({ headers }) => headers['idempotency-key']);
  const twice = await keysOf([success(lead)], (api) => create(api).then(() => create(api)));
  expect(twice).toEqual([expect.any(String), expect.any(String)]);
  expect(twice[1]).not.toBe(twice[0]);
  const mine = { idempotencyKey: 'mine' };
  expect(await keysOf(['close', success(lead)], (api) => api.crm.lead.create({}, mine))).toEqual(['mine', 'mine']);
  expect(await keysOf([success({ results: [] })], (api) => api.batch(() => [], mine))).toEqual(['mine']);
  expect(await keysOf([success(lead)], create, { retries: 0 })).toEqual([undefined]);
  expect(await keysOf([success(lead)], reads[0]![1])).toEqual([undefined]);
});

test.each([...reads, ...writes])('%s is repeated if no connection was made', async (...request) => {
  const causes = ['ECONNREFUSED', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const code = causes.pop();
    if (code === undefined) return globalThis.fetch(url, init);
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
  };
  vi.spyOn(Math, 'random').mockReturnValue(0);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const sent = attempt([answerOf(request)], request[1], { fetch });
  await vi.waitFor(() => vi.advanceTimersByTimeAsync(10_000).then(() => expect(causes).toEqual([])), 10_000);
  vi.useRealTimers();
  vi.restoreAllMocks();
  const { outcome, received } = await sent;
  expect(outcome).toEqual(request[2]);
  expect(received).toHaveLength(1);
});

describe('repetitions end', () => {
  const refusal = problem(429, 'rate_limited', now);

  test.each([
    [{ retries: 0 }, 1],
    [{ retries: 2 }, 3],
  ])('with %j', async (options, requests) => {
    const { outcome, received } = await attempt([refusal], reads[0]![1], options);
    expect(outcome).toMatchObject({ problem: { code: 'rate_limited', status: 429 }, retryAfter: 0 });
    expect(received).toHaveLength(requests);
  });

  test('where the server asks for patience of minutes', async () => {
    const { outcome, received } = await attempt([problem(503, 'overloaded', { 'Retry-After': '120' })], reads[0]![1]);
    expect(outcome).toMatchObject({ problem: { code: 'overloaded' }, retryAfter: 120 });
    expect(received).toHaveLength(1);
  });

  test.each([
    [404, 'not_found'],
    [500, 'internal'],
    [422, 'invalid_body'],
  ])('at once with %i', async (status, code) => {
    const reply = problem(status, code);
    const body = { ...(reply as { body: object }).body, errors: [] };
    const { outcome, received } = await attempt([{ ...(reply as object), body } as Reply], reads[0]![1]);
    expect(outcome).toMatchObject({ problem: { code, request_id: 'request-1' } });
    expect(received).toHaveLength(1);
  });
});

test('a request goes below the path of the URL, with key and headers', async () => {
  const { received } = await attempt([success(lead)], (api) => api.crm.lead.create({ lead_name: 'Ann' }), {
    headers: { 'X-Request-Id': 'mine' },
  });
  expect(received).toMatchObject([
    {
      method: 'POST',
      url: '/behind/a/prefix/api/crm/lead',
      headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json', 'x-request-id': 'mine' },
      body: '{"lead_name":"Ann"}',
    },
  ]);
});

test('an ETag that a proxy has made weak is that of the service', async () => {
  const weak = { status: 200, body: lead, headers: { ETag: 'W/"3"' } };
  const { outcome } = await attempt([weak], (api) => api.crm.lead.retrieve('lead_1'));
  expect(outcome).toMatchObject({ etag: '"3"' });
});

test.each([301, 308])('a redirect (%i) is not followed: a POST would become a GET', async (status) => {
  const redirect = { status, body: '', headers: { Location: '/elsewhere' } };
  const { outcome, received } = await attempt([redirect, success(page)], writes[0]![1]);
  expect(outcome).toMatchObject({ problem: { code: 'unexpected_response', status } });
  expect(received).toHaveLength(1);
});

test.each([
  ['no JSON', { status: 200, body: 'OK' }],
  ['no problem', { status: 404, body: '{"error":"not found"}' }],
] as const)('an answer with %s is not taken for the service', async (_, reply) => {
  const { outcome } = await attempt([reply], reads[0]![1]);
  expect(outcome).toMatchObject({ problem: { code: 'unexpected_response', status: reply.status } });
});

test('a request without an answer in time, which is not repeated', async () => {
  const { outcome, received } = await attempt(['silence'], reads[0]![1], { timeout: 50 });
  expect(outcome).toMatchObject({ problem: { code: 'timed_out' }, message: expect.stringMatching(/^GET \/api/) });
  expect(received).toHaveLength(1);
});

test.each<[string, Reply]>([
  ['a request', 'silence'],
  ['the wait before it is repeated', problem(429, 'rate_limited', { 'Retry-After': '20' })],
])('a signal ends %s with its reason', async (_, reply) => {
  const controller = new AbortController();
  const reason = new Error('enough');
  await using server = await FailingServer.start(reply);
  const sent = createClient({ url: server.url, key: testKey }).crm.lead.list({}, { signal: controller.signal });
  while (server.received.length === 0) await new Promise(setImmediate);
  setTimeout(() => controller.abort(reason), 20);
  await expect(sent).rejects.toBe(reason);
  expect(server.received).toHaveLength(1);
});

test('a signal that was aborted before sends nothing', async () => {
  const sent: string[] = [];
  const fetch = async (url: string): Promise<Response> => Response.json(sent.push(url));
  const api = createClient({ url: 'http://127.0.0.1:1', key: testKey, fetch });
  const aborted = api.crm.lead.create({}, { signal: AbortSignal.abort() });
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toEqual([]);
});

test('a URL that is none is refused at once', () => {
  expect(() => createClient({ url: 'records.example.com', key: testKey })).toThrow(TypeError);
});

test('a filter by a list of no values is an error of the caller: nothing is sent', async () => {
  const filter = { lead_owner: { in: [] } };
  const list = await attempt([success(page)], (api) => api.crm.lead.list({ filter }));
  const each = await attempt([success(page)], (api) => Array.fromAsync(api.crm.lead.each({ filter })));
  for (const { outcome, received } of [list, each]) {
    expect(outcome).toBeInstanceOf(TypeError);
    expect(String(outcome)).toContain('The filter lead_owner[in] has no values');
    expect(received).toEqual([]);
  }
});
