import { expect, test } from 'vitest';

import { newId } from '../../runtime/kernel/model/ids.ts';
import { administer, organizationOf } from '../organizations/administer.ts';
import { createKey } from '../../runtime/features/keys/administration.ts';
import { deleteOrganization } from '../../runtime/features/organizations/organizations.ts';
import { service } from '../service/generated/app.ts';
import { expectIntact, Library, onEachEngine, type Problem } from './library.ts';
import { features } from '../../runtime/features.ts';

const post = (resource: string, body: object): object => ({ method: 'POST', path: `/api/library/${resource}`, body });
const remove = (resource: string, id: string): object => ({ method: 'DELETE', path: `/api/library/${resource}/${id}` });

onEachEngine('references in batches', (subject) => {
  test('a batch names records that it has created itself', async () => {
    const { library, database } = subject;
    const { status, body, text } = await library.ask('POST', 'batch', {
      operations: [
        post('author', { name: 'Ann' }),
        post('author', { name: 'Bob', mentor_id: { result: 0 } }),
        post('book', { title: 'One', author_id: { result: 1 } }),
        post('book', { title: 'Two', author_id: { result: 1 }, sequel_id: { result: 2 } }),
        post('book-copy', { book_id: { result: 3 }, donor_id: { result: 1 } }),
        post('book-copy', { book_id: { result: 3 }, donor_id: { result: 0 } }),
        post('loan', { book_id: { result: 3 }, borrower: 'Eve' }),
        { method: 'PATCH', path: '/api/library/author/{result:0}', body: { favorite: { result: 3 } } },
      ],
    });
    expect(status, text).toBe(200);
    const { results } = body as { results: readonly { body: Readonly<Record<string, unknown>> }[] };
    const ids = results.map((result) => result.body['id']);
    expect(results[3]?.body).toMatchObject({ author_id: ids[1], sequel_id: ids[2] });
    expect(results[5]?.body).toMatchObject({ book_id: ids[3], donor_id: ids[0], idx: 2 });
    expect(results[7]?.body).toMatchObject({ favorite: ids[3] });
    await expectIntact(database);
  });

  test('a batch sees its own deletes, and what they do', async () => {
    const { library, database } = subject;
    const [author, book] = [await library.author(), await library.book()];
    const loan = await library.loan(book);
    const refused = await library.refused('POST', 'batch', {
      operations: [remove('author', author), post('book', { title: 'A', author_id: author })],
    });
    expect(refused).toMatchObject({
      status: 409,
      code: 'reference_missing',
      operation: 1,
      errors: [{ pointer: '/operations/1/body/author_id' }],
    });
    expect(await library.read('author', author)).toBeDefined();
    const gone = await library.refused('POST', 'batch', {
      operations: [
        remove('book', book),
        { method: 'PATCH', path: `/api/library/loan/${loan}`, body: { borrower: 'A' } },
      ],
    });
    expect(gone).toMatchObject({ status: 404, operation: 1 });
    expect(await library.read('loan', loan)).toBeDefined();
    await expectIntact(database);
  });

  test('a delete in a batch that is refused undoes all of it, the cascade too', async () => {
    const { library, database } = subject;
    const author = await library.author();
    const book = await library.book({ author_id: author });
    const loan = await library.loan(book);
    const second = await library.book();
    const still = await library.refused('POST', 'batch', {
      operations: [remove('book', second), remove('author', author)],
    });
    expect(still).toMatchObject({
      status: 409,
      code: 'still_referenced',
      operation: 1,
      referenced_by: [{ resource: 'library/book', field: 'author_id', ids: [book] }],
    });
    expect(await library.read('book', second)).toBeDefined();
    const done = await library.ask('POST', 'batch', { operations: [remove('book', book), remove('author', author)] });
    expect(done.status, done.text).toBe(200);
    expect(await library.read('loan', loan)).toBeUndefined();
    await expectIntact(database);
  });

  test('a refused delete names no records of resources that the key may not read', async () => {
    const { library, database } = subject;
    const keyOf = async (scopes: string): Promise<Library> => {
      const options = { organization: 'main', name: 'test', rate: 'off', lifetime: null } as const;
      const { key } = await administer(database, (connection) => createKey(connection, { ...options, scopes }));
      return new Library(library.server, key);
    };
    const author = await library.author();
    const book = await library.book({ author_id: author });
    const named = { resource: 'library/book', field: 'author_id', ids: [book] };
    const unread = 'by records that the key may not read';
    const readable = `by author_id of library/book (${book})`;
    const { body } = await library.ask('GET', 'library/library-settings');
    const settings = `library/library-settings/${(body as { id: string }).id}`;
    expect((await library.ask('PATCH', settings, { librarian_id: author })).status).toBe(200);
    for (const [scopes, detail, by] of [
      ['library/author:write', unread, []],
      ['library/author:write library/book:read', `${readable}; ${unread}`, [named]],
    ] as const) {
      const one = await keyOf(scopes);
      for (const problem of [
        await one.refused('DELETE', `library/author/${author}`),
        await one.refused('POST', 'batch', { operations: [remove('author', author)] }),
      ]) {
        expect(problem).toMatchObject({ code: 'still_referenced', referenced_by: by });
        expect(problem.detail).toBe(`The author is still referenced ${detail}.`);
      }
    }
    await library.ask('PATCH', settings, { librarian_id: null });
  });

  test('a cascade that would be too large is refused, and nothing is done', async () => {
    const { library, database } = subject;
    const book = await library.book();
    const loan = await library.loan(book);
    // Past the service, where as many as one delete may remove take long.
    const numbers = `with _n("n") as (values ${Array.from({ length: 9_999 }, (_, n) => `(${10_001 + n})`).join()})`;
    const columns = Object.keys((await database.query(`select * from "loan" where "id" = '${loan}'`))[0] ?? {});
    const values = columns.map((name) => (name === 'id' ? `substr("id", 1, 26) || "n"` : `"${name}"`));
    await database.execute(
      `insert into "loan" ("${columns.join('", "')}") ${numbers} select ${values.join(', ')} from "loan", _n where "id" = '${loan}';
       update "_row_counter" set "count" = "count" + 9999 where "_organization" = 1 and "table" = 'loan' and "shard" = 0`,
    );
    const [one] = await library.list('loan', `?book_id=${book}&limit=1`);
    const extra = await library.loan(book);
    const problem = await library.refused('DELETE', `library/book/${book}`);
    expect(problem).toMatchObject({ status: 409, code: 'cascade_too_large' });
    expect(await library.read('loan', String(one?.['id']))).toEqual(one);
    await expectIntact(database);
    await library.delete('loan', extra);
    await library.delete('book', book);
    expect(await library.list('loan', `?book_id=${book}`)).toEqual([]);
    await expectIntact(database);
  });

  test('a reference names no record of another organization, and no delete reaches one', async () => {
    const { library, database } = subject;
    const organization = await organizationOf(database, service.tables, 'other');
    const options = { organization: 'other', name: 'test', scopes: '*', rate: 'off', lifetime: null } as const;
    const { key } = await administer(database, (connection) => createKey(connection, options));
    const other = new Library(library.server, key);
    const [mine, theirs] = [await library.author(), await other.author()];
    const problems: Problem[] = [
      await other.refused('POST', 'library/book', { title: 'A', author_id: mine }),
      await other.refused('PATCH', `library/author/${theirs}`, { mentor_id: mine }),
    ];
    for (const { code } of problems) expect(code).toBe('reference_missing');
    // Past the service, as no request can do it.
    const id = newId('book').id;
    const time = '2026-01-01T00:00:00.000Z';
    const columns = `"_organization", "id", "title", "author_id", "created_at", "updated_at"`;
    const insert = `insert into "book" (${columns}) values (${organization}, '${id}', 'A', '${theirs}', '${time}', '${time}')`;
    await database.execute(insert);
    expect((await other.refused('DELETE', `library/author/${theirs}`)).code).toBe('still_referenced');
    await library.delete('author', mine);
    const self = await other.book();
    await other.ask('PATCH', `library/book/${self}`, { sequel_id: self });
    await other.author({ mentor_id: theirs });
    await administer(database, (connection) => deleteOrganization(features.list, connection, 'other', 0));
    expect(await database.query(`select 1 from "author" where "id" = '${theirs}'`)).toEqual([]);
  });
});
