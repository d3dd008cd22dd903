import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { readSpecs } from '../../generator/read/spec-files.ts';
import { createKey } from '../../runtime/features/keys/administration.ts';
import type { Service } from '../../runtime/index.ts';
import { administer, organizationOf } from '../organizations/administer.ts';
import { citus, describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { generateProject } from '../support/project.ts';
import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { projectRoot, startServer, type TestServer } from '../support/server.ts';
import { Client, textOf } from './client.ts';
import { everyEvent, Racer } from './racer.ts';

const project = await generateProject(readSpecs(join(projectRoot, 'test/agency')));
const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };

const requests = longRounds(6_000, 20_000);
const organizations = 4;
/** Requests of each of the clients that race. */
const races = longRounds(120, 500);

const withoutNulls = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

beforeEach(repeatable);

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'an agency', () => {
    let database: TestDatabase;
    let server: TestServer;

    beforeAll(async () => {
      database = await engine.create(service.tables);
      await database.prepare?.(service.tables);
      server = await startServer({ project, env: { DATABASE_URL: database.serverUrl ?? database.url } });
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    /** @returns a key of a new organization */
    async function organization(name: string): Promise<string> {
      await organizationOf(database, service.tables, name);
      const options = { organization: name, name: 'test', rate: 'off', lifetime: null, scopes: '*' } as const;
      const { key } = await administer(database, (connection) => createKey(connection, options));
      return key;
    }

    test(`${requests} random requests get the answers and events of the contract`, { timeout: 300_000 }, async () => {
      const seen = new Map<string, number>();
      const keys: string[] = [];
      for (let n = 0; n < organizations; n++) keys.push(await organization(`random${n}`));
      await Promise.all(
        keys.map(async (key, n) => {
          const client = new Client(server, new Random(seed * 1_000 + n), key);
          for (let count = 0; count < requests / organizations; count++) {
            const word = await client.next();
            seen.set(word, (seen.get(word) ?? 0) + 1);
          }
        }),
      );
      console.info(`Answers on ${engine.name}: ${JSON.stringify(Object.fromEntries([...seen].toSorted()))}`);
      const often = ['batch', 'undo update', 'archive', 'finish', 'expand', 'events', '409 locked', '412 stale'];
      for (const word of often) expect([word, (seen.get(word) ?? 0) > 0]).toEqual([word, true]);
    });

    test('four clients at once leave what the events tell, numbers without gaps and true totals', async () => {
      const authorization = `Bearer ${await organization('races')}`;
      const ask = (method: string, path: string, body?: object) =>
        server.request(method, path, body && textOf(body), { authorization });
      const racing = Array.from({ length: 4 }, (_, n) => new Racer(ask, new Random(seed * 2_000 + n)));
      await Promise.all(
        racing.map(async (racer) => {
          for (let count = 0; count < races; count++) await racer.next();
        }),
      );
      const told = await everyEvent(ask);
      const records = new Map<string, Record<string, unknown>>();
      const versions = new Map<string, number>();
      const numbers = new Map<string, number[]>();
      for (const { record, version, operation, changes, resource } of told) {
        expect([record, version]).toEqual([record, (versions.get(record) ?? 0) + 1]);
        versions.set(record, version);
        for (const [field, [before]] of Object.entries(changes))
          expect([record, version, field, before]).toEqual([
            record,
            version,
            field,
            records.get(record)?.[field] ?? null,
          ]);
        const after = Object.entries(changes).map(([field, [, value]]) => [field, value]);
        const now = { ...records.get(record), ...Object.fromEntries(after) };
        if (operation === 'delete') records.delete(record);
        else records.set(record, now);
        const number = String(changes['number']?.[1] ?? changes['serial']?.[1] ?? '');
        if (version === 1 && number) numbers.getOrInsertComputed(resource, () => []).push(Number(number.slice(2)));
      }
      for (const [resource, all] of numbers)
        expect([resource, all]).toEqual([resource, Array.from(all, (_, n) => n + 1)]);
      const [customers, orders] = await Promise.all(
        ['customer', 'order'].map(async (name) => {
          const answer = await ask(
            'GET',
            `/api/agency/${name}?archived=any&limit=1000&expand=${name === 'customer' ? 'part' : 'parts'}`,
          );
          return (answer.body as { data: Record<string, unknown>[] }).data;
        }),
      );
      for (const { part, parts: _, ...record } of [...customers!, ...orders!]) {
        const { id } = record as { id: string };
        expect(withoutNulls(record)).toEqual(withoutNulls(records.get(id) ?? {}));
        if (!part) continue;
        const items = (part as { data: { amount: number }[] }).data;
        const own = orders!.filter(({ customer_id: customer }) => customer === id);
        const deals = orders!.flatMap(({ agent_id: agent, amount }) =>
          agent === id && amount !== null ? [Number(amount)] : [],
        );
        expect(record).toMatchObject({
          total: items.reduce((sum, { amount }) => sum + amount, 0),
          part_count: items.length,
          due: own.reduce((sum, { status, amount }) => sum + (status === 'open' ? Number(amount) : 0), 0),
          order_count: own.filter(({ archived_at: time }) => time === null).length,
          best_deal: deals.length > 0 ? Math.max(...deals) : null,
        });
      }
    });
  });
}
