import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { TestServer, testKey } from '../support/server.ts';

const path = '/api/crm/competitor';

interface Answer {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

for (const engine of engines) {
  describeEngine(engine, 'compressed answers', () => {
    let database: TestDatabase;
    let server: TestServer;

    beforeAll(async () => {
      database = await engine.create(service.tables);
      server = new TestServer({ env: { DATABASE_URL: database.url } });
      await server.start();
      // Together over 1 MiB, so that a long page is streamed: some as JSON usually is, and some as files are.
      const texts = [
        ...Array.from({ length: 30 }, (_, n) => `${n} Workshop, Øvre gate. `.repeat(2_500).slice(0, 50_000)),
        ...Array.from({ length: 30 }, () => randomBytes(37_500).toString('base64')),
      ];
      for (const text of texts) {
        const body = { competitor_name: 'A', website: text };
        expect((await server.request('POST', path, body)).status).toBe(201);
      }
    }, 60_000);

    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    }, 60_000);

    const ask = (target: string, accepted?: string, method = 'GET'): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${testKey}`,
          ...(accepted !== undefined && { 'accept-encoding': accepted }),
        };
        const outgoing = request(server.url + target, { headers, method, agent: false }, (incoming) => {
          const pieces: Buffer[] = [];
          incoming.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
          incoming.on('end', () =>
            resolve({ status: incoming.statusCode, headers: incoming.headers, body: Buffer.concat(pieces) }),
          );
        });
        outgoing.on('error', reject).end();
      });

    test.each([
      ['a short page', '?limit=100&fields=competitor_name'],
      ['a record', '?limit=1&offset=59'],
      ['a long page', '?limit=10&offset=30'],
      ['a streamed page', '?limit=30&offset=30'],
    ])('%s is the same as without', async (_, query) => {
      const plain = await ask(path + query);
      expect(plain.headers).not.toHaveProperty('content-encoding');
      const coded = await ask(path + query, 'gzip, deflate, br, zstd');
      expect(coded).toMatchObject({ status: 200, headers: { vary: 'Accept-Encoding', 'content-encoding': 'gzip' } });
      expect(coded.body.length).toBeLessThan(plain.body.length / 2);
      expect(gunzipSync(coded.body).equals(plain.body)).toBe(true);
      expect(coded.headers).not.toHaveProperty('etag');
    });

    test('a client that does not accept gzip gets none', async () => {
      for (const accepted of ['identity', 'gzip;q=0', 'br', '', 'deflate, *;q=0']) {
        const { headers } = await ask(`${path}?limit=100&fields=competitor_name`, accepted);
        expect(headers, accepted).not.toHaveProperty('content-encoding');
      }
    });

    test('a body that fits into a packet is not compressed', async () => {
      for (const target of ['/healthz', '/api/key', `${path}?limit=1&fields=id`, `${path}/none`]) {
        const { headers } = await ask(target, 'gzip');
        expect(headers, target).not.toHaveProperty('content-encoding');
        expect(headers, target).not.toHaveProperty('vary');
      }
    });

    test('HEAD has the headers of GET, without a length where that is only known of a body that was made', async () => {
      const without = ({ headers }: Answer, ...names: readonly string[]): object =>
        Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
      const own = ['date', 'x-request-id'];
      const lengths = ['content-length', 'transfer-encoding'];
      const queries = ['?limit=1&fields=id', '?limit=100&fields=competitor_name', '?limit=10&offset=30', '?limit=1000'];
      for (const query of queries) {
        for (const accepted of [undefined, 'gzip']) {
          const get = await ask(path + query, accepted);
          const head = await ask(path + query, accepted, 'HEAD');
          expect([head.status, head.body.length]).toEqual([200, 0]);
          const isMade = query.endsWith('1000') || (accepted !== undefined && query.includes('offset'));
          if (isMade) expect(head.headers).not.toHaveProperty('content-length');
          const others = isMade ? [...own, ...lengths] : own;
          expect(without(head, ...others), query).toEqual(without(get, ...others));
        }
      }
      for (const target of [`${path}/none`, `${path}?limit=x`, '/nothing']) {
        const [get, head] = [await ask(target), await ask(target, undefined, 'HEAD')];
        expect([head.status, head.headers['content-length']]).toEqual([get.status, get.headers['content-length']]);
        expect(head.body.length).toBe(0);
      }
    });
  });
}
