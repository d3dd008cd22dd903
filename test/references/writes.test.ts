import { expect, test } from 'vitest';

import { newId } from '../../runtime/kernel/model/ids.ts';
import { expectIntact, onEachEngine } from './library.ts';

onEachEngine('references in single writes', (subject) => {
  test('a create and an update must name records that exist', async () => {
    const { library } = subject;
    const author = await library.author();
    const missing = newId('author').id;
    for (const id of [missing, 'not an id', '', 'é\u{1f600}']) {
      const problem = await library.refused('POST', 'library/book', { title: 'A', author_id: id });
      expect(problem).toMatchObject({
        status: 409,
        code: 'reference_missing',
        errors: [{ pointer: '/author_id', code: 'reference_missing' }],
      });
    }
    expect(await library.list('book', `?author_id=${author}`)).toEqual([]);
    const both = await library.refused('POST', 'library/book', { title: 'A', author_id: missing, sequel_id: missing });
    expect(both.errors?.map(({ pointer }) => pointer)).toEqual(['/author_id', '/sequel_id']);
    const book = await library.book({ author_id: author });
    const before = await library.read('book', book);
    const update = await library.refused('PATCH', `library/book/${book}`, { title: 'B', sequel_id: author });
    expect(update).toMatchObject({ status: 409, code: 'reference_missing', errors: [{ pointer: '/sequel_id' }] });
    expect(await library.read('book', book)).toEqual(before);
    const absent = await library.refused('PATCH', `library/book/${newId('book').id}`, { sequel_id: missing });
    expect(absent).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('an update may name the record itself, the same one again, and none', async () => {
    const { library } = subject;
    const author = await library.author();
    for (const mentor_id of [author, author, null]) {
      const { status, body } = await library.ask('PATCH', `library/author/${author}`, { mentor_id });
      expect([status, (body as { mentor_id: unknown }).mentor_id]).toEqual([200, mentor_id]);
    }
  });

  test('a delete that a reference restricts is refused, and names ten of the records', async () => {
    const { library } = subject;
    const author = await library.author();
    const books: string[] = [];
    for (let i = 0; i < 12; i++) books.push(await library.book({ author_id: author }));
    const problem = await library.refused('DELETE', `library/author/${author}`);
    expect(problem).toMatchObject({ status: 409, code: 'still_referenced' });
    const [by, ...others] = problem.referenced_by ?? [];
    expect(others).toEqual([]);
    expect(by).toMatchObject({ resource: 'library/book', field: 'author_id' });
    expect(by?.ids).toHaveLength(10);
    expect(books).toEqual(expect.arrayContaining([...(by?.ids ?? [])]));
    expect(await library.read('author', author)).toBeDefined();
    for (const book of books) await library.delete('book', book);
    await library.delete('author', author);
    expect(await library.read('author', author)).toBeUndefined();
  });

  test('a delete sets references to null that say so, and changes the time of these records', async () => {
    const { library } = subject;
    const mentor = await library.author();
    const author = await library.author({ mentor_id: mentor });
    const before = await library.read('author', author);
    // Also those that a cache has.
    await library.read('author', author);
    await library.delete('author', mentor);
    const after = await library.read('author', author);
    expect(after).toEqual({ ...before, mentor_id: null, updated_at: after?.['updated_at'] });
    expect(String(after?.['updated_at']) >= String(before?.['updated_at'])).toBe(true);
  });

  test('a cascade deletes what references a record, what references that, line items too', async () => {
    const { library, database } = subject;
    const first = await library.book();
    const second = await library.book({ sequel_id: first });
    const third = await library.book({ sequel_id: second });
    const fan = await library.author({ favorite: third });
    const loans = [await library.loan(first), await library.loan(third), await library.loan(third)];
    const copy = await library.create('book-copy', { book_id: third });
    const other = await library.book();
    const kept = await library.loan(other);
    for (const loan of loans) await library.read('loan', loan);
    await library.delete('book', first);
    for (const book of [first, second, third]) expect(await library.read('book', book)).toBeUndefined();
    for (const loan of loans) expect(await library.read('loan', loan)).toBeUndefined();
    expect(await library.list('book-copy', `?parent_id=${third}`)).toEqual([]);
    expect(copy).not.toBe('');
    expect(await library.read('author', fan)).toMatchObject({ favorite: null });
    expect(await library.read('loan', kept)).toBeDefined();
    await expectIntact(database);
  });

  test('a circle of cascades is deleted from each of its records', async () => {
    const { library, database } = subject;
    const first = await library.book();
    const second = await library.book({ sequel_id: first });
    const third = await library.book({ sequel_id: second });
    expect((await library.ask('PATCH', `library/book/${first}`, { sequel_id: third })).status).toBe(200);
    await library.delete('book', second);
    for (const book of [first, second, third]) expect(await library.read('book', book)).toBeUndefined();
    const self = await library.book();
    expect((await library.ask('PATCH', `library/book/${self}`, { sequel_id: self })).status).toBe(200);
    await library.delete('book', self);
    expect(await library.read('book', self)).toBeUndefined();
    await expectIntact(database);
  });

  test('a delete of line items by a cascade keeps the totals of their parents', async () => {
    const { library, database } = subject;
    const [donor, book] = [await library.author(), await library.book()];
    for (const donor_id of [donor, null, donor]) await library.create('book-copy', { book_id: book, donor_id });
    await library.delete('author', donor);
    const { body } = await library.ask('GET', `library/book-copy?parent_id=${book}`);
    expect(body).toMatchObject({ total: 1, data: [{ idx: 2, donor_id: null }] });
    const problem = await library.refused('POST', 'library/book-copy', { book_id: book, donor_id: donor });
    expect(problem).toMatchObject({ code: 'reference_missing', errors: [{ pointer: '/donor_id' }] });
    const neither = await library.refused('POST', 'library/book-copy', { book_id: donor, donor_id: donor });
    expect(neither).toMatchObject({ status: 409, code: 'parent_missing' });
    await expectIntact(database);
  });

  test('settings reference records like any other', async () => {
    const { library } = subject;
    const { body } = await library.ask('GET', 'library/library-settings');
    const { id } = body as { id: string };
    const [book, author] = [await library.book(), await library.author()];
    const set = { book_of_the_month: book, librarian_id: author };
    expect((await library.ask('PATCH', `library/library-settings/${id}`, set)).status).toBe(200);
    const problem = await library.refused('DELETE', `library/author/${author}`);
    expect(problem.referenced_by).toEqual([{ resource: 'library/library-settings', field: 'librarian_id', ids: [id] }]);
    await library.delete('book', book);
    expect((await library.ask('GET', 'library/library-settings')).body).toMatchObject({ book_of_the_month: null });
    await library.ask('PATCH', `library/library-settings/${id}`, { librarian_id: null });
    await library.delete('author', author);
  });

  test('a list can be filtered by a reference that its spec does not name', async () => {
    const { library } = subject;
    const [one, two] = [await library.book(), await library.book()];
    const [first, second] = [await library.loan(one), await library.loan(two)];
    const ids = async (query: string): Promise<unknown[]> => (await library.list('loan', query)).map(({ id }) => id);
    expect(await ids(`?book_id=${one}`)).toEqual([first]);
    expect(await ids(`?book_id[in]=${one},${two}`)).toEqual([second, first]);
    expect(await ids('?book_id[null]=true')).toEqual([]);
    expect(await library.refused('GET', `library/loan?book_id[prefix]=book`)).toMatchObject({ code: 'invalid_query' });
    const copy = await library.create('book-copy', { book_id: one, donor_id: await library.author() });
    const items = await library.list('book-copy', `?parent_id=${one}&donor_id[null]=false`);
    expect(items.map(({ id }) => id)).toEqual([copy]);
  });
});
