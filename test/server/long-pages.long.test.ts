import { existsSync, readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';

import { attachmentTable as table } from '../service/generated/files/attachment.schema.ts';
import { openSqlite } from '../support/main-store.ts';
import { pageIn } from '../support/records.ts';
import { type TestServer, startServer, testKey } from '../support/server.ts';
import { skip } from '../support/skip.ts';
import { Folder } from './command.ts';
import { serviceName } from '../support/databases.ts';

const path = '/api/files/attachment';
// The newest hold the most that data may hold, 10,485,760 code points; before them are many of some size. Each page is
// several times as long as the memory that may be held.
const large = { count: 100, length: 10_485_760 };
const medium = { count: 800, length: 200_000 };
const total = medium.count + large.count;
const lengthOf = (n: number): number => (n < medium.count ? medium : large).length;
const mebibyte = 1_048_576;
const mostHeld = 64 * mebibyte;

const idOf = (n: number): string => `attachment_${String(n).padStart(26, '0')}`;
const time = '2024-02-29T12:00:00.000Z';
/** Something of its own for every record, with what JSON escapes and what UTF-8 spells in two bytes. */
const beginning = (n: number): string => `${n} "Zoë" \\ \n`;
const filler = (n: number): string => String.fromCodePoint(97 + (n % 26));
const fillerLength = (n: number): number => lengthOf(n) - beginning(n).length;

let folder: Folder;
let server: TestServer;

/** Which part of the list. */
interface Part {
  readonly limit: number;
  readonly offset: number;
}
const largePart: Part = { limit: large.count, offset: 0 };
const someLarge: Part = { limit: 20, offset: 0 };
const mediumPart: Part = { limit: medium.count, offset: large.count };

/** Stores the records by hand: hundreds of megabytes through the API would take most of the time of these tests. */
async function fill(file: string): Promise<void> {
  await (await openSqlite(file, [table], serviceName)).close();
  const database = new DatabaseSync(file);
  // Large pages, and no care for a power cut, make the writing five times as fast.
  database.exec(`pragma journal_mode = delete; pragma page_size = 65536; vacuum;
    pragma journal_mode = off; pragma synchronous = off; begin`);
  const insert = database.prepare(
    `insert into "${table.name}" (_organization, id, order_id, data, created_at, updated_at)
      values (1, ?, ?, ? || printf('%.*c', ?, ?), ?, ?)`,
  );
  for (let n = 0; n < total; n++) {
    insert.run(idOf(n), `order ${n}`, beginning(n), fillerLength(n), filler(n), time, time);
  }
  database.exec(`update _row_counter set "count" = ${total} where "table" = '${table.name}'; commit`);
  database.close();
}

/** The bytes of a list, in pieces that are made when they are asked for. */
function* wantedBytes({ limit, offset }: Part): Generator<Buffer> {
  yield Buffer.from('{"data":[');
  const last = total - offset - limit;
  for (let n = total - offset - 1; n >= last; n--) {
    const sent = { id: idOf(n), order_id: `order ${n}`, created_at: time, updated_at: time };
    const record = {
      ...Object.fromEntries(table.columns.map(({ name, default: value }) => [name, value])),
      ...sent,
      data: '\0',
    };
    const [before = '', after = ''] = JSON.stringify(record).split(JSON.stringify('\0'));
    yield Buffer.from(before + JSON.stringify(beginning(n)).slice(0, -1));
    yield Buffer.alloc(fillerLength(n), filler(n));
    yield Buffer.from(`"${after}${n > last ? ',' : ''}`);
  }
  yield Buffer.from(`],"has_more":${last > 0},"total":${total}}`);
}

/** Compares what arrives with the list as it should be, and keeps none of it. */
class Comparison {
  bytes = 0;
  readonly #wanted: Generator<Buffer>;
  #piece: Buffer = Buffer.alloc(0);
  #place = 0;

  constructor(part: Part) {
    this.#wanted = wantedBytes(part);
  }

  take(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (this.#place === this.#piece.length) this.#next();
      const some = Math.min(chunk.length - at, this.#piece.length - this.#place);
      if (chunk.compare(this.#piece, this.#place, this.#place + some, at, at + some) !== 0) {
        const context = chunk.toString('utf8', at, at + Math.min(some, 100));
        throw new Error(`The list goes wrong within the ${some} bytes after byte ${this.bytes}: ${context}`);
      }
      at += some;
      this.#place += some;
      this.bytes += some;
    }
  }

  end(): void {
    if (this.#place < this.#piece.length || !this.#wanted.next().done) {
      throw new Error(`The list ends too early, after ${this.bytes} bytes.`);
    }
  }

  #next(): void {
    const { done, value } = this.#wanted.next();
    if (done) throw new Error(`The list goes on after its end, at byte ${this.bytes}.`);
    this.#piece = value;
    this.#place = 0;
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const open = ({ limit, offset }: Part): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${testKey}` };
    const url = `${server.url}${path}?limit=${limit}&offset=${offset}`;
    get(url, { headers, agent: false }, resolve).on('error', reject);
  });

/** Reads a part of the list, waiting as long as `wait` says after so many bytes. */
async function readList(part: Part, wait?: (bytes: number) => Promise<void> | undefined): Promise<void> {
  const answer = await open(part);
  expect(answer.statusCode).toBe(200);
  const comparison = new Comparison(part);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    comparison.take(chunk);
    await wait?.(comparison.bytes);
  }
  comparison.end();
}

const statusFile = (): string => `/proc/${server.process.pid}/status`;

/** The memory that the server holds, in bytes; undefined where the system does not tell. */
function held(): number | undefined {
  if (!existsSync(statusFile())) return undefined;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(statusFile(), 'utf8'))?.[1]) * 1024;
}

/** The memory of a server whose threads have started, that has served a little and then had nothing to do. */
async function settled(): Promise<number | undefined> {
  for (let n = 0; n < 20; n++) pageIn(await server.request('GET', '/api/crm/lead'));
  pageIn(await server.request('GET', '/api/crm/lead?limit=1000'));
  await untilIdle();
  return held();
}

interface Course {
  /** How much more memory than before the server held at most. */
  rise: number | undefined;
  /** Other requests, and the milliseconds that the slowest of them and the work took. */
  others: number;
  slowest: number;
  duration: number;
}

/** Watches the server's memory, and sends other requests, while the work lasts. */
async function watch(work: () => Promise<void>): Promise<Course> {
  const before = await settled();
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, held() ?? 0)), 20);
  const course: Course = { rise: undefined, others: 0, slowest: 0, duration: 0 };
  const over = new AbortController();
  const others = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const begin = performance.now();
      pageIn(await server.request('GET', '/api/crm/lead'));
      course.others++;
      course.slowest = Math.max(course.slowest, performance.now() - begin);
      await pause(20);
    }
  };
  const begin = performance.now();
  const ended = work().finally(() => {
    course.duration = performance.now() - begin;
    over.abort();
  });
  try {
    await Promise.all([ended, others()]);
  } finally {
    clearInterval(timer);
  }
  if (before !== undefined) course.rise = most - before;
  return course;
}

function expectLightCourse({ rise, others, slowest, duration }: Course, context: TestContext): void {
  expect(others).toBeGreaterThan(5);
  // On a busy machine both take longer.
  expect(slowest).toBeLessThan(Math.max(2_000, duration / 2));
  if (rise === undefined) return skip(context, 'the memory of a process is only looked up in /proc');
  expect(rise / mebibyte, 'MiB more than before').toBeLessThan(mostHeld / mebibyte);
}

beforeAll(async () => {
  folder = new Folder();
  await fill(folder.file('records.db'));
  server = await startServer({ alone: true, folder: folder.path });
});

afterAll(async () => {
  await server?.close();
  folder?.[Symbol.dispose]();
});

test('a fast reader gets the whole page of 100 records of 10 MiB, and little memory is held', async (context) => {
  expectLightCourse(await watch(() => readList(largePart)), context);
});

test('a slow reader does too', async (context) => {
  await server.restart();
  let waitedAt = 0;
  const course = await watch(async () => {
    await readList(someLarge, (bytes) => {
      if (waitedAt > 0 && bytes < waitedAt + large.length) return undefined;
      const first = waitedAt === 0;
      waitedAt = bytes;
      // A server that does not wait fetches everything before it is idle. Then a little after every record.
      return first ? untilIdle() : pause(10);
    });
  });
  expectLightCourse(course, context);
});

test('a page of many records that are not so large is as light', async (context) => {
  await server.restart();
  expectLightCourse(await watch(() => readList(mediumPart)), context);
});

/** The processor time the server has used so far, in milliseconds. */
function busy(): number | undefined {
  const file = `/proc/${server.process.pid}/stat`;
  if (!existsSync(file)) return undefined;
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10; // the kernel tells in hundredths of a second
}

/** Waits until the server has nothing to do but what tests ask beside. */
async function untilIdle(): Promise<void> {
  for (let used = Infinity; used > 60;) {
    const before = busy() ?? 0;
    await pause(200);
    used = (busy() ?? 0) - before;
  }
}

test('the head alone costs next to nothing', async (context) => {
  let errors = '';
  server.process.stderr.on('data', (text: string) => (errors += text));
  const before = busy();
  const head = await server.request('HEAD', `${path}?limit=1000`);
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
  expect(head.headers.get('content-type')).toBe('application/json');
  expect(pageIn(await server.request('GET', `${path}?limit=1&offset=${total - 1}`)).total).toBe(total);
  const used = (busy() ?? 0) - (before ?? 0);
  expect(errors).toBe('');
  if (before === undefined) return skip(context, 'the processor time of a process is only looked up in /proc');
  expect(used).toBeLessThan(400); // the records together would take several times as much
});

test('a reader that hangs up half way harms nothing', async (context) => {
  const answer = await open(someLarge);
  const comparison = new Comparison(someLarge);
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    comparison.take(chunk);
    if (comparison.bytes > 3 * large.length) break;
  }
  const before = busy();
  answer.socket.destroy();
  expect((await server.request('GET', '/readyz')).status).toBe(200);
  expect(pageIn(await server.request('GET', `${path}?limit=1&offset=${total - 1}`)).data[0]?.id).toBe(idOf(0));
  await untilIdle();
  const used = (busy() ?? 0) - (before ?? 0);
  expect(await server.stop()).toBe(0);
  if (before === undefined) return skip(context, 'the processor time of a process is only looked up in /proc');
  // Fetching the other records would take several times as much.
  expect(used).toBeLessThan(200);
});
