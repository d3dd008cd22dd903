import { mkdirSync } from 'node:fs';
import { afterAll, beforeEach, expect, test } from 'vitest';

import { Random } from '../support/random.ts';
import { repeatable, seed } from '../support/seed.ts';
import { sharedServer, startServer, testKey, type TestServer } from '../support/server.ts';
import { Command } from '../server/command.ts';
import { Files, program, run } from './run.ts';
import { exportFile } from './steps.ts';

const server = sharedServer();
const files = new Files();

afterAll(() => files[Symbol.dispose]());

beforeEach(repeatable);

const env = (): Record<string, string> => ({ PORT: String(server.port), API_KEY: testKey });

const namesIn = (ndjson: string, field: string): string[] =>
  ndjson
    .trimEnd()
    .split('\n')
    .map((line) => String((JSON.parse(line) as Record<string, unknown>)[field]));

/** Starts an import until it is done, and kills it again and again. @returns how often it was killed */
async function importWithKills(random: Random, args: readonly string[]): Promise<number> {
  for (let kills = 0; ; kills++) {
    await using command = new Command(process.execPath, [program, 'import', ...args], { env: env() });
    // Most are killed while they send, as a whole import takes longer.
    const killed = setTimeout(() => command.process.kill('SIGKILL'), 300 + random.below(kills < 6 ? 1_250 : 120_000));
    const { code, signal, stderr } = await command.ended;
    clearTimeout(killed);
    if (signal === 'SIGKILL') continue;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return kills;
  }
}

test('an import that is killed at any moment and run again stores each row once', async () => {
  // Rows that are equal cannot be told apart, and must be as many as in the file.
  const names = Array.from({ length: 10_000 }, (_, number) => `lead ${number % 3 === 0 ? number % 70 : number}`);
  const file = files.write('leads.csv', `lead_name,title\n${names.map((name) => `${name},"a\n""b"""\n`).join('')}`);
  const kills = await importWithKills(new Random(seed), ['crm/lead', file]);
  expect(kills).toBeGreaterThan(2);
  const stored = namesIn(await exportFile(server.url, 'crm/lead', files.path('leads.ndjson')), 'lead_name');
  expect(stored.toSorted()).toEqual(names.toSorted());
});

test('line items keep their order when their import is killed and run again', async () => {
  const order = { ordered_on: '2026-01-01', company: 'Acme', currency: 'EUR' };
  const { id } = (await server.request('POST', '/api/sales/order', order)).body as { id: string };
  const articles = Array.from({ length: 5_000 }, (_, number) => `article ${number % 500}`);
  const file = files.write('lines.csv', `article\n${articles.join('\n')}\n`);
  await importWithKills(new Random(seed + 1), ['sales/order-line', file, '--parent', id]);
  const stored = namesIn(await exportFile(server.url, 'sales/order-line', files.path('lines.ndjson')), 'article');
  expect(stored).toEqual(articles);
});

test('the server may be killed and started again during an import', async () => {
  const names = Array.from({ length: 10_000 }, (_, number) => `competitor ${number % 900}`);
  const file = files.write('competitors.csv', `competitor_name\n${names.join('\n')}\n`);
  const folder = files.path('database');
  mkdirSync(folder);
  let killed = await startServer({ folder });
  const { port, url } = killed;
  await using command = new Command(process.execPath, [program, 'import', 'crm/competitor', file], {
    env: { ...env(), PORT: String(port) },
  });
  for (const part of [0.1, 0.5]) {
    while ((await totalOf(killed, 'competitor')) < names.length * part)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await killed.kill();
    killed = await startServer({ folder, env: { PORT: String(port) } });
  }
  expect(await command.ended).toMatchObject({ code: 0, stderr: '' });
  const stored = namesIn(await exportFile(url, 'crm/competitor', files.path('c.ndjson')), 'competitor_name');
  await killed.close();
  expect(stored.toSorted()).toEqual(names.toSorted());
});

test('an import that is told to stop ends with what was sent, and is continued', async () => {
  const names = Array.from({ length: 10_000 }, (_, number) => `person ${number}`);
  const file = files.write('contacts.csv', `full_name\n${names.join('\n')}\n`);
  {
    await using command = new Command(process.execPath, [program, 'import', 'crm/contact', file], { env: env() });
    while ((await totalOf(server, 'contact')) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    command.process.kill('SIGINT');
    const { code, stderr } = await command.ended;
    expect(code).toBe(130);
    const count = await totalOf(server, 'contact');
    expect(stderr).toContain(
      `${count.toLocaleString('en')} rows of 10,000 are imported. The same command continues within`,
    );
  }
  expect(await run(server, files, 'import', 'crm/contact', file)).toMatchObject({ code: 0 });
  const stored = namesIn(await exportFile(server.url, 'crm/contact', files.path('contacts.ndjson')), 'full_name');
  expect(stored.toSorted()).toEqual(names.toSorted());
});

const totalOf = async (asked: TestServer, name: string): Promise<number> =>
  ((await asked.request('GET', `/api/crm/${name}?limit=1`)).body as { total: number }).total;
