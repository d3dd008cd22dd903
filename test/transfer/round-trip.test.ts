import { afterAll, beforeEach, expect, test } from 'vitest';

import { repeatable } from '../support/seed.ts';
import { Proxy } from '../support/proxy.ts';
import { sharedServer } from '../support/server.ts';
import { checkRoundTrip, type Row, rowsOf } from './round-trip.ts';
import { Files } from './run.ts';
import { exportFile, importFile } from './steps.ts';

const server = sharedServer();
const files = new Files();

afterAll(() => files[Symbol.dispose]());

beforeEach(repeatable);

test('what is imported, exported, imported and exported again is the same, in the same order', () =>
  checkRoundTrip(server, files, 300));

test('line items of all parents are exported', async () => {
  const order = { ordered_on: '2026-01-01', company: 'Acme', currency: 'EUR' };
  for (const items of [0, 130, 1]) {
    const { id } = (await server.request('POST', '/api/sales/order', order)).body as { id: string };
    const operations = Array.from({ length: items }, (_, number) => ({
      method: 'POST',
      path: '/api/sales/order-line',
      body: { order_id: id, article: `${items}: ${number}` },
    }));
    for (let at = 0; at < items; at += 100) {
      await server.request('POST', '/api/batch', { operations: operations.slice(at, at + 100) });
    }
  }
  const exported = rowsOf(await exportFile(server.url, 'sales/order-line', files.path('lines.ndjson')));
  const expected = [...Array.from({ length: 130 }, (_, number) => `130: ${number}`), '1: 0'];
  expect(exported.map(({ article }) => article)).toEqual(expected);
});

test('rows whose answers are lost are stored once', async () => {
  const rows = Array.from(
    { length: 450 },
    (_, number) => `${JSON.stringify({ competitor_name: `c ${number % 7}` })}\n`,
  );
  const file = files.write('competitors.ndjson', rows.join(''));
  await using proxy = new Proxy('127.0.0.1', server.port);
  await proxy.open();
  let answers = 0;
  proxy.onAnswer = () => {
    // Its connection is cut after the server has done what came on it.
    if (++answers % 3 === 0) proxy.reset();
  };
  expect(await importFile(`http://127.0.0.1:${proxy.port}`, 'crm/competitor', file)).toBe(450);
  expect(answers).toBeGreaterThan(4);
  const stored = rowsOf(await exportFile(server.url, 'crm/competitor', files.path('stored.ndjson')));
  const names = (all: readonly Row[]): unknown[] => all.map(({ competitor_name: name }) => name).toSorted();
  expect(names(stored)).toEqual(names(rows.map((row) => JSON.parse(row) as Row)));
});
