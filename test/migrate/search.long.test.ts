import { expect, test, vi } from 'vitest';
import { z } from 'zod';

import type { Database } from '../../runtime/migrations/types.ts';
import { migrateSchema, planMigration } from '../../runtime/migrations/driver.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { withSqlite } from '../../runtime/migrations/sqlite.ts';
import { backfilled, id, optional, renamed, text, timestamp } from '../../runtime/kernel/model/fields.ts';
import { listed, record, type Table } from '../../runtime/kernel/model/table.ts';
import { rewriteRows, rewriteTogether } from '../../runtime/migrations/rewrites.ts';
import { searchRewrite } from '../../runtime/features/search/compare.ts';
import { foldedRewrite } from '../../runtime/features/unique/refolded.ts';
import { isSearchIndex, searchColumn, searchOf } from '../../runtime/features/search/search.ts';
import { describeEngine, engines, itemsOf, serviceName, type TestDatabase, textOf } from '../support/databases.ts';
import { insertOf } from '../store/contract.ts';
import { features } from '../../runtime/features.ts';

const times = { created_at: timestamp(), updated_at: timestamp() };

const fields = { subject: optional(text()), notes: optional(text()) };

/** A table of tickets that are searched by these fields. */
function tickets(search: readonly string[], shape: Record<string, z.ZodType> = fields, name = 'ticket'): Table {
  const renamedFrom = name === 'ticket' ? {} : { renamedFrom: ['ticket'] };
  return record(name, z.strictObject({ id: id(), ...shape, ...times }), renamedFrom, [listed({ search })]);
}

