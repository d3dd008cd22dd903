import { expect, test } from 'vitest';

import type { Answer } from '../support/server.ts';
import { expectIntact, onEachEngine } from './library.ts';

const codeOf = ({ status, body }: Answer): string =>
  status < 300 ? 'done' : ((body as { code: string }).code satisfies string);

/** Each of them has one of these outcomes, and no other. */
const expectOutcomes = (answers: readonly Answer[], allowed: readonly string[]): void => {
  for (const answer of answers) expect(allowed, answer.text).toContain(codeOf(answer));
};

onEachEngine(
  'references in races',
  (subject) => {
    test('a delete that races with creates leaves none that names the deleted record', async () => {
      const { library, database } = subject;
      for (let round = 0; round < 8; round++) {
        const author = await library.author();
        const answers = await Promise.all(
          Array.from({ length: 12 }, (_, i) =>
            i % 4 === 2
              ? library.ask('DELETE', `library/author/${author}`)
              : library.ask('POST', 'library/book', { title: `${round}`, author_id: author }),
          ),
        );
        expectOutcomes(answers, ['done', 'reference_missing', 'still_referenced', 'not_found']);
        const isThere = (await library.read('author', author)) !== undefined;
        const books = await library.list('book', `?author_id=${author}`);
        expect(isThere || books.length === 0).toBe(true);
        const created = answers.filter(({ status }) => status === 201);
        expect(books).toHaveLength(created.length);
      }
      await expectIntact(database);
    });

    test('cascades that race with creates and updates on two levels leave nothing behind', async () => {
      const { library, database } = subject;
      for (let round = 0; round < 7; round++) {
        const author = await library.author();
        const [book, other] = [await library.book({ author_id: author }), await library.book({ author_id: author })];
        const sequel = await library.book({ author_id: author, sequel_id: book });
        const loan = await library.loan(other);
        const answers = await Promise.all([
          library.ask('POST', 'library/loan', { book_id: sequel, borrower: 'Ann' }),
          library.ask('PATCH', `library/loan/${loan}`, { book_id: sequel }),
          library.ask('POST', 'library/book', { title: 'New', author_id: author, sequel_id: sequel }),
          library.ask('DELETE', `library/book/${book}`),
          library.ask('POST', 'library/loan', { book_id: book, borrower: 'Ann' }),
          library.ask('PATCH', `library/book/${other}`, { sequel_id: sequel }),
          library.ask('POST', 'library/book-copy', { book_id: sequel, donor_id: author }),
          library.ask('DELETE', `library/book/${sequel}`),
        ]);
        expectOutcomes(answers, ['done', 'reference_missing', 'parent_missing', 'not_found']);
        for (const gone of [book, sequel]) expect(await library.read('book', gone)).toBeUndefined();
      }
      await expectIntact(database);
    });

    test('records that name each other can be deleted at the same time', async () => {
      const { library, database } = subject;
      for (let round = 0; round < 3; round++) {
        const [one, two] = [await library.book(), await library.book()];
        for (const [book, sequel_id] of [
          [one, two],
          [two, one],
        ] as const) {
          await library.ask('PATCH', `library/book/${book}`, { sequel_id });
        }
        const answers = await Promise.all([one, two].map((book) => library.ask('DELETE', `library/book/${book}`)));
        expectOutcomes(answers, ['done', 'not_found']);
        expect(answers.map(codeOf)).toContain('done');
      }
      await expectIntact(database);
    });

    test('a delete that sets references to null races with those who set them', async () => {
      const { library, database } = subject;
      for (let round = 0; round < 7; round++) {
        const mentor = await library.author();
        const authors = [await library.author(), await library.author({ mentor_id: mentor }), await library.author()];
        const answers = await Promise.all([
          ...authors.map((author) => library.ask('PATCH', `library/author/${author}`, { mentor_id: mentor })),
          library.ask('DELETE', `library/author/${mentor}`),
          ...authors.map((author) => library.ask('PATCH', `library/author/${author}`, { mentor_id: mentor })),
        ]);
        expectOutcomes(answers, ['done', 'reference_missing']);
        for (const author of authors) expect(await library.read('author', author)).toMatchObject({ mentor_id: null });
      }
      await expectIntact(database);
    });
  },
  { WORKERS: '2', RATE_LIMIT: 'off' },
);
