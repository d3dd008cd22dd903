import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { getOf } from '../../runtime/kernel/api/app.ts';
import { publishAssets } from '../../runtime/kernel/api/assets.ts';
import type { Asset } from '../../runtime/kernel/model/asset.ts';
import type { Env } from '../../runtime/kernel/api/service.ts';

const text = 'Ein Lied von der Glocke. '.repeat(400);
const noise = randomBytes(5_000);
let isAway = true;

const assets: readonly Asset[] = [
  {
    path: '/page',
    type: 'text/html; charset=utf-8',
    body: text,
    headers: { 'Content-Security-Policy': "default-src 'none'" },
  },
  { path: '/small.css', type: 'text/css; charset=utf-8', body: 'body { margin: 0 }' },
  { path: '/noise.png', type: 'image/png', body: noise },
  {
    path: '/lazy.js',
    type: 'text/javascript; charset=utf-8',
    get body() {
      if (isAway) throw new Error('The disk is away.');
      return text;
    },
  },
];

const app = new Hono<Env>();
publishAssets(getOf(app), assets);
app.onError((_, c) => c.text('failed', 500));
const server = createServer(getRequestListener((req, env) => app.fetch(req, env as Env['Bindings'])));

beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: '127.0.0.1', path, method, headers, agent: false }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode, headers: incoming.headers, body: Buffer.concat(pieces) }),
      );
    });
    outgoing.on('error', reject).end();
  });
}

test('an asset is sent with its type, and with what keeps browsers from guessing and from showing an old one', async () => {
  const { status, headers, body } = await ask('/page');
  expect([status, body.toString()]).toEqual([200, text]);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    'referrer-policy': 'no-referrer',
  });
  expect(headers).not.toHaveProperty('content-encoding');
});

test.each([
  ['br', 'gzip, br', brotliDecompressSync],
  ['gzip', 'br;q=0, gzip', gunzipSync],
] as const)('%s is sent to a client that accepts %s', async (coding, accepted, decompress) => {
  const plain = await ask('/page');
  const { headers, body } = await ask('/page', { 'Accept-Encoding': accepted });
  expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(body.length) });
  expect(decompress(body).toString()).toBe(text);
  expect(body.length).toBeLessThan(text.length / 10);
  expect(headers.etag).not.toBe(plain.headers.etag);
});

test('a file that compression does not shorten is sent as it is', async () => {
  for (const path of ['/small.css', '/noise.png']) {
    const { headers, body } = await ask(path, { 'Accept-Encoding': 'br, gzip' });
    const plain = await ask(path);
    expect(headers).not.toHaveProperty('content-encoding');
    expect([headers.etag, headers.vary]).toEqual([plain.headers.etag, 'Accept-Encoding']);
    expect(body).toEqual(plain.body);
  }
});

test('a client with the current version gets 304', async () => {
  const { headers } = await ask('/page', { 'Accept-Encoding': 'gzip' });
  const etag = headers.etag as string;
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, `"a,b" ,W/"c",${etag}`, '*', ' * ']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask('/page', { 'Accept-Encoding': 'gzip', 'If-None-Match': known }, method);
      expect([answer.status, answer.body.length], `${method} ${known}`).toEqual([304, 0]);
      expect(answer.headers).toMatchObject({ etag, vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
      expect(answer.headers).not.toHaveProperty('content-length');
      expect(answer.headers).not.toHaveProperty('content-type');
    }
  }
  const others = ['"other"', etag.slice(1, -1), `${etag.slice(0, -2)}"`, '', '"', `"${'x'.repeat(4_000)}`];
  for (const other of others) {
    expect((await ask('/page', { 'Accept-Encoding': 'gzip', 'If-None-Match': other })).status, other).toBe(200);
  }
  // The ETag of another representation.
  expect((await ask('/page', { 'If-None-Match': etag })).status).toBe(200);
});

test('HEAD has the headers of GET', async () => {
  for (const coding of ['identity', 'gzip']) {
    const get = await ask('/page', { 'Accept-Encoding': coding });
    const head = await ask('/page', { 'Accept-Encoding': coding }, 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
  }
});

test('an asset that could not be read is read again', async () => {
  expect((await ask('/lazy.js')).status).toBe(500);
  isAway = false;
  expect((await ask('/lazy.js', { 'Accept-Encoding': 'gzip' })).status).toBe(200);
  expect((await ask('/lazy.js')).body.toString()).toBe(text);
});

test('an asset has no parameters', async () => {
  expect((await ask('/page?v=1')).status).toBe(500);
});
