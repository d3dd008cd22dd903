import { afterEach, expect, test } from 'vitest';

import { createKey } from '../../runtime/features/keys/administration.ts';
import { administer, organizationOf } from '../organizations/administer.ts';
import { service } from '../service/generated/app.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { create, listAll, pageIn, removeAll, retrieve, type Stored, storedIn, update } from '../support/records.ts';
import { sharedServer, type TestServer } from '../support/server.ts';

const articles = '/api/catalogue/article';
const variants = '/api/catalogue/article-variant';
const required = { title: 'Coat', sizes: [] };

const errorsOf = async (server: TestServer, body: object): Promise<unknown> =>
  expectProblem(await server.request('POST', articles, { ...required, ...body }), 422, 'invalid_body').errors;

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'lists', () => {
    const server = sharedServer({ engine, tables: service.tables });
    afterEach(() => removeAll(server, articles));

    test('come out as they were sent, whichever operation shows them', async () => {
      const made = await create(server, articles, { ...required, sizes: [9007199254740991, 0, 0] });
      expect(made).toMatchObject({
        tags: null,
        sizes: [9007199254740991, 0, 0],
        seasons: ['spring', 'summer'],
        markets: [],
        seen_on: null,
      });
      expect(await retrieve(server, articles, made.id)).toEqual(made);
      expect(await listAll(server, articles)).toEqual([made]);
      const { body } = await server.request('GET', `${articles}/${made.id}?fields=tags,sizes,markets`);
      expect(body).toEqual({ id: made.id, tags: null, sizes: made.sizes, markets: [] });

      const odd = ['', '"\\\n\u0001/', "o'clock 🙂", '\u2028,[]{}', 'null'];
      const changed = await update(server, articles, made.id, { tags: odd, seasons: null, seen_on: ['2026-02-28'] });
      expect(changed).toMatchObject({ tags: odd, seasons: null, seen_on: ['2026-02-28'] });
      expect(await retrieve(server, articles, made.id)).toEqual(changed);
      // The same list is no change, and another order is one.
      expect(await update(server, articles, made.id, { tags: odd, sizes: made.sizes })).toEqual(changed);
      const sorted = await update(server, articles, made.id, { tags: odd.toReversed() });
      expect(sorted.updated_at).not.toBe(changed.updated_at);
    });

    test('are checked value by value', async () => {
      for (const [body, ...errors] of [
        [{ tags: 'new' }, ['/tags', 'wrong_type', 'must be an array, not a string']],
        [
          { tags: ['a', 5, 'c', null, 'x'.repeat(41)] },
          ['/tags/1', 'wrong_type', 'must be a string, not a number'],
          ['/tags/3', 'null_not_allowed', 'must not be null'],
          ['/tags/4', 'too_long', 'must be at most 40 characters long'],
        ],
        [{ tags: ['a', 'b', 'a', 'A'] }, ['/tags/2', 'duplicate', 'repeats an earlier value']],
        [{ tags: ['1', '2', '3', '4', '5', '6'] }, ['/tags', 'too_long', 'must have at most 5 entries']],
        [
          { sizes: [0, -1, 1.5] },
          ['/sizes/1', 'too_small', 'must be at least 0'],
          ['/sizes/2', 'wrong_type', 'must be an integer, not a number'],
        ],
        [{ sizes: null }, ['/sizes', 'null_not_allowed', 'must not be null']],
        [
          { seasons: ['spring', 'Lent'] },
          ['/seasons/1', 'not_in_enum', 'must be one of "spring", "summer", "autumn", "winter"'],
        ],
        [{ markets: null }, ['/markets', 'null_not_allowed', 'must not be null']],
        [
          { markets: [['a'], 'a\0'] },
          ['/markets/0', 'wrong_type', 'must be a string, not an array'],
          ['/markets/1', 'invalid_text', 'must not contain U+0000'],
        ],
        [{ seen_on: ['2026-02-30'] }, ['/seen_on/0', 'invalid_date', expect.any(String)]],
      ] as const) {
        const wanted = errors.map(([pointer, code, message]) => ({ pointer, code, message }));
        expect(await errorsOf(server, body), JSON.stringify(body)).toEqual(wanted);
      }
      expect(
        await create(server, articles, { ...required, sizes: Array.from({ length: 100 }, () => 1) }),
      ).toBeDefined();
      const { body } = await server.request('POST', articles, {
        ...required,
        sizes: Array.from({ length: 101 }, () => 'x'),
      });
      expect(body).toMatchObject({ errors: [{ pointer: '/sizes', code: 'too_long' }] });
    });

    test('are set once as a whole', async () => {
      const { id } = await create(server, articles, required);
      const days = ['2026-01-02', '2026-01-01'];
      const made = await update(server, articles, id, { seen_on: days });
      expect(await update(server, articles, id, { seen_on: days, title: 'Coat' })).toEqual(made);
      const answer = await server.request('PATCH', `${articles}/${id}`, { seen_on: days.toReversed() });
      expect(expectProblem(answer, 422, 'invalid_body').errors).toMatchObject([
        { pointer: '/seen_on', code: 'immutable' },
      ]);
    });

    test('are found by a value, and by whether they are null', async () => {
      const made = async (title: string, body: object): Promise<unknown> =>
        create(server, articles, { ...required, ...body, title });
      await made('A', { tags: ['new', 'blue'], sizes: [1, 12], seasons: null, seen_on: ['2026-02-28'] });
      await made('B', { tags: ['Blue', 'a,b'], sizes: [2], markets: ['1', '"'] });
      await made('C', { tags: [], sizes: [1], markets: ['null'] });
      await made('D', { sizes: [9007199254740991], markets: ['$.x', '%'] });
      for (const [query, found] of [
        ['tags[has]=blue', ['A']],
        ['tags[has]=Blue', ['B']],
        ['tags[has]=blu', []],
        ['tags[has]=a,b', ['B']],
        ['tags[has]=', []],
        ['tags[null]=true', ['D']],
        ['tags[null]=false', ['C', 'B', 'A']],
        ['sizes[has]=1', ['C', 'A']],
        ['sizes[has]=9007199254740991', ['D']],
        ['sizes[has]=-1', []],
        ['sizes[has]=1&tags[has]=new', ['A']],
        ['sizes[has]=1&limit=1&offset=1', ['A']],
        ['seasons[has]=spring&sizes[has]=2', ['B']],
        ['seasons[has]=Lent', []],
        ['markets[has]=1', ['B']],
        ['markets[has]=%22', ['B']],
        ['markets[has]=null', ['C']],
        ['markets[has]=%25', ['D']],
        ['seen_on[has]=2026-02-28', ['A']],
        ['q=a&tags[has]=new', ['A']],
      ] as const) {
        const page = pageIn(await server.request('GET', `${articles}?${query}`));
        expect(
          page.data.map(({ title }) => title),
          query,
        ).toEqual(found);
        expect(page.total, query).toBe(query.includes('offset') ? 2 : found.length);
      }
      for (const [query, rule] of [
        ['tags=blue', 'has an unknown form. Known are'],
        ['sizes[has]=x', 'must be an integer, in decimal digits'],
        ['seen_on[has]=2026-02-30', 'must be a '],
        ['sort=tags', '"sort"'],
      ] as const) {
        const answer = await server.request('GET', `${articles}?${query}`);
        expect(expectProblem(answer, 400, 'invalid_query').detail).toContain(rule);
      }
    });

    test('are found within an organization', async () => {
      await organizationOf(server.database, service.tables, 'other');
      const options = { organization: 'other', name: 'test', scopes: '*', rate: 'off', lifetime: null } as const;
      const { key } = await administer(server.database, (connection) => createKey(connection, options));
      const asked = [{}, { authorization: `Bearer ${key}` }];
      const body = { ...required, tags: ['new'] };
      const made: Stored[] = [];
      for (const headers of asked) made.push((await server.request('POST', articles, body, headers)).body as Stored);
      for (const [at, headers] of asked.entries()) {
        for (const query of ['tags[has]=new', 'tags[has]=new&seasons[has]=spring', 'q=coat&tags[has]=new']) {
          const page = pageIn(await server.request('GET', `${articles}?${query}`, undefined, headers));
          expect(page, query).toEqual({ data: [made[at]], has_more: false, total: 1 });
        }
      }
    });

    test('settings, line items and batches have them', async () => {
      const path = '/api/catalogue/catalogue-settings';
      const settings = storedIn(await server.request('GET', path));
      expect(settings).toMatchObject({ languages: ['en'], fixed: null });
      const changed = { languages: ['nl', 'en'], fixed: [2] };
      expect(storedIn(await server.request('PATCH', `${path}/${settings.id}`, changed))).toMatchObject(changed);

      const variant = (colours: unknown): object => ({
        method: 'POST',
        path: variants,
        body: { article_id: { result: 0 }, colours },
      });
      const article = { method: 'POST', path: articles, body: { ...required, tags: ['x'] } };
      const operations = [article, variant(['red']), variant(['blue', 'red']), variant(['blue'])];
      const { body } = await server.request('POST', '/api/batch', { operations });
      const [made, ...items] = (body as { results: { body: { id: string } }[] }).results.map((one) => one.body);
      expect(items).toMatchObject([{ colours: ['red'] }, { colours: ['blue', 'red'] }, { colours: ['blue'] }]);
      const found = pageIn(await server.request('GET', `${variants}?parent_id=${made?.id}&colours[has]=red`));
      expect(found).toMatchObject({ data: [items[0], items[1]], total: 2 });
      await server.database.execute(`update article_variant set colours = null where id = '${items[0]?.id}'`);
      const older = pageIn(await server.request('GET', `${variants}?parent_id=${made?.id}&colours[has]=white`));
      expect(older.data).toMatchObject([{ id: items[0]?.id, colours: ['white'] }]);
      const expanded = await server.request('GET', `${articles}?expand=article-variant&fields=tags`);
      expect(pageIn(expanded).data).toMatchObject([{ tags: ['x'], article_variant: { total: 3 } }]);
      const wrong = await server.request('POST', '/api/batch', { operations: [article, variant(['a', 1])] });
      expect(expectProblem(wrong, 422, 'invalid_body').errors).toMatchObject([
        { pointer: '/operations/1/body/colours/1' },
      ]);
    });
  });
}
