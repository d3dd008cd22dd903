import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import * as generated from '../service/generated/tables.ts';
import type { ErrorCode } from '../../runtime/model/errors.ts';
import type { Table } from '../../runtime/model/table.ts';
import { resources } from '../service/resources.ts';
import type { Resource } from '../support/resources.ts';
import { usageOf } from '../bench/processes.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import { expectProblem, type Problem } from '../support/problem.ts';
import { Random } from '../support/random.ts';
import { parseRaw } from '../support/raw.ts';
import { create, list, listAll } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { repeatable, seed } from '../support/seed.ts';
import { startServer, type TestServer, testKey } from '../support/server.ts';

/** The only lines that these requests may leave in the log. */
const wrongKeyLines = /^.*"msg":"A request had a wrong API key\."}\n/gm;

const attempts = 15_000;
const attackers = 16;
const silence = 250; // milliseconds after which a connection is given up: most damaged requests never end
const mebibyte = 1_048_576;

const tables = Object.values<Table>(generated);
const parentless = resources.filter(({ kind }) => kind === 'record');

const words =
  `% %00 %2e%2e%2f ../ // ? & # ; \\ " ' { } [ ] , : - 0 1e400 -0 null true {} [] __proto__ constructor \\ud800 \\u0000 ` +
  'limit=0 limit=-1 offset=1e9 after= parent_id= HTTP/1.0 🙂 é \ufeff \u2028';
const lines =
  'Host: y|Transfer-Encoding: chunked|Expect: x|Content-Length: 0|Content-Length: 99999999999|Connection: upgrade';
/** Pieces that parsers stumble over. */
const pieces = [
  ...words.split(' '),
  ...lines.split('|').map((line) => `${line}\r\n`),
  '\0',
  '\r',
  '\n',
  '\t',
  ' ',
  '\r\n\r\n',
  "' or 1=1 --",
  '"; drop table "lead"; --',
  'OPTIONS * HTTP/1.1\r\n',
  ...['9', 'x', 'é', '['].map((letter) => letter.repeat(20_000)),
];

/** Changes a little at a random place, now and then in bytes that are no UTF-8. */
function damaged(bytes: Buffer, random: Random): Buffer {
  const from = random.below(bytes.length + 1);
  const to = from + random.below(10);
  const [head, middle, tail] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  switch (random.weighted({ insert: 5, replace: 2, flip: 2, cut: 1, repeat: 1 })) {
    case 'insert':
      return Buffer.concat([head, Buffer.from(random.of(pieces)), middle, tail]);
    case 'replace':
      return Buffer.concat([head, Buffer.from(random.of(pieces)), tail]);
    case 'flip':
      return Buffer.concat([head, Buffer.from([random.below(256)]), bytes.subarray(from + 1)]);
    case 'cut':
      return Buffer.concat([head, tail]);
    case 'repeat':
      return Buffer.concat([head, middle, middle, tail]);
  }
}

