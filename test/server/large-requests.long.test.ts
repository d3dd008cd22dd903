import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { create } from '../support/records.ts';
import { parseRaw, raw } from '../support/raw.ts';
import { startServer, type TestServer, testKey } from '../support/server.ts';

const otherKey = 'other-key-0123456789abcdef0123456789abcdef';
const attachments = '/api/files/attachment';
const leads = '/api/crm/lead';
const mebibyte = 1_048_576;
/** Three quarters are for bodies and answers: two bodies fit, one of each key. */
const buffered = 44 * mebibyte;
const data = 'x'.repeat(10 * mebibyte);
const upload = JSON.stringify({ order_id: 'order', data });

let server: TestServer;
let recordId: string;

beforeAll(async () => {
  const env = { MAX_BUFFERED_MIB: String(buffered / mebibyte), API_KEYS: `${testKey},${otherKey}` };
  server = await startServer({ env });
  recordId = (await create(server, attachments, { order_id: 'order', data })).id;
});

afterAll(() => server?.close());

const sockets: Socket[] = [];

/** Sends bytes, and reads nothing unless it is told to. */
async function open(bytes: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1').pause();
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Ends all connections. The next request of another one finds the server aware of it. */
async function closeAll(): Promise<void> {
  const closed = sockets.splice(0).map((socket) => once(socket.destroy(), 'close'));
  await Promise.all(closed);
  await server.request('GET', '/healthz');
}

const headOf = (method: string, target: string, ...lines: string[]): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${testKey}`, ...lines, '', ''].join('\r\n');
const uploadHead = headOf(
  'POST',
  attachments,
  'Content-Type: application/json',
  `Content-Length: ${Buffer.byteLength(upload)}`,
);

const as = (key: string) => ({ authorization: `Bearer ${key}` });

test('a key that holds its share is refused, however it is written, and others are not', async () => {
  // All but the last byte.
  await open(uploadHead + upload.slice(0, -1));
  const refused = server.request('POST', attachments, upload, { authorization: `bEARER   ${testKey}` });
  const refusedAnswer = server.request('GET', `${attachments}/${recordId}`);

  const other = await server.request('POST', attachments, upload, as(otherKey));
  expect(other.status).toBe(201);
  await create(server, leads, { company: 'Acme' });

  for (const answer of await Promise.all([refused, refusedAnswer])) {
    expectProblem(answer, 503, 'overloaded');
    expect(answer.headers.get('retry-after')).toBe('5');
  }
  const waiting = server.request('POST', attachments, upload);
  await closeAll();
  expect((await waiting).status).toBe(201);
});

test('a body that cannot be taken is not asked for', async () => {
  for (let n = 0; n < 2; n++) await open(uploadHead + upload.slice(0, -1));
  const head = uploadHead.replace('Host: x', 'Host: x\r\nExpect: 100-continue');
  const text = await raw(server.port, head, 20_000);
  expect(text).not.toContain('100 Continue');
  expectProblem(parseRaw(text), 503, 'overloaded');
  await closeAll();
});
