import { describe, expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { parseRaw, raw } from '../support/raw.ts';
import { type Answer, sharedServer } from '../support/server.ts';
import { readSettings } from '../support/settings.ts';

const path = '/api/crm/competitor';
const ours = 'https://app.example.com';
const preflight = (origin: string, method = 'POST'): Record<string, string | null> => ({
  authorization: null,
  origin,
  'access-control-request-method': method,
  'access-control-request-headers': 'authorization,content-type',
});

const corsOf = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

/** The headers that a response depends on. */
const varyOf = ({ headers }: Answer): string[] => headers.get('vary')?.split(/, */).toSorted() ?? [];

describe('for some origins', () => {
  const server = sharedServer({
    env: { CORS_ORIGINS: `${ours}, http://localhost:5173`, PATH_PREFIX: '/some/records' },
  });

  test('a preflight request is answered before the key is checked', async () => {
    for (const target of [path, `${path}/x`, '/api/nothing', '/openapi.json']) {
      const answer = await server.request('OPTIONS', target, undefined, preflight(ours, 'PATCH'));
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(corsOf(answer)).toMatchObject({
        'access-control-allow-origin': ours,
        'access-control-allow-methods': expect.stringContaining('PATCH'),
        'access-control-allow-headers': expect.stringMatching(/Authorization.*Content-Type/),
        'access-control-max-age': '7200',
      });
      expect(varyOf(answer)).toEqual(['Origin']);
    }
  });

  test('scripts may send what tracing libraries add to each request', async () => {
    const asked = {
      ...preflight(ours),
      'access-control-request-headers': 'baggage,sentry-trace,traceparent,tracestate',
    };
    const answer = await server.request('OPTIONS', path, undefined, asked);
    const names = corsOf(answer)['access-control-allow-headers']?.toLowerCase().split(', ');
    expect(names).toEqual(expect.arrayContaining(asked['access-control-request-headers'].split(',')));
  });

  test('answers and errors name the origin, and never allow credentials', async () => {
    const withOrigin = { origin: ours };
    const created = await server.request('POST', path, { competitor_name: 'A' }, withOrigin);
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/some/records${path}/${(created.body as { id: string }).id}`);
    const answers = [
      created,
      await server.request('GET', path, undefined, withOrigin),
      await server.request('HEAD', path, undefined, withOrigin),
      await server.request('GET', path, undefined, { ...withOrigin, authorization: null }),
      await server.request('GET', `${path}/none`, undefined, withOrigin),
      await server.request('GET', '/nothing', undefined, withOrigin),
      await server.request('PUT', path, undefined, withOrigin),
      await server.request('POST', path, '{', withOrigin),
      await server.request('GET', '/healthz', undefined, withOrigin),
      await server.request('GET', '/openapi.json', undefined, withOrigin),
      await server.request('GET', '/', undefined, withOrigin),
      parseRaw(await raw(server.port, `GET ${path} HTTP/1.1\r\nOrigin: ${ours}\r\n\r\n`)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 401, 404, 404, 405, 400, 200, 200, 302, 400]);
    for (const answer of answers as Answer[]) {
      expect(corsOf(answer)).toEqual({
        'access-control-allow-origin': ours,
        'access-control-expose-headers': '*',
      });
      expect(varyOf(answer)).toContain('Origin');
    }
  });

  test.each([
    'https://evil.example',
    'https://app.example.com.evil.example',
    'http://app.example.com',
    'https://app.example.com:8443',
    'HTTPS://APP.EXAMPLE.COM',
    'null',
    '*',
    '',
    `${ours}, https://evil.example`,
    `${ours}/`,
    `https://${'x'.repeat(10_000)}.example`,
  ])('the origin %s is not allowed', async (origin) => {
    const answer = await server.request('GET', path, undefined, { origin });
    expect([answer.status, corsOf(answer)]).toEqual([200, {}]);
    expect(varyOf(answer)).toContain('Origin');
    const asked = await server.request('OPTIONS', path, undefined, preflight(origin));
    expectProblem(asked, 401, 'unauthorized');
    expect(corsOf(asked)).toEqual({});
  });

  test('OPTIONS that is no preflight request is like any other', async () => {
    expectProblem(await server.request('OPTIONS', path, undefined, { origin: ours }), 405, 'method_not_allowed');
    const { origin: _origin, ...others } = preflight(ours);
    expectProblem(await server.request('OPTIONS', path, undefined, others), 401, 'unauthorized');
  });
});

describe('for all origins', () => {
  const server = sharedServer({ env: { CORS_ORIGINS: '*' } });

  test('every origin is allowed, by an answer that is the same for all', async () => {
    for (const origin of [ours, 'null', 'capacitor://localhost']) {
      const answer = await server.request('GET', path, undefined, { origin });
      expect(corsOf(answer)).toMatchObject({ 'access-control-allow-origin': '*' });
      expect(corsOf(answer)).not.toHaveProperty('access-control-allow-credentials');
      expect(varyOf(answer)).not.toContain('Origin');
      expect((await server.request('OPTIONS', path, undefined, preflight(origin))).status).toBe(204);
    }
  });
});

describe('without the setting', () => {
  const server = sharedServer();

  test('no origin is allowed', async () => {
    const answer = await server.request('GET', path, undefined, { origin: ours });
    expect([answer.status, corsOf(answer), varyOf(answer)]).toEqual([200, {}, []]);
    expectProblem(await server.request('OPTIONS', path, undefined, preflight(ours)), 401, 'unauthorized');
  });
});

test.each([
  ['https://a.example', ['https://a.example']],
  [' https://a.example , http://b.example:81,', ['https://a.example', 'http://b.example:81']],
  ['http://[::1]:3000', ['http://[::1]:3000']],
  ['capacitor://localhost', ['capacitor://localhost']],
])('CORS_ORIGINS=%s', (text, origins) => {
  expect([...(readSettings({ CORS_ORIGINS: text }).CORS_ORIGINS ?? [])]).toEqual(origins);
});

test.each([
  'a.example',
  'https://a.example/',
  'https://a.example/path',
  'https://a.example:443',
  'https://A.example',
  'https://user@a.example',
  'https://*.example',
  'https://a.example,*',
  'https://a example',
  'null',
  ',',
  'https://',
  'javascript:alert(1)',
])('CORS_ORIGINS=%s is refused at the start', (text) => {
  expect(() => readSettings({ CORS_ORIGINS: text })).toThrow(/CORS_ORIGINS is .* must be \* or origins/);
});

test.each([
  'records',
  '/records/',
  '/',
  '/re cords',
  '/a//b',
  '/a?b',
  '//evil.example',
  '/a\r\nX: y',
  '/a/..',
  '/./a',
  '/%2e',
])('PATH_PREFIX=%s is refused at the start', (text) => {
  expect(() => readSettings({ PATH_PREFIX: text })).toThrow('PATH_PREFIX');
});
