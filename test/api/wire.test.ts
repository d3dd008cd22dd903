import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { parseRaw, raw } from '../support/raw.ts';
import { pageIn } from '../support/records.ts';
import { testKey } from '../support/server.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const path = '/api/crm/competitor';
const key = `Authorization: Bearer ${testKey}`;
const lines = (...all: string[]): string => [...all, '', ''].join('\r\n');
const send = async (...all: string[]) => parseRaw(await raw(server.port, lines(...all)));

test('a bare socket that speaks HTTP is answered like anyone', async () => {
  const answer = await send(`GET ${path} HTTP/1.1`, 'Host: x', key);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ data: [], has_more: false, total: 0 });
});

describe('bytes that are not HTTP are a bad request', () => {
  test.each([
    ['words', 'GARBAGE'],
    ['an empty method', ` ${path} HTTP/1.1`, 'Host: x', key],
    ['a method that nobody knows', `FETCH ${path} HTTP/1.1`, 'Host: x', key],
    ['a wrong version', `GET ${path} HTTP/9.9`, 'Host: x', key],
    ['a TLS greeting', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001'],
    ['a header without a colon', `GET ${path} HTTP/1.1`, 'Host: x', 'nonsense', key],
    ['a header name with a space', `GET ${path} HTTP/1.1`, 'Host: x', 'a b: c', key],
    ['a control character in a header', `GET ${path} HTTP/1.1`, 'Host: x', 'a: \u0000', key],
    ['a length that is no number', `POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: x', key],
    ['a negative length', `POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: -1', key],
    ['two lengths', `POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 1', 'Content-Length: 2', key],
    ['a length and pieces', `POST ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked', key],
  ])('%s', async (_, ...request) => {
    expectProblem(await send(...request), 400, 'bad_request');
  });

  test('no Host', async () => {
    expectProblem(await send(`GET ${path} HTTP/1.1`, key), 400, 'bad_request');
    expectProblem(await send('GET /healthz HTTP/1.1'), 400, 'bad_request');
  });
});

test('several Authorization headers are a bad request, whichever of them is right', async () => {
  const wrong = 'authorization: Bearer wrong';
  for (const headers of [
    [key, wrong],
    [wrong, key],
    [key, key],
  ]) {
    const { detail } = expectProblem(await send(`GET ${path} HTTP/1.1`, 'Host: x', ...headers), 400, 'bad_request');
    expect(detail).toBe('The request has several Authorization headers. Send one.');
  }
});

test('no answer of the API is kept by a cache, or taken for another type', async () => {
  const requests = [
    [`GET ${path} HTTP/1.1`, key],
    [`HEAD ${path} HTTP/1.1`, key],
    [`GET ${path}/none HTTP/1.1`, key],
    [`PUT ${path} HTTP/1.1`, key],
    [`GET ${path} HTTP/1.1`],
    ['GET /healthz HTTP/1.1'],
    ['GET / HTTP/1.1'],
    ['GARBAGE'],
  ];
  for (const [first = '', ...rest] of requests) {
    const { headers } = await send(first, 'Host: x', ...rest);
    expect([headers.get('cache-control'), headers.get('x-content-type-options')], first).toEqual([
      'no-store',
      'nosniff',
    ]);
  }
});

test('files for browsers are asked for again, and not taken for another type', async () => {
  for (const file of ['/docs', '/console', '/openapi.json']) {
    const { headers } = await server.request('GET', file);
    const shown = [headers.get('cache-control'), headers.get('x-content-type-options')];
    expect(shown, file).toEqual(['no-cache', 'nosniff']);
    const etag = headers.get('etag');
    const unchanged = await server.request('GET', file, undefined, { 'if-none-match': etag });
    expect([unchanged.status, unchanged.headers.get('cache-control')], file).toEqual([304, 'no-cache']);
  }
});

test('a header section that is too large', async () => {
  const oneLong = await send(`GET ${path} HTTP/1.1`, 'Host: x', `X-Long: ${'x'.repeat(130_000)}`, key);
  expectProblem(oneLong, 431, 'headers_too_large');
  const many = Array.from({ length: 5000 }, (_, index) => `X-${index}: ${'x'.repeat(20)}`);
  expectProblem(await send(`GET ${path} HTTP/1.1`, 'Host: x', ...many, key), 431, 'headers_too_large');
});

test('a URI that is too long', async () => {
  expectProblem(await send(`GET ${path}?${'x'.repeat(12_000)} HTTP/1.1`, 'Host: x', key), 414, 'uri_too_long');
  expectProblem(await send(`GET /${'x'.repeat(12_000)} HTTP/1.1`, 'Host: x'), 414, 'uri_too_long');
});

test('an expectation that the server cannot meet', async () => {
  const answer = await send(`GET ${path} HTTP/1.1`, 'Host: x', key, 'Expect: something-else');
  expectProblem(answer, 417, 'expectation_failed');
});

test('a client that waits to be told to go on is told so', async () => {
  const body = '{"competitor_name":"Acme"}';
  const head = lines(
    `POST ${path} HTTP/1.1`,
    'Host: x',
    key,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Expect: 100-continue',
  );
  const text = await raw(server.port, head + body);
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
  expect(parseRaw(text).status).toBe(201);
});

test('a client that leaves in the middle of a body does not disturb others', async () => {
  const { total } = pageIn(await server.request('GET', path));
  const head = lines(`POST ${path} HTTP/1.1`, 'Host: x', key, 'Content-Type: application/json', 'Content-Length: 100');
  for (const sent of [head, `${head}{`, `${head}{"competitor_name":"Acme"}`]) {
    const socket = connect(server.port, '127.0.0.1');
    await new Promise((resolve) => socket.write(sent, resolve));
    socket.resetAndDestroy();
    await once(socket, 'close');
  }
  expect(pageIn(await server.request('GET', path)).total).toBe(total);
});

test('a body whose pieces are broken is a bad request, and stores nothing', async () => {
  const { total } = pageIn(await server.request('GET', path));
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    key,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  expectProblem(parseRaw(await raw(server.port, `${lines(...head)}zz\r\n{}\r\n0\r\n\r\n`)), 400, 'bad_request');
  expect(pageIn(await server.request('GET', path)).total).toBe(total);
});

test('after all of this the server serves', async () => {
  pageIn(await server.request('GET', path));
});
