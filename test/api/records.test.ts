import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { expectProblem, expectRefused } from '../support/problem.ts';
import { type Stored, create, list, listAll, retrieve, storedIn, update } from '../support/records.ts';
import { fieldsAfter, fullBody, idPattern, keysOf, minimalBody, sample, timestampPattern } from '../support/samples.ts';
import { records } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

describe.each(records)('$name', (resource) => {
  const { name, path, operations, fields } = resource;
  const required = fields.filter(([, , options]) => options?.required).map(([field]) => field);
  const total = async (): Promise<number> => (await list(server, path, { limit: 1 })).total;
  const settable = fields.at(-1)![0]; // any field does; the last one shows a list that was cut short

  test('create with only the required fields fills in every default, and null elsewhere', async () => {
    const body = minimalBody(resource);
    const answer = await server.request('POST', path, body);
    const record = storedIn(answer, 201);
    expect(Object.keys(record)).toEqual(keysOf(resource));
    expect(record).toEqual({
      id: expect.stringMatching(idPattern(resource)),
      ...fieldsAfter(resource, body),
      created_at: expect.stringMatching(timestampPattern),
      updated_at: expect.stringMatching(timestampPattern),
    });
    expect(new URL(answer.headers.get('location') ?? '', server.url).href).toBe(`${server.url}${path}/${record.id}`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json(;|$)/);
  });

  test.each([0, 1])('create with every field gives every value back exactly (values %i)', async (seed) => {
    const body = fullBody(resource, undefined, seed);
    const { id, created_at, updated_at, ...values } = await create(server, path, body);
    expect(values).toEqual(body);
    expect(id).toMatch(idPattern(resource));
    expect(updated_at! >= created_at!).toBe(true);
  });

  test('every operation answers the same record', async () => {
    const body = fullBody(resource);
    const created = await create(server, path, body);
    const asText = JSON.stringify(created);
    expect(JSON.stringify(await retrieve(server, path, created.id))).toBe(asText);
    expect(JSON.stringify((await list(server, path, { limit: 1 })).data)).toBe(`[${asText}]`);
    expect(JSON.stringify(await update(server, path, created.id, {}))).toBe(asText);
    const updated = await update(server, path, created.id, { [settable]: sample(resource, settable, 1) });
    expect(Object.keys(updated)).toEqual(keysOf(resource));
    expect(JSON.stringify(await retrieve(server, path, created.id))).toBe(JSON.stringify(updated));
    expect(JSON.stringify((await list(server, path, { limit: 1 })).data)).toBe(JSON.stringify([updated]));
  });

  test('an update with nothing in it or nothing new keeps updated_at, a change raises it', async () => {
    const body = fullBody(resource);
    const created = await create(server, path, body);
    await sleep(5); // so that a changed updated_at cannot be the same millisecond
    for (const patch of [{}, { [settable]: body[settable] }, body, created]) {
      expect(await update(server, path, created.id, patch)).toEqual(created);
    }
    const changed = await update(server, path, created.id, { [settable]: sample(resource, settable, 1) });
    expect(changed.updated_at! > created.updated_at!).toBe(true);
    expect(changed.created_at).toBe(created.created_at);
  });

  test('an update replaces every field at once', async () => {
    const { id, created_at } = await create(server, path, fullBody(resource, undefined, 0));
    const next = fullBody(resource, undefined, 1);
    const updated = await update(server, path, id, next);
    expect(updated).toEqual({ id, ...next, created_at, updated_at: updated.updated_at });
  });

  test.each(required)('create without the required %s is refused and stores nothing', async (field) => {
    const before = await total();
    const { [field]: _, ...rest } = fullBody(resource);
    expectRefused(await server.request('POST', path, rest), `/${field}`);
    expect(await total()).toBe(before);
  });

  if (required.length > 0) {
    test('create without any required field names them all', async () => {
      const before = await total();
      expectRefused(await server.request('POST', path, {}), ...required.map((field) => `/${field}`));
      expect(await total()).toBe(before);
    });
  }

  if (operations.includes('delete')) {
    test('delete answers the id, and the record is gone for good', async () => {
      const kept = await create(server, path, minimalBody(resource));
      const { id } = await create(server, path, minimalBody(resource));
      const before = await total();
      const answer = await server.request('DELETE', `${path}/${id}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ id, deleted: true });
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? {} : undefined;
        expectProblem(await server.request(method, `${path}/${id}`, body), 404, 'not_found');
      }
      expect(await total()).toBe(before - 1);
      const [newest] = (await list(server, path, { limit: 1 })).data;
      expect(newest).toEqual(kept);
    });
  }

  test('an unknown id is not found, nor is the id of another resource', async () => {
    const other = records.find((record) => record.name !== name)!;
    const { id } = await create(server, other.path, minimalBody(other));
    for (const unknown of [`${name}_0`, 'x', id, '%00', 'a%2Fb', '%F0%9F%99%82', 'x'.repeat(500)]) {
      expectProblem(await server.request('GET', `${path}/${unknown}`), 404, 'not_found');
      expectProblem(await server.request('PATCH', `${path}/${unknown}`, {}), 404, 'not_found');
      if (!operations.includes('delete')) continue;
      expectProblem(await server.request('DELETE', `${path}/${unknown}`), 404, 'not_found');
    }
  });

  test('ids are never given twice, and total counts every record', async () => {
    await Promise.all(Array.from({ length: 20 }, () => create(server, path, minimalBody(resource))));
    const ids = (await listAll(server, path)).map((record: Stored) => record.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(await total());
  });
});

test('a write to one resource shows in no other', async () => {
  const totals = (): Promise<number[]> =>
    Promise.all(records.map(async ({ path }) => (await list(server, path, { limit: 1 })).total));
  for (const [position, resource] of records.entries()) {
    const before = await totals();
    await create(server, resource.path, minimalBody(resource));
    expect(await totals()).toEqual(before.map((count, index) => (index === position ? count + 1 : count)));
  }
});