/** A request that would be right, of which the body, the head or everything has been damaged. */
function attack(random: Random, ids: ReadonlyMap<Resource, string>): Buffer {
  const resource = random.of(parentless);
  const one = `${resource.path}/${ids.get(resource)}`;
  const [method, target] = random.of([
    ['GET', `${resource.path}?limit=2&offset=1`],
    ['GET', `${resource.path}?after=${ids.get(resource)}`],
    ['GET', one],
    ...([
      ['POST', resource.path],
      ['POST', resource.path],
      ['PATCH', one],
      ['PATCH', one],
      ['PATCH', one],
    ] as const),
    ['POST', `${one}/submit`],
    ['DELETE', `${resource.path}/none`],
  ] as const);
  const hasBody = method === 'PATCH' || target === resource.path;
  let body: Buffer = Buffer.from(hasBody ? JSON.stringify(minimalBody(resource)) : '');
  const where = random.weighted({ body: hasBody ? 12 : 0, head: 3, both: 1 });
  if (where !== 'head') body = damaged(body, random);
  let head: Buffer = Buffer.from(
    [
      `${method} ${target} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${testKey}`,
      'Connection: close',
      ...(hasBody ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
      '\r\n',
    ].join('\r\n'),
  );
  for (let n = where === 'body' ? 0 : 1 + random.below(2); n > 0; n--) head = damaged(head, random);
  return Buffer.concat([head, body]);
}

/** @returns all that the server has said until it closed the connection or was silent. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const finish = (): void => {
      socket.destroy();
      resolve(said);
    };
    socket.setEncoding('utf8').setTimeout(silence, finish);
    socket.on('data', (text: string) => (said += text));
    // It may answer and reset the connection while bytes are still on their way.
    socket.on('close', finish).on('error', finish);
  });
}

for (const engine of engines) {
  describeEngine(engine, 'a server under attack', () => {
    let database: TestDatabase;
    let server: TestServer;
    let errors = '';

    beforeEach(repeatable);
    beforeAll(async () => {
      database = await engine.create();
      server = await startServer({ env: { DATABASE_URL: database.url } });
      server.process.stderr.on('data', (text: string) => (errors += text));
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    test(`answers ${attempts} damaged requests as it should, or not at all, and goes on`, async () => {
      const ids = new Map<Resource, string>();
      for (const one of parentless) ids.set(one, (await create(server, one.path, minimalBody(one))).id);
      const before = usageOf(server.process.pid!).memory;
      const statuses = new Map<number, number>();
      const random = new Random(seed);
      const requests = Array.from({ length: attempts }, () => attack(random, ids));
      const attacker = async (): Promise<void> => {
        for (let bytes = requests.pop(); bytes !== undefined; bytes = requests.pop()) {
          const said = await exchange(server.port, bytes);
          // The rest of a request may get an answer, too, right behind the body of the first.
          const found = [...said.matchAll(/(?:^|(?<=\}))HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status));
          for (const status of found) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            expect(status, `${bytes.toString('latin1', 0, 2_000)}\n${said}`).toBeLessThan(500);
          }
          if (found.length !== 1 || !(found[0]! >= 400) || !said.includes('{')) continue;
          const answer = parseRaw(said);
          expectProblem(answer, answer.status, (answer.body as Problem).code satisfies string as ErrorCode);
        }
      };
      await Promise.all(Array.from({ length: attackers }, attacker));
      console.info(`${engine.name}: ${JSON.stringify(Object.fromEntries([...statuses].toSorted()))}`);
      for (const status of [200, 201, 400, 401, 404, 422]) expect(statuses.get(status)).toBeGreaterThan(10);
      expect([...statuses.values()].reduce((sum, count) => sum + count)).toBeGreaterThan(attempts / 2);
      expect(errors.replaceAll(wrongKeyLines, '')).toBe('');
      expect((usageOf(server.process.pid!).memory - before) / mebibyte, 'MiB more than before').toBeLessThan(200);
      await expectExactTotals(database, tables);
      for (const { path } of parentless) {
        expect(await listAll(server, path)).toHaveLength((await list(server, path, { limit: 1 })).total);
      }
    });

    test('serves others while many connections send no request', async () => {
      const begun = `POST ${parentless[0]!.path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n`;
      const starts = ['', 'G', begun, `${begun}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`];
      const sockets = await Promise.all(
        Array.from({ length: 800 }, (_, n) => {
          return new Promise<Socket>((resolve, reject) => {
            const socket = connect(server.port, '127.0.0.1', () => {
              socket.write(starts[n % starts.length]!, () => resolve(socket));
            });
            socket.on('error', reject);
          });
        }),
      );
      for (let n = 0; n < 20; n++) {
        const begin = performance.now();
        await list(server, parentless[0]!.path);
        await create(server, parentless[0]!.path, minimalBody(parentless[0]!));
        expect(performance.now() - begin).toBeLessThan(2_000);
      }
      for (const socket of sockets) socket.resetAndDestroy();
      expect((await server.request('GET', '/readyz')).status).toBe(200);
      expect(errors.replaceAll(wrongKeyLines, '')).toBe('');
      expect(await server.stop()).toBe(0);
    });
  });
}
