import { describe, expect, test } from 'vitest';

import type { Resource } from '../support/resources.ts';
import { expectProblem, wordsOf } from '../support/problem.ts';
import { type ListPage, type Stored, create, list, remove, update } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import type { Answer } from '../support/server.ts';
import { emptyParent } from './empty-parent.ts';
import { lineItemNamed, lineItems, records, singletons } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

type Query = Record<string, string | number>;

const search = (query: Query): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

/** The pages of a list, each behind the last record of the one before. */
async function pagesOf(path: string, query: Query, limit: number): Promise<ListPage[]> {
  const pages: ListPage[] = [];
  for (let after: Query = {}; ;) {
    const page = await list(server, path, { ...query, ...after, limit });
    pages.push(page);
    if (!page.has_more) return pages;
    expect(page.data).toHaveLength(limit);
    after = { after: page.data.at(-1)!.id };
  }
}

/** A list for the tests of one resource, with what its requests need and a way to add to it. */
async function listOf(resource: Resource): Promise<{ query: Query; add: (fields?: object) => Promise<Stored> }> {
  const parent = resource.kind === 'line-item' ? await emptyParent(server, resource) : undefined;
  return {
    query: parent === undefined ? {} : { parent_id: parent },
    add: (fields) => create(server, resource.path, { ...minimalBody(resource, parent), ...fields }),
  };
}

describe.each([...records, ...lineItems])('$name', (resource) => {
  const { name, kind, path, operations } = resource;
  const get = (query: Query, more = ''): Promise<Answer> => server.request('GET', `${path}?${search(query)}${more}`);

  test('pages behind one another are the pages by offset', async () => {
    const { query, add } = await listOf(resource);
    // Many items in one place, and places out of order.
    for (let count = 0; count < 7; count += 1) await add(kind === 'line-item' ? { idx: 3 - (count % 3) } : {});
    const all = (await list(server, path, { ...query, limit: 1000 })).data;
    const total = all.length;
    expect(total).toBeGreaterThanOrEqual(7);
    for (const limit of [1, 3, total - 1, total, 1000]) {
      const pages = await pagesOf(path, query, limit);
      expect(pages.flatMap(({ data }) => data)).toEqual(all);
      expect(pages.map((page) => page.total)).toEqual(pages.map(() => total));
      expect(pages).toHaveLength(Math.ceil(total / limit));
    }
    for (const [place, { id }] of all.entries()) {
      const rest = all.slice(place + 1);
      for (const limit of [1, rest.length, rest.length + 1].filter((value) => value > 0)) {
        const page = { data: rest.slice(0, limit), has_more: rest.length > limit, total };
        expect(await list(server, path, { ...query, after: id, limit })).toEqual(page);
      }
      expect(await list(server, path, { ...query, after: id })).toEqual({ data: rest, has_more: false, total });
    }
  });

  test('HEAD answers as GET does, without the body', async () => {
    const { query, add } = await listOf(resource);
    const { id } = await add();
    const head = await server.request('HEAD', `${path}?${search({ ...query, after: id })}`);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.get('content-type')).toBe((await get({ ...query, after: id })).headers.get('content-type'));
    expect((await server.request('HEAD', `${path}?${search({ ...query, after: 'x' })}`)).status).toBe(400);
  });

  test('what is no id of this resource is refused, and its form is named', async () => {
    const { query } = await listOf(resource);
    const digits = '01JABCDEFGHJKMNPQRSTVWXYZ9';
    for (const wrong of [
      '',
      ' ',
      'x',
      'null',
      '20',
      digits,
      name,
      `${name}_`,
      `${name}_${digits.slice(1)}`,
      `${name}_${digits}0`,
      `${name}_${digits.toLowerCase()}`,
      ...['I', 'L', 'O', 'U', '-', '_', ' ', '\n', '\0', 'é', '０'].map(
        (letter) => `${name}_${digits.slice(1)}${letter}`,
      ),
      `${name}_${digits.slice(2)}🙂`,
      `${name.toUpperCase()}_${digits}`,
      `${name}${digits}`,
      `${name}_x_${digits}`,
      `other_${digits}`,
      `${name}_${digits}\n`,
      ` ${name}_${digits}`,
      `${name}_${digits},${name}_${digits}`,
    ]) {
      const answer = await get({ ...query, after: wrong });
      const words = wordsOf(expectProblem(answer, 400, 'invalid_query'));
      expect(words, JSON.stringify(wrong)).toContain('"after" must be an id');
      expect(words).toContain(`"${name}_"`);
    }
  });

  test('offset=0 beside it is the default spelled out', async () => {
    const { query, add } = await listOf(resource);
    for (let count = 0; count < 3; count += 1) await add();
    const id = (await list(server, path, { ...query, limit: 1 })).data[0]!.id;
    const page = await list(server, path, { ...query, after: id, limit: 1 });
    for (const offset of ['0', '00']) {
      expect(await list(server, path, { ...query, after: id, limit: 1, offset })).toEqual(page);
      const words = wordsOf(expectProblem(await get({ ...query, after: 'x', offset }), 400, 'invalid_query'));
      expect(words).toContain('"after" must be an id');
      expect(words).not.toContain('"offset"');
    }
  });

  test('another offset beside it is refused, and both are named', async () => {
    const { query, add } = await listOf(resource);
    const { id } = await add();
    for (const [after, offset] of [
      [id, 1],
      [id, -1],
      [id, '0x0'],
      [id, '-0'],
      ['x', 1],
      ['', ''],
    ] as const) {
      const answer = await get({ ...query, after, offset });
      const words = wordsOf(expectProblem(answer, 400, 'invalid_query'));
      expect(words).toContain('"after" cannot be combined with an "offset" other than 0');
    }
  });

  test('it is given once, is spelt rightly, and goes with a limit within its bounds', async () => {
    const { query, add } = await listOf(resource);
    const { id } = await add();
    for (const [wrong, word] of [
      [`after=${id}&after=${id}`, '"after" is given more than once'],
      [`aftr=${id}`, '"after"'],
      [`After=${id}`, '"after"'],
      [`after=${id}&limit=0`, '"limit"'],
      [`after=${id}&limit=1001`, '"limit"'],
    ] as const) {
      const answer = await get(query, `&${wrong}`);
      expect(wordsOf(expectProblem(answer, 400, 'invalid_query'))).toContain(word);
    }
  });

  if (kind === 'record' && operations.includes('delete')) {
    test('the page goes on where it was, also behind a record that is deleted', async () => {
      const { add } = await listOf(resource);
      for (let count = 0; count < 4; count += 1) await add();
      const [first, second, third] = (await list(server, path, { limit: 3 })).data;
      await remove(server, path, second!.id);
      const { data } = await list(server, path, { after: second!.id, limit: 1 });
      expect(data).toEqual([third]);
      await remove(server, path, first!.id);
      expect((await list(server, path, { after: first!.id, limit: 1 })).data).toEqual([third]);
    });
  }
});

