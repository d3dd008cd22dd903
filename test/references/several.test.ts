import { expect, test } from 'vitest';

import { createKey } from '../../runtime/features/keys/administration.ts';
import { newId } from '../../runtime/kernel/model/ids.ts';
import { administer } from '../organizations/administer.ts';
import { type Body, expectIntact, Library, onEachEngine } from './library.ts';

onEachEngine('references to several resources', (subject) => {
  const remark = (body: Body): Promise<string> => subject.library.create('remark', { text: 'A remark', ...body });

  test('a write names a record of any of them that exists', async () => {
    const { library } = subject;
    const author = await library.author();
    const book = await library.book({ author_id: author });
    const first = await remark({ about_id: book });
    const second = await remark({ about_id: author, source_id: book, cited_id: first });
    for (const about_id of [first, author, book]) {
      const { status, body } = await library.ask('PATCH', `library/remark/${second}`, { about_id });
      expect([status, (body as Body)['about_id']]).toEqual([200, about_id]);
    }
    const loan = await library.loan(book);
    for (const id of [newId('author').id, newId('book').id, loan, 'not an id', '']) {
      const problem = await library.refused('POST', 'library/remark', { text: 'A', about_id: id });
      expect(problem).toMatchObject({
        status: 409,
        code: 'reference_missing',
        errors: [
          { pointer: '/about_id', message: expect.stringContaining('names no book and no author and no remark') },
        ],
      });
    }
    // A remark is no source.
    const update = await library.refused('PATCH', `library/remark/${second}`, { source_id: first });
    expect(update).toMatchObject({ status: 409, errors: [{ pointer: '/source_id', code: 'reference_missing' }] });
    expect((await library.list('remark', `?about_id=${book}`)).map(({ id }) => id)).toEqual([second, first]);
  });

  test('expand shows the record, of those that the key may read, and the remarks of each', async () => {
    const { library, database } = subject;
    const author = await library.author();
    const book = await library.book({ author_id: author });
    const [ofBook, ofAuthor] = [
      await remark({ about_id: book }),
      await remark({ about_id: author, source_id: author }),
    ];
    const [record, writer] = [await library.read('book', book), await library.read('author', author)];
    expect(await library.read('remark', ofBook, '?expand=about_id,source_id')).toMatchObject({
      about: record,
      source: null,
    });
    expect(await library.list('remark', `?id[in]=${ofBook},${ofAuthor}&expand=about_id,source_id`)).toMatchObject([
      { id: ofAuthor, about: writer, source: writer },
      { id: ofBook, about: record, source: null },
    ]);
    expect(await library.read('author', author, '?expand=remarks')).toMatchObject({
      remarks: { data: [{ id: ofAuthor }], total: 1 },
    });
    expect(await library.read('book', book, '?expand=remarks')).toMatchObject({
      remarks: { data: [{ id: ofBook }], total: 1 },
    });
    const scopes = 'library/remark:read library/book:read';
    const options = { organization: 'main', name: 'test', scopes, rate: 'off', lifetime: null } as const;
    const { key } = await administer(database, (connection) => createKey(connection, options));
    const reader = new Library(library.server, key);
    expect(await reader.read('remark', ofBook, '?expand=about_id')).toMatchObject({ about: record });
    expect(await reader.read('remark', ofAuthor, '?expand=about_id')).toMatchObject({ about_id: author, about: null });
  });

  test('a record that is too long for one value shows it too', async () => {
    const { library } = subject;
    const author = await library.author({ biography: '\u{1}'.repeat(60_000) });
    for (let i = 0; i < 20; i++) await remark({ about_id: author, source_id: author });
    const shown = await library.list('remark', `?about_id=${author}&expand=about_id,source_id`);
    const record = await library.read('author', author);
    expect(shown).toHaveLength(20);
    for (const { about, source } of shown) expect([about, source]).toEqual([record, record]);
  });

  test('a delete restricts, cascades and clears by the reference to its resource', async () => {
    const { library, database } = subject;
    const author = await library.author();
    const other = await library.author();
    const book = await library.book({ author_id: other });
    const deep = await remark({ about_id: await remark({ about_id: author }) });
    const cleared = [
      await remark({ about_id: other, source_id: author }),
      await remark({ about_id: other, source_id: book }),
    ];
    await library.delete('author', author);
    expect(await library.read('remark', deep)).toBeUndefined();
    expect(await library.read('remark', cleared[0]!)).toMatchObject({ source_id: null });
    expect(await library.read('remark', cleared[1]!)).toMatchObject({ source_id: book });
    const citing = await remark({ about_id: other, cited_id: book });
    expect(await library.refused('DELETE', `library/book/${book}`)).toMatchObject({
      code: 'still_referenced',
      referenced_by: [{ resource: 'library/remark', field: 'cited_id', ids: [citing] }],
    });
    await library.delete('remark', citing);
    await library.delete('book', book);
    expect(await library.read('remark', cleared[1]!)).toMatchObject({ source_id: null });
    await expectIntact(database);
  });

  test('operations of a batch name the records of earlier ones, and miss those that these delete', async () => {
    const { library, database } = subject;
    const author = await library.author();
    const create = (path: string, body: object): object => ({ method: 'POST', path: `/api/library/${path}`, body });
    const made = await library.ask('POST', 'batch', {
      operations: [
        create('author', { name: 'New' }),
        create('remark', { text: 'A', about_id: { result: 0 } }),
        create('remark', { text: 'B', about_id: { result: 1 }, source_id: author, cited_id: { result: 1 } }),
      ],
    });
    expect(made.status, made.text).toBe(200);
    const problem = await library.refused('POST', 'batch', {
      operations: [
        { method: 'DELETE', path: `/api/library/author/${author}` },
        create('remark', { text: 'C', about_id: author }),
      ],
    });
    expect(problem).toMatchObject({ status: 409, code: 'reference_missing', operation: 1 });
    expect(await library.read('author', author)).toBeDefined();
    await expectIntact(database);
  });

  test('a delete is undone with what it cleared, and not if a record that it names is gone', async () => {
    const { library } = subject;
    const undoLast = async (id: string): Promise<number> => {
      const { body } = await library.ask('GET', `events?record=${id}&limit=1000`);
      const last = (body as { data: { number: number }[] }).data.at(-1)!;
      return (await library.ask('POST', `events/${last.number}/undo`)).status;
    };
    const [author, source] = [await library.author(), await library.author()];
    const id = await remark({ about_id: author, source_id: source });
    const before = await library.read('remark', id);
    await library.delete('remark', id);
    expect(await undoLast(id)).toBe(200);
    expect(await library.read('remark', id)).toMatchObject({
      about_id: author,
      source_id: source,
      text: before!['text'],
    });
    await library.delete('remark', id);
    await library.delete('author', author);
    expect(await undoLast(id)).toBe(409);
  });

  test('no race leaves a reference to a record that is gone', async () => {
    const { library, database } = subject;
    const statuses = new Set<number>();
    for (let round = 0; round < 12; round++) {
      const author = await library.author();
      const cited = await remark({ about_id: author });
      const answers = await Promise.all([
        library.ask('POST', 'library/remark', { text: 'A', about_id: author, source_id: author }),
        library.ask('POST', 'library/remark', { text: 'B', about_id: cited, cited_id: cited }),
        library.ask('DELETE', `library/author/${author}`),
        library.ask('PATCH', `library/remark/${cited}`, { source_id: author }),
      ]);
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].filter((status) => ![200, 201, 404, 409].includes(status))).toEqual([]);
    await expectIntact(database);
  });
});
