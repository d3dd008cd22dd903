import { describe, expect, test } from 'vitest';

import { expectProblem, wordsOf } from '../support/problem.ts';
import { type Stored, create, list, listAll, pageIn, remove } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { emptyParent } from './empty-parent.ts';
import { lineItems, recordNamed, records, singletonNamed } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const many = Array.from({ length: 1000 }, (_, index) => index);

const wrongBounds = [
  '-1',
  '1.5',
  'abc',
  '',
  '1e2',
  '+1',
  '%2B1',
  '%201',
  '1%20',
  '0x10',
  '1,000',
  'NaN',
  'null',
  '１',
  '1%00',
];
const wrongLimits = ['0', '1001', ...wrongBounds, '00', '100000000000000000000'];

describe.each(records)('$name', (resource) => {
  const { path, operations } = resource;
  const total = async (): Promise<number> => (await list(server, path, { limit: 1 })).total;

  test('an empty list has the envelope and nothing else', async () => {
    expect((await server.request('GET', path)).body).toEqual({ data: [], has_more: false, total: 0 });
  });

  test('a list holds 20 records by default, the newest first', async () => {
    const created: Stored[] = [];
    for (let count = 0; count < 21; count += 1) created.unshift(await create(server, path, minimalBody(resource)));
    const answer = await server.request('GET', path);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json(;|$)/);
    expect(answer.body).toEqual({ data: created.slice(0, 20), has_more: true, total: 21 });
    expect(await list(server, path, { offset: 20 })).toEqual({ data: created.slice(20), has_more: false, total: 21 });
  });

  test('limit and offset cut out a piece, and has_more tells whether anything follows', async () => {
    const all = await listAll(server, path);
    const size = all.length;
    for (const [limit, offset] of [
      [1, 0],
      [5, 3],
      [size - 1, 0],
      [size, 0],
      [size + 1, 0],
      [4, size - 4],
      [5, size - 4],
    ] as const) {
      const data = all.slice(offset, offset + limit);
      expect(await list(server, path, { limit, offset })).toEqual({
        data,
        has_more: offset + limit < size,
        total: size,
      });
    }
  });

  test('past the end a list is empty, and total still whole', async () => {
    const size = await total();
    for (const offset of [size, size + 1, 1_000_000, 9007199254740991]) {
      expect(await list(server, path, { offset })).toEqual({ data: [], has_more: false, total: size });
    }
  });

  test('pages of seven show every record once', async () => {
    const ids = (await listAll(server, path, {}, 7)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(await total());
    expect(ids).toHaveLength(await total());
  });

  if (operations.includes('delete')) {
    test('total falls with every record that is deleted', async () => {
      const before = await listAll(server, path);
      const [first, second] = before;
      await Promise.all([first!, second!].map(({ id }) => remove(server, path, id)));
      expect(await list(server, path, { limit: 1000 })).toEqual({
        data: before.slice(2),
        has_more: false,
        total: before.length - 2,
      });
    });
  }
});

describe.each([...records, ...lineItems])('$name', ({ name, kind, path }) => {
  const query = kind === 'line-item' ? 'parent_id=x&' : '';
  // The reader of the query is one for all lists: two of them see every value, the others the first ones.
  const some = (values: string[]): string[] => (/^(lead|bom_item)$/.test(name) ? values : values.slice(0, 4));

  test.each(some(wrongLimits))('limit=%s is refused, naming the bounds', async (limit) => {
    const answer = await server.request('GET', `${path}?${query}limit=${limit}`);
    const words = wordsOf(expectProblem(answer, 400, 'invalid_query'));
    expect(words).toMatch(/limit/);
    expect(words).toMatch(/\b1\b/);
    expect(words).toMatch(/\b1,?000\b/);
  });

  test.each(some(wrongBounds))('offset=%s is refused, naming the bound', async (offset) => {
    const answer = await server.request('GET', `${path}?${query}offset=${offset}`);
    const words = wordsOf(expectProblem(answer, 400, 'invalid_query'));
    expect(words).toMatch(/offset/);
    expect(words).toMatch(/\b0\b/);
  });

  test('both bounds count as good, and so do digits with a zero in front', async () => {
    for (const good of ['limit=1', 'limit=1000', 'offset=0', 'limit=1000&offset=0', 'limit=01', 'offset=007']) {
      pageIn(await server.request('GET', `${path}?${query}${good}`));
    }
  });

  test('an unknown parameter is refused, and the nearest known one named', async () => {
    for (const [wrong, right] of [
      ['limt', 'limit'],
      ['ofset', 'offset'],
      ['Limit', 'limit'],
    ] as const) {
      const answer = await server.request('GET', `${path}?${query}${wrong}=1`);
      const words = wordsOf(expectProblem(answer, 400, 'invalid_query'));
      expect(words).toContain(wrong);
      expect(words).toMatch(new RegExp(`\\b${right}\\b`));
    }
    for (const unknown of ['sort=nonsense', 'nonsense', '=1', '__proto__=1', 'limit[]=1']) {
      expectProblem(await server.request('GET', `${path}?${query}${unknown}`), 400, 'invalid_query');
    }
  });

  test('a repeated parameter is refused and named, also when its values agree', async () => {
    for (const [repeated, parameter] of [
      ['limit=1&limit=2', 'limit'],
      ['offset=0&limit=1&offset=0', 'offset'],
    ] as const) {
      const answer = await server.request('GET', `${path}?${query}${repeated}`);
      expect(wordsOf(expectProblem(answer, 400, 'invalid_query'))).toContain(parameter);
    }
  });
});

