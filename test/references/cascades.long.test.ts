import { expect, test } from 'vitest';

import { untilBlocked } from '../support/postgres.ts';
import type { PostgresDatabase } from '../support/postgres-databases.ts';
import { expectIntact, onEachEngine } from './library.ts';

onEachEngine('deletes that change many records', (subject, engine) => {
  const time = '2026-01-01T00:00:00.000Z';

  /** Stores rows past the server, each as a list of literals behind its organization and id. */
  async function store(table: string, columns: string, rows: readonly string[]): Promise<void> {
    await subject.database.execute(
      `insert into "${table}" ("_organization", "created_at", "updated_at", "_version", "id", ${columns})
         values ${rows.map((row) => `(1, '${time}', '${time}', 1, ${row})`).join(', ')};
       update "_row_counter" set "count" = "count" + ${rows.length}
         where "_organization" = 1 and "table" = '${table}' and "shard" = 0`,
    );
    // Without autovacuum, PostgreSQL would go on with plans for empty tables.
    if (engine.name !== 'SQLite') await subject.database.execute('analyze');
  }

  const idOf = (table: string, n: number): string => `${table}_01M80TS8N5000${String(n).padStart(13, '0')}`;

  test('one goes through 9,000 levels of records that reference each other', async () => {
    const { library, database } = subject;
    const author = await library.author();
    const first = await library.book({ author_id: author });
    const books = Array.from({ length: 9_000 }, (_, n) => {
      const former = n === 0 ? first : idOf('book', n - 1);
      return `'${idOf('book', n)}', 'Part ${n}', '${author}', '${former}'`;
    });
    await store('book', '"title", "author_id", "sequel_id"', books);
    // The last one closes a circle, and has a copy and a loan.
    const last = idOf('book', 8_999);
    expect((await library.ask('PATCH', `library/book/${first}`, { sequel_id: last })).status).toBe(200);
    expect((await library.ask('POST', 'library/book-copy', { book_id: last })).status).toBe(201);
    await library.loan(last);
    await library.delete('book', idOf('book', 4_500));
    expect(await library.list('book', `?id=${first}`)).toEqual([]);
    expect(await database.query('select 1 from "book" union all select 1 from "loan"')).toEqual([]);
    const { status, body } = await library.ask('GET', `events?operation=delete&resource=library/book&limit=1000`);
    expect(status, JSON.stringify(body)).toBe(200);
    expect((body as { data: unknown[] }).data).toHaveLength(1000);
    await expectIntact(database);
  });

  test('more than 10,000 are refused', async () => {
    const { library } = subject;
    const author = await library.author();
    const book = await library.book({ author_id: author });
    const rows = Array.from({ length: 10_001 }, (_, n) => `'${idOf('loan', n)}', '${book}', 'Bob'`);
    await store('loan', '"book_id", "borrower"', rows);
    expect(await library.refused('DELETE', `library/book/${book}`)).toMatchObject({ code: 'cascade_too_large' });
    await library.delete('loan', idOf('loan', 0));
    await library.delete('book', book);
    expect(await library.list('loan')).toEqual([]);
  });

  test('a record that two fields reference from counts once', async () => {
    const { library, database } = subject;
    const author = await library.author();
    const rows = Array.from(
      { length: 5_100 },
      (_, n) => `'${idOf('claim', n)}', 'T', 0, 0, 0, '${author}', '${author}'`,
    );
    await store('claim', '"title", "item_count", "total", "to_pay", "author_id", "checker_id"', rows);
    await library.delete('author', author);
    const left = 'select 1 from "claim" where "author_id" is not null or "checker_id" is not null';
    expect(await database.query(left)).toEqual([]);
  });

  test.runIf(engine.name === 'PostgreSQL')(
    'one that is ended before its commit says that nothing was done',
    async () => {
      const { library, database } = subject;
      const book = await library.book();
      const loan = await library.loan(book);
      const { Client } = await import('pg');
      const other = new Client(database.url);
      await other.connect();
      await other.query(`begin; select 1 from "loan" where "id" = '${loan}' for update`);
      const deleting = library.refused('DELETE', `library/book/${book}`);
      await untilBlocked(database as unknown as PostgresDatabase);
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      const problem = await deleting;
      expect(problem).toMatchObject({ status: 503, detail: expect.stringContaining('nothing was done') as string });
      await other.end();
      await library.delete('book', book);
    },
  );
});