test.each(singletons)('$name has no pages', async ({ name, path }) => {
  const answer = await server.request('GET', `${path}?after=${name}_01JABCDEFGHJKMNPQRSTVWXYZ9`);
  expect(wordsOf(expectProblem(answer, 400, 'invalid_query'))).toContain('"after"');
});

test('a list of line items needs an item of its parent, and says what to do without one', async () => {
  const item = lineItemNamed('pos_item_group');
  const { path } = item;
  const [{ query, add }, other] = [await listOf(item), await listOf(item)];
  const [deleted, kept, elsewhere] = [await add(), await add(), await other.add()];
  await remove(server, path, deleted.id);
  for (const after of [deleted.id, elsewhere.id, `${item.name}_01JABCDEFGHJKMNPQRSTVWXYZ9`]) {
    const answer = await server.request('GET', `${path}?${search({ ...query, after })}`);
    const words = wordsOf(expectProblem(answer, 400, 'invalid_query'));
    expect(words).toContain('"after" names no item of this parent');
    expect(words).toContain('"offset"');
  }
  await update(server, path, elsewhere.id, { [item.parentField]: query['parent_id']!, idx: 1 });
  expect((await list(server, path, { ...query, after: elsewhere.id })).data).toEqual([kept]);
  expect((await server.request('GET', `${path}?${search({ ...other.query, after: elsewhere.id })}`)).status).toBe(400);
});