for (const engine of engines) {
  describeEngine(engine, 'search and migrations', () => {
    const use = <T>({ url }: TestDatabase, work: (database: Database) => Promise<T>): Promise<T> =>
      engine.name === 'SQLite'
        ? withSqlite(url.slice('sqlite:'.length), serviceName, 'write', work)
        : withPostgres(url, serviceName, work);

    const migrate = (database: TestDatabase, table: Table): Promise<unknown> =>
      use(database, (connection) => migrateSchema(features.list, connection, [table], { incompatible: true }));

    /** The subjects of the tickets that a search finds. */
    async function found(database: TestDatabase, table: Table, ...search: string[]): Promise<unknown[]> {
      await using store = await database.open([table]);
      const listing = await store.list(table.name, { limit: 1000, offset: 0, search });
      const rows = JSON.parse(`[${await textOf(listing ? itemsOf(store, table.name, listing) : '')}]`) as Record<
        string,
        unknown
      >[];
      expect(listing?.total).toBe(rows.length);
      return rows.map((row) => row['subject'] ?? row['title'] ?? null);
    }

    async function insert(database: TestDatabase, table: Table, ...rows: Record<string, string>[]): Promise<void> {
      await using store = await database.open([table]);
      for (const row of rows) await store.write(insertOf(table, row));
    }

    /** Expects the search column and index of this table only, and an empty plan. */
    async function expectOnly(database: TestDatabase, table: Table): Promise<void> {
      const { actual, plan } = await use(database, async (connection) => ({
        actual: (await connection.readSchema()).actual,
        plan: await planMigration(features.list, connection, [table]),
      }));
      expect(plan).toMatchObject({ steps: [], orphaned: [], blockers: [], errors: [] });
      const search = searchOf(table);
      expect(actual.tables.get(table.name)?.has(searchColumn)).toBe(search !== undefined);
      const names = [...actual.tables.keys(), ...actual.indexes.keys()].filter(isSearchIndex);
      expect(names).toEqual(search ? [search.name] : []);
    }

    test('rows that were there before are found, in as many slices as they take', async () => {
      await using database = await engine.create();
      await insert(database, tickets([]), { subject: 'Älter', notes: 'Straße' }, { notes: 'none' });
      const numbers = 'with recursive _n(value) as (select 1 union all select value + 1 from _n where value < 1100)';
      await database.execute(
        `insert into "ticket" ("_organization", "id", "subject", "created_at", "updated_at")
         ${numbers} select 1 + value % 2, 'ticket_' || value, 'Many ' || value, 't', 't' from _n`,
      );
      const after = tickets(['subject', 'notes']);
      await migrate(database, after);
      expect(await found(database, after, 'alt', 'stra')).toEqual(['Älter']);
      expect(await found(database, after, 'many')).toHaveLength(550);
      expect(await found(database, after, 'many', '1099')).toEqual([]);
      expect(await found(database, after, 'many', '1100')).toEqual(['Many 1100']);
      expect(await found(database, after, 'none')).toEqual([null]);
      await expectOnly(database, after);
    });

    test('a start does the same, and says what it will do', async () => {
      await using database = await engine.create();
      await insert(database, tickets([]), { subject: 'before' });
      const after = tickets(['subject']);
      const { steps } = await use(database, (connection) => planMigration(features.list, connection, [after]));
      expect(steps.map(({ effect }) => effect)).toEqual(['addition', 'addition', 'addition']);
      expect(steps.filter(({ kind }) => kind === 'rewrite')).toHaveLength(1);
      expect(await found(database, after, 'bef')).toEqual(['before']);
      await expectOnly(database, after);
    });

    test('other fields, renamed ones and another name of the resource', async () => {
      await using database = await engine.create();
      await insert(database, tickets(['subject']), { subject: 'first', notes: 'second' });
      const both = tickets(['notes', 'subject']);
      await migrate(database, both);
      expect(await found(database, both, 'sec', 'fir')).toEqual(['first']);
      await expectOnly(database, both);
      await expectOnly(database, tickets(['subject', 'notes']));
      const notes = tickets(['notes']);
      await migrate(database, notes);
      expect(await found(database, notes, 'fir')).toEqual([]);
      expect(await found(database, notes, 'sec')).toEqual(['first']);
      await expectOnly(database, notes);
      const title = tickets(['title', 'notes'], { title: renamed(optional(text()), 'subject'), notes: fields.notes });
      await migrate(database, title);
      expect(await found(database, title, 'sec', 'fir')).toEqual(['first']);
      await expectOnly(database, title);
      const claims = tickets(['title'], { title: optional(text()), notes: fields.notes }, 'claim');
      await migrate(database, claims);
      await insert(database, claims, { title: 'first of claims' });
      expect(await found(database, claims, 'fir')).toEqual(['first of claims', 'first']);
      await expectOnly(database, claims);
    });

    test('what was written without words in between is found again', async () => {
      await using database = await engine.create();
      const searched = tickets(['subject']);
      await insert(database, searched, { subject: 'old' });
      // A start that does not search leaves the columns to other servers, and does not keep them up.
      await insert(database, tickets([]), { subject: 'between' });
      await database.execute(`update "ticket" set "subject" = 'new' where "subject" = 'old'`);
      expect(await found(database, searched, 'old')).toEqual([]);
      expect(await found(database, searched, 'new')).toEqual(['new']);
      expect(await found(database, searched, 'between')).toEqual(['between']);
      await migrate(database, tickets([]));
      await expectOnly(database, tickets([]));
    });

    test('the index stays where the fields change, and a version that still runs goes on searching by it', async () => {
      await using database = await engine.create();
      const [first, second] = [tickets(['subject']), tickets(['notes', 'subject'])];
      await insert(database, first, { subject: 'one', notes: 'two' });
      const running = await database.open([first]);
      try {
        expect(await found(database, second, 'one', 'two')).toEqual(['one']);
        await running.write(insertOf(first, { subject: 'three', notes: 'four' }));
        expect((await running.list('ticket', { limit: 9, offset: 0, search: ['one'] }))?.total).toBe(1);
        expect((await running.list('ticket', { limit: 9, offset: 0, search: ['three'] }))?.total).toBe(1);
      } finally {
        await running.close();
      }
      // It restarts, and after it the newer one, which stores the words of what it has written.
      expect(await found(database, first, 'three')).toEqual(['three']);
      expect(await found(database, second, 'four')).toEqual(['three']);
      await expectOnly(database, second);
    });

    test.runIf(engine.name === 'PostgreSQL')('no index is built where the fields change', async () => {
      await using database = await engine.create();
      const files = (): Promise<unknown[]> =>
        database.query(`select pg_relation_filenode(oid) from pg_class where relname like '%.search.%'`);
      await insert(database, tickets(['subject']), { subject: 'one', notes: 'two' });
      const before = await files();
      await insert(database, tickets(['subject', 'notes']));
      expect(await files()).toEqual(before);
    });

    test.runIf(engine.name === 'PostgreSQL')(
      'an index that is not finished is built again, also after a version that does not search',
      async () => {
        await using database = await engine.create();
        const searched = tickets(['subject']);
        await insert(database, searched, { subject: 'one' });
        const name = searchOf(searched)?.name ?? '';
        await database.execute(`update pg_index set indisvalid = false where indexrelid = '"${name}"'::regclass`);
        await insert(database, tickets([]));
        expect(await found(database, searched, 'one')).toEqual(['one']);
        const valid = `select indisvalid from pg_index where indexrelid = '"${name}"'::regclass`;
        expect(await database.query(valid)).toEqual([{ indisvalid: true }]);
      },
    );

    test('words that others have not written are stored when that is requested, those of other rows stay', async () => {
      await using database = await engine.create();
      const table = tickets(['subject']);
      await insert(database, table, { subject: 'one' }, { subject: 'two' }, { subject: 'three' });
      await database.execute(`update "ticket" set "subject" = 'four' where "subject" = 'two'`);
      await database.execute(`update "ticket" set "_search" = null where "subject" = 'three'`);
      expect(await use(database, (connection) => rewriteRows(connection, searchRewrite(table)))).toBe(2);
      expect(await use(database, (connection) => rewriteRows(connection, searchRewrite(table)))).toBe(0);
      expect(await found(database, table, 'two')).toEqual([]);
      expect(await found(database, table, 'four')).toEqual(['four']);
      expect(await found(database, table, 't')).toEqual(['three']);
    });

    test('words and folded texts are made in one go through the rows, and only those of rows with others are sent', async () => {
      await using database = await engine.create();
      const table = { ...tickets(['subject', 'notes']), unique: [{ fields: ['subject'], ignoreCase: true as const }] };
      // PostgreSQL orders the words of a row otherwise.
      await insert(database, table, { subject: 'Zoe Ann', notes: 'b a' }, { subject: 'Two' }, { notes: 'three' });
      await database.execute(`update "ticket" set "_subject_folded" = 'x' where "subject" = 'Two'`);
      const rewrite = (): Promise<{ changed: readonly number[]; statements: string[] }> =>
        use(database, async (connection) => {
          const query = vi.spyOn(connection, 'query');
          const rewrites = [searchRewrite(table), foldedRewrite(table)];
          const changed = await rewriteTogether(connection, table, rewrites);
          return { changed, statements: query.mock.calls.map(([sql]) => sql) };
        });
      // The first slice, and the empty one behind it.
      const reads = [expect.stringMatching(/^select/), expect.stringMatching(/^select/)];
      const first = await rewrite();
      expect(first.changed).toEqual([0, 1]);
      expect(first.statements).toEqual([reads[0], expect.stringMatching(/^update .*'two'/), reads[1]]);
      expect(first.statements[1]).not.toMatch(/zoe/);
      expect(await rewrite()).toEqual({ changed: [0, 0], statements: reads });
    });

    test('an interrupted migration goes on', async () => {
      await using database = await engine.create();
      await insert(database, tickets([]), { subject: 'one' }, { subject: 'two' });
      const [type, words] = engine.name === 'SQLite' ? ['text', '{"subject":"1·one"}'] : ['tsvector', '1·one·subject'];
      await database.execute(`alter table "ticket" add column "_search" ${type}`);
      await database.execute(`update "ticket" set "_search" = '${words}' where "subject" = 'one'`);
      const after = tickets(['subject']);
      expect(await found(database, after, 'o')).toEqual(['one']);
      expect(await found(database, after, 'tw')).toEqual(['two']);
      await expectOnly(database, after);
    });

    test('rows show and are found by the value of a backfill', async () => {
      await using database = await engine.create();
      await insert(database, tickets([]), { notes: 'one' });
      const filled = tickets(['subject'], { subject: backfilled(text(), 'Unknown'), notes: fields.notes });
      await migrate(database, filled);
      expect(await found(database, filled, 'unkn')).toEqual(['Unknown']);
    });

    test('more words than an index takes are cut, and others still found', async () => {
      await using database = await engine.create();
      const table = tickets(['subject', 'notes']);
      const letters = [...'abcdefghijklmnopqrstuvwxyz'];
      const words = letters.flatMap((a) =>
        letters.flatMap((b) => letters.map((c) => `${a}${b}${c}${'日'.repeat(30)}`)),
      );
      await insert(database, table, { subject: words.join(' '), notes: words.toReversed().join(' ') });
      expect(await found(database, table, 'aaa')).toHaveLength(1);
      expect(await found(database, table, 'zzz')).toHaveLength(1);
      expect(await found(database, table, 'mmm')).toHaveLength(0);
    });
  });
}
