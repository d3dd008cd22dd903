import { afterAll, expect, test } from 'vitest';

import { Clock } from '../../support/clock.ts';
import { create, list, listAll } from '../../support/records.ts';
import { sharedServer, startServer } from '../../support/server.ts';
import { Files, run } from '../../transfer/run.ts';

const path = '/api/sales/receipt';
const server = sharedServer();
const files = new Files();

afterAll(() => files[Symbol.dispose]());

test('an import brings numbers or leaves them to the sequence, and an export has them', async () => {
  const file = files.write('receipts.csv', 'payer,number\na,R-2020-0005\nb,R-2020-0005\nc,old/7\nd,\n');
  const { code, stderr } = await run(server, files, 'import', 'sales/receipt', file, '--rejects', files.path('no.csv'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/:3:.*number is the same as in/);
  const numbers = (await listAll(server, path)).map(({ payer, number }) => `${String(payer)} ${String(number)}`);
  expect(numbers.toSorted()).toEqual(['a R-2020-0005', 'c old/7', expect.stringMatching(/^d R-20\d\d-0001$/)]);
  const exported = await run(server, files, 'export', 'sales/receipt', '--output', files.path('out.csv'));
  expect(exported).toMatchObject({ code: 0 });
  await using other = await startServer();
  const again = await run(other, files, 'import', 'sales/receipt', files.path('out.csv'));
  expect(again).toMatchObject({ code: 0 });
  const copied = (await listAll(other, path)).map(({ payer, number }) => `${String(payer)} ${String(number)}`);
  expect(copied.toSorted()).toEqual(numbers.toSorted());
});

test('demo records are numbered', async () => {
  await using filled = await startServer();
  expect(await run(filled, files, 'demo', '--count', '200')).toMatchObject({ code: 0 });
  const { data, total } = await list(filled, path, { sort: '-number', limit: 1 });
  expect(total).toBeGreaterThan(0);
  expect(data[0]?.['number']).toMatch(new RegExp(`-${String(total).padStart(4, '0')}$`));
});

test('the year is that of the creation in the time zone of the service', async () => {
  const clock = new Clock(files.path('clock'));
  await using clocked = await startServer({ env: clock.env });
  // The service is 14 hours ahead of UTC.
  const zoneAhead = 14 * 60 * 60 * 1000;
  const year = new Date(Date.now() + zoneAhead).getUTCFullYear();
  const newYear = Date.UTC(year + 1, 0, 1) - zoneAhead;
  const at = async (time: number): Promise<unknown> => {
    clock.setAhead(time - Date.now());
    return (await create(clocked, path, { payer: 'a' }))['number'];
  };
  expect(await at(newYear - 60_000)).toBe(`R-${year}-0001`);
  expect(await at(newYear + 1_000)).toBe(`R-${year + 1}-0001`);
  expect(await at(newYear + 2_000)).toBe(`R-${year + 1}-0002`);
});