describe('query parameters where there are none', () => {
  const competitor = recordNamed('competitor');
  const settings = singletonNamed('subscription_settings');

  test('every operation on one record refuses them and does nothing', async () => {
    const { path } = recordNamed('signing_document');
    const record = await create(server, path, { title: 'Contract' });
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['PATCH', '', { title: 'Changed' }],
      ['DELETE', ''],
      ['POST', '/submit'],
      ['POST', '/cancel'],
    ] as const) {
      const answer = await server.request(method, `${path}/${record.id}${suffix}?dry_run=true`, body);
      expect(wordsOf(expectProblem(answer, 400, 'invalid_query'))).toContain('dry_run');
    }
    expect((await server.request('GET', `${path}/${record.id}`)).body).toEqual(record);
  });

  test('create refuses them and stores nothing', async () => {
    const { total } = await list(server, competitor.path, { limit: 1 });
    const answer = await server.request('POST', `${competitor.path}?limit=1`, minimalBody(competitor));
    expect(wordsOf(expectProblem(answer, 400, 'invalid_query'))).toContain('limit');
    expect((await list(server, competitor.path, { limit: 1 })).total).toBe(total);
  });

  test('a singleton refuses them', async () => {
    const answer = await server.request('GET', `${settings.path}?limit=1`);
    expect(wordsOf(expectProblem(answer, 400, 'invalid_query'))).toContain('limit');
  });

  test.each(lineItems)('$name: create and reorder refuse them and store nothing', async (item) => {
    const parent = await emptyParent(server, item);
    const { id } = await create(server, item.path, minimalBody(item, parent));
    const before = await list(server, item.path, { parent_id: parent });
    const created = await server.request('POST', `${item.path}?parent_id=x`, minimalBody(item, parent));
    expect(wordsOf(expectProblem(created, 400, 'invalid_query'))).toContain('parent_id');
    const reordered = await server.request('POST', `${item.path}/reorder?parent_id=x`, { items: [{ id, idx: 9 }] });
    expect(wordsOf(expectProblem(reordered, 400, 'invalid_query'))).toContain('parent_id');
    expect(await list(server, item.path, { parent_id: parent })).toEqual(before);
  });
});

describe('the order of creation', () => {
  test('1,000 records created at the same time are listed by falling id and never rising time', async () => {
    const { path } = recordNamed('sales_stage');
    const before = (await list(server, path, { limit: 1 })).total;
    const created = await Promise.all(many.map((index) => create(server, path, { stage_name: `Stage ${index}` })));
    const { data, total } = await list(server, path, { limit: 1000 });
    expect(total).toBe(before + 1000);
    expect(new Set(data.map(({ id }) => id))).toEqual(new Set(created.map(({ id }) => id)));
    for (const [index, next] of data.slice(1).entries()) {
      const previous = data[index]!;
      expect(previous.id > next.id, `${previous.id} before ${next.id}`).toBe(true);
      expect(previous['created_at']! >= next['created_at']!, `at ${index}`).toBe(true);
    }
    const byId = new Map(created.map((record) => [record.id, record]));
    for (const record of data) expect(record).toEqual(byId.get(record.id));
  });

  test('an update does not move a record', async () => {
    const { path } = recordNamed('address');
    const before = await list(server, path, { limit: 5 });
    const { id } = before.data[3]!;
    await server.request('PATCH', `${path}/${id}`, { city: 'Elsewhere' });
    expect((await list(server, path, { limit: 5 })).data.map((record) => record.id)).toEqual(
      before.data.map((record) => record.id),
    );
  });
});
