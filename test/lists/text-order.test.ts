import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Service } from '../../runtime/index.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { generateProject } from '../support/project.ts';
import { create, list, removeAll, update } from '../support/records.ts';
import { sharedServer } from '../support/server.ts';

const spec = (sort: string, name = 'name: { max_length: 300 }'): Map<string, string> =>
  new Map([
    ['spec/service.yaml', '{ name: texts, title: Texts, doc: Texts., version: 1.0.0, license: MIT }'],
    [
      'spec/texts/word.yaml',
      `kind: record\ndoc: A word.\nlist: { filter: [kind], sort: [${sort}] }\nfields: { ${name}, kind: { max_length: 20 } }\n`,
    ],
    [
      'spec/texts/letter.yaml',
      'kind: line-item\ndoc: A letter.\nparent: { field: word_id, resource: texts/word }\n' +
        'list: { sort: [{ field: sign, ignore_case: true }] }\n' +
        'fields: { word_id: { required: true }, sign: { max_length: 20 } }\n',
    ],
  ]);

const tablesOf = async (project: string): Promise<Service> =>
  ((await import(join(project, 'generated/app.ts'))) as { service: Service }).service;

const folded = await generateProject(spec('{ field: name, ignore_case: true }, kind'));
const plain = await generateProject(spec('name, kind'));
const renamed = await generateProject(
  spec('{ field: title, ignore_case: true }, kind', 'title: { renamed_from: name, max_length: 300 }'),
);
const service = await tablesOf(folded);
const words = '/api/texts/word';

/** The longer two have the same 200 letters in front, and differ in case before the letter that tells them apart. */
const long = 'x'.repeat(200);
const inOrder = [
  'Ábel',
  'abel b',
  'ABEL C',
  'Bob',
  'bób a',
  'Łukasz',
  'Lz',
  'STRASSE 1',
  'straße 2',
  `${long}A`,
  `${long}b`,
  `${long}C`,
  'Ω',
  null,
];

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a list that is sorted without regard to case and accents', () => {
    const server = sharedServer({ project: folded, engine, tables: service.tables });

    const namesOf = async (query: Record<string, string | number>, path = words, field = 'name'): Promise<unknown[]> =>
      (await list(server, path, { limit: 100, ...query })).data.map((record) => record[field]);

    test('has the order of folded texts in both directions, page by page, and after changes', async () => {
      await removeAll(server, words);
      const shuffled = inOrder
        .map((name, at) => [(at * 5) % inOrder.length, name] as const)
        .toSorted(([a], [b]) => a - b);
      const ids = new Map<unknown, string>();
      for (const [at, name] of shuffled) ids.set(name, (await create(server, words, { name, kind: `k${at % 2}` })).id);
      expect(await namesOf({ sort: 'name' })).toEqual(inOrder);
      const reverse = [...inOrder.slice(0, -1).toReversed(), null];
      expect(await namesOf({ sort: '-name' })).toEqual(reverse);
      for (const [sort, all] of [
        ['name', inOrder],
        ['-name', reverse],
      ] as const) {
        for (const [at, name] of all.entries()) {
          const page = await namesOf({ sort, after: ids.get(name) as string, limit: 2 });
          expect([sort, name, page]).toEqual([sort, name, all.slice(at + 1, at + 3)]);
          expect(await namesOf({ sort, offset: at, limit: 2 })).toEqual(all.slice(at, at + 2));
        }
      }
      const ofKind = inOrder.filter((name) => shuffled.some(([at, one]) => one === name && at % 2 === 1));
      expect(await namesOf({ sort: 'name', kind: 'k1' })).toEqual(ofKind);

      await update(server, words, ids.get('Bob') as string, { name: 'ÁBEL A' });
      await update(server, words, ids.get('Ω') as string, { name: null });
      expect((await namesOf({ sort: 'name' })).slice(0, 3)).toEqual(['Ábel', 'ÁBEL A', 'abel b']);
      expect((await namesOf({ sort: 'name' })).slice(-2)).toEqual([null, null]);
      // Texts that only differ in what does not count are in the order of creation, the newest first.
      for (const name of ['é', 'E', 'e', 'É']) await create(server, words, { name, kind: 'same' });
      expect(await namesOf({ sort: 'name', kind: 'same' })).toEqual(['É', 'e', 'E', 'é']);
      expect(await namesOf({ sort: 'kind,name', kind: 'same' })).toEqual(['É', 'e', 'E', 'é']);
    });

    test('has the order in batches and for line items, too', async () => {
      const operations = ['b', 'Á', 'C'].map((name) => ({
        method: 'POST',
        path: words,
        body: { name, kind: 'batch' },
      }));
      expect((await server.request('POST', '/api/batch', { operations })).status).toBe(200);
      expect(await namesOf({ sort: 'name', kind: 'batch' })).toEqual(['Á', 'b', 'C']);
      const { id } = await create(server, words, { name: 'word' });
      for (const sign of ['b', 'Á', 'C']) await create(server, '/api/texts/letter', { word_id: id, sign });
      const letters = (sort: string): Promise<unknown[]> =>
        namesOf({ parent_id: id, sort }, '/api/texts/letter', 'sign');
      expect([await letters('sign'), await letters('-sign')]).toEqual([
        ['Á', 'b', 'C'],
        ['C', 'b', 'Á'],
      ]);
    });
  });
}

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a sort that begins to ignore case', () => {
    test('fills the rows that are there, also of a renamed field, and can be taken back', async () => {
      const [before, after, later] = [await tablesOf(plain), service, await tablesOf(renamed)];
      await using database = await engine.create(before.tables);
      await (await database.open(before.tables)).close();
      const insert = (number: number, name: string): string =>
        `insert into word (_organization, id, name, kind, created_at, updated_at)
         values (1, 'word_0000000000000000000000000${number}', '${name}', 'k', 't', 't');`;
      await database.execute(['b', 'Á', 'C'].map((name, n) => insert(n, name)).join(''));
      const sorted = async ({ tables }: Service, column: string): Promise<string[]> => {
        await using store = await database.open(tables);
        const filter = [{ column: 'kind', operator: 'eq', values: ['k'] }] as const;
        const page = await store.list('word', {
          limit: 10,
          offset: 0,
          filter,
          sort: [{ column, isDescending: false }],
        });
        const { items } = page as { items: string | readonly Uint8Array[] };
        const text = typeof items === 'string' ? items : Buffer.concat(items).toString();
        return (JSON.parse(`[${text}]`) as Record<string, string>[]).map(
          ({ name, title }) => (name ?? title) as string,
        );
      };
      expect(await sorted(before, 'name')).toEqual(['C', 'b', 'Á']);
      expect(await sorted(after, 'name')).toEqual(['Á', 'b', 'C']);
      expect(await sorted(before, 'name')).toEqual(['C', 'b', 'Á']);
      if (engine.name === 'SQLite') expect(await sorted(later, 'title')).toEqual(['Á', 'b', 'C']);
    });
  });
}
