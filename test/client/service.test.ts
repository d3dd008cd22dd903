import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';

import { etagOf, noteEtag } from '../../runtime/client/etag.ts';
import { ApiFailure, createClient } from '../service/generated/client.ts';
import { modelled, resources } from '../service/resources.ts';
import { fullRound } from '../support/client-round.ts';
import { sharedServer, testKey } from '../support/server.ts';

const server = sharedServer();
const count = 250;
let api: ReturnType<typeof createClient>;

beforeAll(async () => {
  api = createClient({ url: `${server.url}/`, key: testKey });
  for (let first = 0; first < count; first += 50) {
    await api.batch((queue) => {
      for (let n = first; n < first + 50; n++) {
        queue.crm.lead.create({ lead_name: `Lead ${n}, "a\\b"`, annual_revenue: n, disabled: n % 2 === 0 });
      }
    });
  }
});

const namesOf = (leads: readonly { readonly lead_name: string | null }[]): (string | null)[] =>
  leads.map((lead) => lead.lead_name);

test('a page, with its filters, sort and fields', async () => {
  const page = await api.crm.lead.list({
    filter: { annual_revenue: { gte: 10, lt: 20 }, disabled: true, status: 'Lead' },
    sort: ['-annual_revenue', 'id'],
    fields: ['annual_revenue'],
    limit: 3,
    offset: 1,
  });
  expect(page).toEqual({
    data: [16, 14, 12].map((revenue) => ({ id: expect.any(String), annual_revenue: revenue })),
    has_more: true,
    total: 5,
  });
});

test('values with commas and backslashes, null, and a filter that is undefined', async () => {
  const { data: some } = await api.crm.lead.list({ filter: { lead_owner: { in: ['__user', 'a,\\b'] } }, limit: 2 });
  expect(some).toHaveLength(2);
  await api.crm.lead.update(some[0]!.id, { lead_owner: 'a,\\b' });
  const own = await api.crm.lead.list({ filter: { lead_owner: { in: ['a,\\b', 'x'] }, status: undefined } });
  expect(own.data.map(({ id }) => id)).toEqual([some[0]!.id]);
  expect((await api.crm.lead.list({ filter: { status: { null: true } } })).total).toBe(0);
  expect((await api.crm.lead.list({ filter: { status: { null: false } } })).total).toBe(count);
});

test.each([undefined, 7, 1000])('every record of a list, in pages of %s', async (limit) => {
  const all = await Array.fromAsync(api.crm.lead.each({ sort: 'annual_revenue', limit, fields: ['annual_revenue'] }));
  expect(all.map((lead) => lead.annual_revenue)).toEqual(Array.from({ length: count }, (_, n) => n));
});

test('each goes on from `after` or `offset`, and ends where its caller does', async () => {
  const all = await Array.fromAsync(api.crm.lead.each());
  const after = await Array.fromAsync(api.crm.lead.each({ after: all[100]!.id, limit: 60 }));
  const offset = await Array.fromAsync(api.crm.lead.each({ offset: 101, limit: 60 }));
  expect(namesOf(after)).toEqual(namesOf(all.slice(101)));
  expect(namesOf(offset)).toEqual(namesOf(after));
  const first: string[] = [];
  for await (const lead of api.crm.lead.each({ limit: 2 })) {
    first.push(lead.id);
    if (first.length === 3) break;
  }
  expect(first).toEqual(all.slice(0, 3).map((lead) => lead.id));
});

