import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { usageOf } from '../bench/processes.ts';
import { create, retrieve } from '../support/records.ts';
import { parseRaw, raw } from '../support/raw.ts';
import { skip } from '../support/skip.ts';
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

/** The resident memory of the server, in MiB; undefined where it cannot be seen. */
const memory = (): number | undefined => usageOf(server.process.pid as number).memory / mebibyte || undefined;

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
  await open(uploadHead + upload.slice(0, -1));
  const head = uploadHead.replace('Host: x', 'Host: x\r\nExpect: 100-continue');
  const text = await raw(server.port, head, 15_000);
  expect(text).not.toContain('100 Continue');
  expectProblem(parseRaw(text), 503, 'overloaded');
  await closeAll();
});

test('answers that no client reads hold no more memory than that', async (context) => {
  // A fresh process: memory left by earlier requests would hide the memory of these.
  await server.restart();
  const before = memory();
  for (let n = 0; n < 40; n++) await open(headOf('GET', n % 2 ? attachments : `${attachments}/${recordId}`));
  // Once a later request is answered, those that fit have begun.
  const answer = await server.request('GET', `${attachments}/${recordId}`, undefined, as(otherKey));
  expect((answer.body as { data: string }).data === data).toBe(true);
  await create(server, leads, { company: 'Acme' });
  const after = memory();
  await closeAll();
  expect((await retrieve(server, attachments, recordId))['data'] === data).toBe(true);
  if (before === undefined || after === undefined) return skip(context, 'memory is only looked up in /proc');
  expect(after - before, 'MiB more than before').toBeLessThan(150);
});

test('bodies in small chunks take no more memory than their bytes', async (context) => {
  // A fresh process: memory left by earlier requests would hide the memory of these.
  await server.restart();
  const before = memory();
  const body = JSON.stringify({ company: 'Acme' }).padStart(mebibyte);
  const chunked = body.replaceAll(/.{32}/g, '20\r\n$&\r\n');
  const head = headOf('POST', leads, 'Content-Type: application/json', 'Transfer-Encoding: chunked');
  for (let n = 0; n < 12; n++) await open(head + chunked.slice(0, -6));
  // Its last byte is read when theirs have been.
  expect(parseRaw(await raw(server.port, `${head}${chunked}0\r\n\r\n`, 30_000)).status).toBe(201);
  const after = memory();
  await closeAll();
  if (before === undefined || after === undefined) return skip(context, 'memory is only looked up in /proc');
  expect(after - before, 'MiB more than before').toBeLessThan(120);
});
