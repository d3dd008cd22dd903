import { expect, test } from 'vitest';

import { createKey } from '../../runtime/auth/administration.ts';
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
  });
});
