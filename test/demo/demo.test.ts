import { afterAll, expect, test } from 'vitest';

import { Filler } from '../../runtime/data/demo/fill.ts';
import { Api } from '../../runtime/data/transfer/api.ts';
import { writableResources } from '../../runtime/data/transfer/resource.ts';
import { service } from '../service/generated/app.ts';
import { sharedServer, startServer, testKey } from '../support/server.ts';
import { Files, run } from '../transfer/run.ts';
import { exportFile } from '../transfer/steps.ts';

const server = sharedServer();
const files = new Files();

afterAll(() => files[Symbol.dispose]());

type Row = Readonly<Record<string, unknown>>;

async function rowsOf(url: string, resource: string): Promise<Row[]> {
  const text = await exportFile(url, resource, files.path(`${resource.replace('/', '-')}.ndjson`));
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
}

const fill = (url: string, seed: number): Promise<string[]> =>
  new Filler(new Api({ url, key: testKey }), { count: 250, seed }, () => {}).fill(writableResources(service.tables));

test('the command fills every resource with records that agree with each other, once', async () => {
  const made = await run(server, files, 'demo', '--count', '350');
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const [, records, items] = /^Made (\d+) records and (\d+) line items on /.exec(made.stdout) ?? [];
  expect(Number(records) + Number(items)).toBe(350);
  const again = await run(server, files, 'demo');
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toContain(
    `has ${records} records already: nothing was made. \`npm run demo -- --again\` makes more.`,
  );

  const orders = await rowsOf(server.url, 'sales/order');
  expect(new Set(orders.map(({ status }) => status))).toEqual(new Set(['draft', 'submitted', 'cancelled']));
  for (const { ordered_on: begin, due_on: end } of orders) expect(String(end) > String(begin)).toBe(true);
  const ids = new Set(orders.map(({ id }) => id));
  const lines = await rowsOf(server.url, 'sales/order-line');
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.every(({ order_id: id }) => ids.has(id))).toBe(true);
  // A list shows the newest records first.
  const newest = [...ids].toSorted().slice(-3);
  for (const id of newest) expect(lines.filter(({ order_id }) => order_id === id).length).toBeGreaterThan(1);
  const attachments = await rowsOf(server.url, 'files/attachment');
  expect(attachments.every(({ order_id: id }) => ids.has(id))).toBe(true);

  // A required text of which nothing is known has the number of its record.
  const checkouts = await rowsOf(server.url, 'lending/checkout');
  expect(new Set(checkouts.map(({ tool }) => tool)).size).toBeGreaterThan(1);

  const leads = await rowsOf(server.url, 'crm/lead');
  for (const { lead_name: name, first_name: first, last_name: last } of leads) expect(name).toBe(`${first} ${last}`);
  const customers = new Set(leads.map(({ customer }) => customer));
  expect(customers.size).toBeLessThan(leads.length);
  for (const { table, name } of writableResources(service.tables)) {
    // The parents of these are not kept in the service.
    if (table.kind === 'line-item' && table.parent?.table === undefined) continue;
    expect((await rowsOf(server.url, name)).length, name).toBeGreaterThan(0);
  }
});

test('the same seed makes the same records, another one others', async () => {
  const contents: string[] = [];
  for (const seed of [5, 5, 6]) {
    await using other = await startServer();
    expect(await fill(other.url, seed)).toEqual([]);
    const leads = await rowsOf(other.url, 'crm/lead');
    contents.push(JSON.stringify(leads.map(({ lead_name: name, qualified_on: on, city }) => [name, on, city])));
  }
  expect(contents[1]).toBe(contents[0]);
  expect(contents[2]).not.toBe(contents[0]);
});

test('what a hook refuses is left out', async () => {
  await using other = await startServer();
  const path = '/api/lending/lending-settings';
  const { id } = (await other.request('GET', path)).body as { id: string };
  await other.request('PATCH', `${path}/${id}`, { most_checkouts: 1 });
  expect(await fill(other.url, 5)).toEqual([]);
  const holders = (await rowsOf(other.url, 'lending/checkout')).filter(({ status }) => status === 'open');
  expect(holders.length).toBeGreaterThan(0);
  expect(new Set(holders.map(({ patron_id: patron }) => patron)).size).toBe(holders.length);
});
