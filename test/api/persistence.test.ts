import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Stored, create, list, remove, storedIn, update } from '../support/records.ts';
import { fullBody, minimalBody } from '../support/samples.ts';
import type { TestServer } from '../support/server.ts';
import { emptyParent } from './empty-parent.ts';
import { lineItems, recordNamed, records, singletons } from './interface.ts';
import { startServer } from './server.ts';

let server: TestServer;
const lists = new Map<string, string>(); // the text of every list and singleton before the stop, by its URL
let exitCode: number | null;

const read = async (url: string): Promise<string> => JSON.stringify((await server.request('GET', url)).body);

/** Fills every resource with three records, changes and deletes some, then stops the server and starts it again. */
beforeAll(async () => {
  server = await startServer();
  for (const resource of records) {
    const made: Stored[] = [];
    for (const seed of [0, 1, 2]) made.push(await create(server, resource.path, fullBody(resource, undefined, seed)));
    await update(server, resource.path, made[0]!.id, fullBody(resource, undefined, 3));
    await create(server, resource.path, minimalBody(resource));
    if (resource.operations.includes('delete')) await remove(server, resource.path, made[1]!.id);
    if (resource.operations.includes('submit')) {
      const { id } = await create(server, resource.path, minimalBody(resource));
      storedIn(await server.request('POST', `${resource.path}/${id}/submit`));
    }
    lists.set(`${resource.path}?limit=1000`, '');
  }
  for (const item of lineItems) {
    const parent = await emptyParent(server, item);
    const made: Stored[] = [];
    for (const seed of [0, 1, 2]) made.push(await create(server, item.path, fullBody(item, parent, seed)));
    await update(server, item.path, made[0]!.id, { idx: 500 });
    await remove(server, item.path, made[1]!.id);
    lists.set(`${item.path}?parent_id=${parent}`, '');
  }
  for (const singleton of singletons) {
    const { id } = storedIn(await server.request('GET', singleton.path));
    await update(server, singleton.path, id, fullBody(singleton));
    lists.set(singleton.path, '');
  }
  for (const url of lists.keys()) lists.set(url, await read(url));
  exitCode = await server.stop();
  await server.restart();
}, 60_000);

afterAll(() => server.close(), 20_000);

test('a server that is asked to end ends well', () => {
  expect(exitCode).toBe(0);
});

describe('the records from before a stop are there after the start', () => {
  test.each(records)('$name', async ({ path }) => {
    expect(await read(`${path}?limit=1000`)).toBe(lists.get(`${path}?limit=1000`));
  });

  test.each(lineItems)('$name', async ({ path }) => {
    const [url, text] = [...lists].find(([one]) => one.startsWith(`${path}?`))!;
    expect(JSON.parse(text)).toMatchObject({ total: 2 });
    expect(await read(url)).toBe(text);
  });

  test.each(singletons)('$name', async ({ path }) => {
    expect(await read(path)).toBe(lists.get(path));
  });
});

test('a record created after the start comes first, and counts', async () => {
  const { path } = recordNamed('lead');
  const before = await list(server, path);
  const created = await create(server, path, {});
  const after = await list(server, path);
  expect(after.data).toEqual([created, ...before.data]);
  expect(after.total).toBe(before.total + 1);
});

test('an item created after the start gets the next idx', async () => {
  const item = lineItems[0]!;
  const url = [...lists.keys()].find((one) => one.startsWith(`${item.path}?`))!;
  const parent = new URL(url, server.url).searchParams.get('parent_id')!;
  expect((await create(server, item.path, minimalBody(item, parent)))['idx']).toBe(501);
});

test('writes that are under way when the server is asked to end are answered or not done', async () => {
  const { path } = recordNamed('competitor');
  const before = (await list(server, path)).total;
  const creates = Array.from({ length: 100 }, (_, index) =>
    server.request('POST', path, { competitor_name: `last ${index}` }).then(
      ({ status }) => status,
      () => 0, // the connection was refused or cut
    ),
  );
  await creates[0];
  const stopped = server.stop();
  const answered = (await Promise.all(creates)).filter((status) => status === 201).length;
  expect(await stopped).toBe(0);
  await server.restart();
  const after = (await list(server, path)).total;
  expect(after).toBeGreaterThanOrEqual(before + answered);
  expect(after).toBeLessThanOrEqual(before + 100);
  expect(answered).toBeGreaterThan(0);
});
