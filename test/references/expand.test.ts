import { expect, test } from 'vitest';

import { createKey } from '../../runtime/features/keys/administration.ts';
import { createClient } from '../service/generated/client.ts';
import { administer } from '../organizations/administer.ts';
import { Library, onEachEngine } from './library.ts';

onEachEngine('expand through references', (subject) => {
  test('a record and a list show the records that references name', async () => {
    const { library } = subject;
    const mentor = await library.author({ name: 'Mentor' });
    const author = await library.author({ mentor_id: mentor });
    const first = await library.book({ author_id: author });
    const book = await library.book({ author_id: author, sequel_id: first });
    await library.ask('PATCH', `library/author/${author}`, { favorite: book });
    const named = { author: await library.read('author', author), sequel: await library.read('book', first) };
    const plain = await library.read('book', book);
    expect(await library.read('book', book, '?expand=author_id,sequel_id')).toEqual({ ...plain, ...named });
    expect(await library.list('book', `?expand=sequel_id&sequel_id=${first}`)).toEqual([
      { ...plain, sequel: named.sequel },
    ]);
    expect(await library.read('book', first, '?expand=sequel_id&fields=title')).toEqual({
      id: first,
      title: 'A book',
      sequel: null,
    });
    // A reference to the same table, and one whose name does not end in _id.
    const shown = await library.read('author', author, '?expand=mentor_id,favorite');
    expect(shown).toEqual({ ...named.author, mentor: await library.read('author', mentor), favorite_record: plain });
    const copy = await library.create('book-copy', { book_id: book, donor_id: mentor });
    const [item] = await library.list('book-copy', `?parent_id=${book}&expand=donor_id`);
    expect(item).toMatchObject({ id: copy, donor: { id: mentor, name: 'Mentor' } });
    const both = await library.read('book', book, '?expand=book-copy,author_id');
    expect(both).toMatchObject({ book_copy: { total: 1, data: [{ id: copy }] }, author: { id: author } });
  });

  test('a record and a list show the records that reference them, the newest first', async () => {
    const { library } = subject;
    const [author, other] = [await library.author(), await library.author()];
    const books: string[] = [];
    for (let i = 0; i < 102; i++) books.push(await library.book({ author_id: author }));
    const [first = '', second = ''] = books;
    for (const id of [second, books[5]]) await library.ask('PATCH', `library/book/${id}`, { sequel_id: first });
    const shown = await library.read('author', author, '?expand=books,gifts&fields=name');
    const list = shown?.['books'] as unknown as { data: { id: string }[]; has_more: boolean; total: number };
    expect(list.data.map(({ id }) => id)).toEqual(books.toReversed().slice(0, 100));
    expect(shown).toMatchObject({
      books: { has_more: true, total: 102 },
      gifts: { data: [], has_more: false, total: 0 },
    });
    expect(list.data[0]).toEqual(await library.read('book', books.at(-1)!));
    // Records of the same table, and line items.
    const sequels = await library.list('book', `?author_id=${author}&expand=sequels&limit=1000`);
    expect(sequels.find(({ id }) => id === first)).toMatchObject({
      sequels: { data: [{ id: books[5] }, { id: second }], total: 2 },
    });
    expect(sequels.find(({ id }) => id === second)).toMatchObject({ sequels: { data: [], total: 0 } });
    const copies: string[] = [];
    for (const book of [second, first])
      copies.push(await library.create('book-copy', { book_id: book, donor_id: other }));
    expect(await library.list('author', '?expand=gifts,books&limit=2')).toMatchObject([
      { id: other, gifts: { data: copies.toReversed().map((id) => ({ id })), total: 2 }, books: { total: 0 } },
      { id: author, gifts: { total: 0 }, books: { total: 102 } },
    ]);
  });

  test('records that are long together are shown with the one that they reference', async () => {
    const { library } = subject;
    const mentor = await library.author();
    const pupils: string[] = [];
    for (let i = 0; i < 12; i++)
      pupils.unshift(await library.author({ mentor_id: mentor, biography: '\u{1}'.repeat(60_000) }));
    const shown = await library.read('author', mentor, '?expand=pupils,books');
    expect(shown).toMatchObject({
      id: mentor,
      pupils: { data: pupils.map((id) => ({ id, mentor_id: mentor })), has_more: false, total: 12 },
      books: { total: 0 },
    });
    const [listed] = await library.list('author', `?id=${mentor}&expand=pupils,books`);
    expect(listed).toEqual(shown);
  });

  test('a key that may not read a resource gets null', async () => {
    const { library, database } = subject;
    const author = await library.author();
    const book = await library.book({ author_id: author });
    const options = {
      organization: 'main',
      name: 'test',
      scopes: 'library/book:read',
      rate: 'off',
      lifetime: null,
    } as const;
    const { key } = await administer(database, (connection) => createKey(connection, options));
    const reader = new Library(library.server, key);
    const shown = await reader.read('book', book, '?expand=author_id,sequel_id');
    expect(shown).toMatchObject({ author_id: author, author: null, sequel: null });
    const [listed] = await reader.list('book', '?expand=author_id&limit=1');
    expect(listed).toMatchObject({ id: book, author: null });
    expect((await reader.refused('GET', `library/book/${book}?expand=book-copy`)).code).toBe('insufficient_scope');
    for (const path of [`library/book/${book}`, 'library/book']) {
      for (const names of ['loans', 'sequels,loans']) {
        const refused = await reader.refused('GET', `${path}?expand=${names}`);
        expect(refused, path).toMatchObject({ status: 403, code: 'insufficient_scope' });
        expect(refused.detail).toContain('library/loan:read');
      }
    }
    expect(await reader.read('book', book, '?expand=sequels')).toMatchObject({ sequels: { total: 0 } });
    const unknown = await library.refused('GET', `library/book/${book}?expand=author`);
    expect(unknown).toMatchObject({ code: 'invalid_query' });
  });

  test('long records are shown with those that they name', async () => {
    const { library } = subject;
    const author = await library.author({ biography: '\u{1}'.repeat(60_000) });
    const books: string[] = [];
    for (let i = 0; i < 6; i++) books.push(await library.book({ author_id: author }));
    const whole = await library.read('author', author);
    const listed = await library.list('book', `?author_id=${author}&expand=author_id`);
    expect(listed.map(({ id }) => id)).toEqual(books.toReversed());
    for (const one of listed) expect(one['author']).toEqual(whole);
  });

  test('the typed client names references by their fields', async () => {
    const { library } = subject;
    const client = createClient({ url: library.server.url, key: library.key });
    const author = await client.library.author.create({ name: 'Ann' });
    const book = await client.library.book.create({ title: 'A', author_id: author.id });
    const shown = await client.library.book.retrieve(book.id, { expand: ['author_id', 'book_copy'] });
    expect(shown.author?.name).toBe('Ann');
    expect(shown.book_copy.data).toEqual([]);
    const { data } = await client.library.book.list({ filter: { author_id: author.id }, expand: ['sequel_id'] });
    expect(data.map(({ id, sequel }) => [id, sequel])).toEqual([[book.id, null]]);
    const { books, gifts } = await client.library.author.retrieve(author.id, { expand: ['books', 'gifts'] });
    const [titles, shelves]: [string[], (string | null)[]] = [
      books.data.map(({ title }) => title),
      gifts.data.map(({ shelf }) => shelf),
    ];
    expect([titles, shelves, books.total]).toEqual([['A'], [], 1]);
  });
});