test('line items that are deleted while they are iterated over are all seen', async () => {
  const created = { company: 'Acme', currency: 'EUR', ordered_on: '2026-11-22' };
  const order = await api.sales.order.create(created);
  const makeLine = (n: number) => api.sales.orderLine.create({ order_id: order.id, article: `Item ${n}`, quantity: n });
  for (let n = 1; n <= 5; n++) await makeLine(n);
  const shown = await api.sales.order.retrieve(order.id, { fields: ['company'], expand: ['order_line'] });
  expect(shown).toMatchObject({ id: order.id, company: 'Acme', order_line: { total: 5 } });
  const items: (string | null)[] = [];
  for await (const line of api.sales.orderLine.each(order.id, { limit: 2 })) {
    items.push(line.article);
    await api.sales.orderLine.delete(line.id);
  }
  expect(items).toEqual([1, 2, 3, 4, 5].map((n) => `Item ${n}`));
  expect((await api.sales.orderLine.list(order.id)).total).toBe(0);
});

test('a batch is done in order and gives what its callback returns', async () => {
  const result = await api.batch((queue) => {
    const order = queue.sales.order.create({ company: 'Acme', currency: 'EUR', ordered_on: '2026-11-22' });
    const line = queue.sales.orderLine.create({ order_id: order.id, article: 'Bolt', quantity: 2 });
    return { submitted: queue.sales.order.submit(order.id), lines: [line], note: 'kept' };
  });
  expect(result.submitted).toMatchObject({ status: 'submitted', company: 'Acme' });
  expect(result.lines[0]).toMatchObject({ order_id: result.submitted.id, article: 'Bolt' });
  expect(result.note).toBe('kept');
});

test('a batch that fails does nothing, and names its operation', async () => {
  const before = (await api.crm.competitor.list()).total;
  const failed = api.batch((queue) => {
    queue.crm.competitor.create({ competitor_name: 'Acme' });
    queue.crm.lead.delete('lead_unknown/..');
  });
  await expect(failed).rejects.toMatchObject({ problem: { code: 'not_found', operation: 1 } });
  expect((await api.crm.competitor.list()).total).toBe(before);
});

test('a record has its ETag, and no write that names an older one is done', async () => {
  const created = await api.sales.order.create({ company: 'Acme', currency: 'EUR', ordered_on: '2026-11-22' });
  const read = await api.sales.order.retrieve(created.id);
  expect(read.etag).toBe(created.etag);
  expect(Object.keys(read)).not.toContain('etag');
  const changed = await api.sales.order.update(read.id, { notes: 'mine' }, { ifMatch: read.etag });
  expect(changed.etag).not.toBe(read.etag);
  const stale = { problem: { code: 'stale', status: 412 }, etag: changed.etag };
  const old = { ifMatch: read.etag };
  await expect(api.sales.order.update(read.id, { notes: 'theirs' }, old)).rejects.toMatchObject(stale);
  await expect(api.sales.order.submit(read.id, old)).rejects.toMatchObject(stale);
  await expect(api.sales.order.delete(read.id, old)).rejects.toMatchObject(stale);
  expect(await api.sales.order.retrieve(read.id)).toEqual(changed);
  const submitted = await api.sales.order.submit(read.id, { ifMatch: changed.etag });
  expect(submitted).toMatchObject({ status: 'submitted', notes: 'mine' });
  await api.sales.order.delete(read.id, { ifMatch: submitted.etag });
});

test('a condition of a write in a batch, whose results have ETags', async () => {
  const [one, other] = await api.batch((queue) => [
    queue.crm.lead.create({ lead_name: 'One' }),
    queue.crm.lead.create({ lead_name: 'Other' }),
  ]);
  const changed = await api.crm.lead.update(other!.id, { city: 'Oslo' }, { ifMatch: other!.etag });
  const both = (ifMatch: string) =>
    api.batch((queue) => [
      queue.crm.lead.update(one!.id, { city: 'Bergen' }, { ifMatch: one!.etag }),
      queue.crm.lead.delete(other!.id, { ifMatch }),
    ]);
  const stale = { problem: { code: 'stale', operation: 1 }, etag: changed.etag };
  await expect(both(other!.etag)).rejects.toMatchObject(stale);
  expect((await api.crm.lead.retrieve(one!.id)).etag).toBe(one!.etag);
  await both(changed.etag);
});

test('a condition without an ETag, as of a copy or a record of a list, sends nothing', async () => {
  const created = await api.crm.lead.create({ lead_name: 'Ann' });
  const { data } = await api.crm.lead.list({ filter: { id: created.id } });
  const records = [{ ...created }, data[0], await api.crm.lead.retrieve(created.id, { fields: ['city'] })];
  for (const record of records as (typeof created)[]) {
    const ifMatch = record.etag;
    await expect(api.crm.lead.delete(created.id, { ifMatch })).rejects.toThrow(TypeError);
    await expect(api.batch((queue) => queue.crm.lead.delete(created.id, { ifMatch }))).rejects.toThrow(TypeError);
  }
  expect(await api.crm.lead.retrieve(created.id)).toEqual(created);
});

test('a record with a field `etag` keeps it', () => {
  const record = { id: 'file_1', etag: 'of the file' };
  noteEtag(record, '"3"');
  expect(record).toEqual({ id: 'file_1', etag: 'of the file' });
  expect(etagOf(record)).toBe('"3"');
});

test('the id of a write of another batch, and a callback that is async, are refused before anything is sent', async () => {
  const other = await api.batch((queue) => {
    const { id } = queue.crm.lead.create({});
    return { id };
  });
  await expect(api.batch((queue) => queue.crm.lead.delete(other.id))).rejects.toThrow(TypeError);
  await expect(api.batch(async (queue) => queue.crm.lead.create({}))).rejects.toThrow('must not be async');
  const sent = await api.crm.lead.update(other.id, {}).catch((error: unknown) => error);
  expect(sent).toBeInstanceOf(ApiFailure);
});

test('the problems of the service tell the cases apart by their code', async () => {
  const failure = await api.crm.competitor.create({ name: 'Acme' } as never).catch((error: unknown) => error);
  if (!(failure instanceof ApiFailure) || failure.problem.code !== 'invalid_body') throw failure;
  expect(failure.problem.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/competitor_name', 'missing'],
    ['/name', 'unknown_field'],
  ]);
  expect(failure.message).toMatch(
    /^POST \/api\/crm\/competitor: 2 fields are not valid\. \/competitor_name .+; \/name /,
  );
  const wrongKey = createClient({ url: server.url, key: `${testKey}x` });
  await expect(wrongKey.crm.lead.list()).rejects.toMatchObject({ problem: { code: 'unauthorized', status: 401 } });
});

test('the client has every resource', () => {
  const { batch, ...areas } = createClient({ url: 'http://127.0.0.1', key: testKey });
  expect(batch).toBeTypeOf('function');
  expect(Object.values(areas).flatMap((area) => Object.keys(area))).toHaveLength(modelled.length);
});

test.each(resources)('every operation of $name', async (resource) => {
  await fullRound(createClient({ url: server.url, key: testKey }), resource, resources);
});

test('a write whose response is lost is done once, and its result is the first response', async () => {
  let requests = 0;
  await using proxy = createServer(async (incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const body = (await incoming.toArray()).join('');
    const init = { method, headers: headers as Record<string, string>, ...(body !== '' && { body }) };
    const response = await fetch(server.url + url, init);
    const text = await response.text();
    if (requests++ % 2 === 0) return void outgoing.destroy();
    outgoing.writeHead(response.status, { 'Content-Type': 'application/json' }).end(text);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const broken = createClient({ url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, key: testKey });
  const created = await broken.crm.competitor.create({ competitor_name: 'Lost' });
  const [first] = await broken.batch((queue) => [queue.crm.competitor.create({ competitor_name: 'Lost' })] as const);
  const stored = await Array.fromAsync(api.crm.competitor.each({ sort: 'id' }));
  expect(stored.filter(({ competitor_name: name }) => name === 'Lost')).toEqual([created, first]);
  expect(await broken.crm.competitor.delete(created.id)).toEqual({ id: created.id, deleted: true });
  expect(requests).toBe(6);
});
