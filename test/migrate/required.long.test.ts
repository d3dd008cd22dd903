import { expect, test, vi } from 'vitest';

import { backfilled, integer, nullable, optional, renamed, text } from '../../runtime/kernel/model/fields.ts';
import { openPostgres } from '../support/main-store.ts';
import { migrateSchema, planMigration } from '../../runtime/migrations/driver.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { SchemaGuard } from '../../runtime/migrations/schema-guard.ts';
import { withSqlite } from '../../runtime/migrations/sqlite.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { readConnectionOptions } from '../../runtime/engines/postgres/connection-options.ts';
import { withConnection } from '../../runtime/engines/postgres/connection.ts';
import { describeEngine, engines, type Engine, serviceName, type TestDatabase } from '../support/databases.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { company, note } from './tables.ts';
import { features } from '../../runtime/features.ts';

const loose = [company({ name: text(), state: optional(text()), size: optional(integer()) }), note()];
const strict = [company({ name: text(), state: text(), size: integer() }), note()];

const start = async (database: TestDatabase, tables: readonly Table[]): Promise<void> =>
  (await database.open(tables)).close();

const insert = (id: number, values: string): string =>
  `insert into company (_organization, id, name, state, size, created_at, updated_at)
   values (1, 'company_${id}', ${values}, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');`;

const withoutValue = (field: string, rows: string): string =>
  `The field ${field} of company is required, and ${rows} no value.`;

/** Runs `npm run migrate` of these tables. */
const migrate = ({ url }: TestDatabase, tables: readonly Table[], ...args: string[]) =>
  runInProcess({ ...service, name: serviceName, tables }, { DATABASE_URL: url }, 'migrate', ...args);

async function stepsOf({ name }: Engine, { url }: TestDatabase, tables: readonly Table[]): Promise<string[]> {
  const { steps } = await (name === 'SQLite'
    ? withSqlite(url.slice('sqlite:'.length), serviceName, 'read', (database) =>
        planMigration(features.list, database, tables),
      )
    : withPostgres(url, serviceName, (database) => planMigration(features.list, database, tables)));
  return steps.flatMap(({ statements }) => statements);
}

for (const engine of engines) {
  describeEngine(engine, 'a field that becomes required', () => {
    test('keeps a server from starting while rows have no value, and is not asked for again', async () => {
      await using database = await engine.create();
      await start(database, loose);
      await database.execute(insert(1, `'A', null, 1`) + insert(2, `'B', null, 2`) + insert(3, `'C', 'open', null`));
      const refusal = start(database, strict);
      await expect(refusal).rejects.toThrow(withoutValue('state', '2 rows have'));
      await expect(refusal).rejects.toThrow(withoutValue('size', '1 row has'));
      // The older version still starts, and can fill the rows.
      await start(database, loose);
      await database.execute(`update company set state = 'open' where state is null`);
      await expect(start(database, strict)).rejects.toThrow(withoutValue('size', '1 row has'));
      await database.execute('update company set size = 1 where size is null');
      await start(database, strict);
      expect(await stepsOf(engine, database, strict)).toEqual([]);

      // Rows that an older server stores afterwards are not checked until the table of the columns is emptied.
      await database.execute(insert(4, `'D', null, 1`));
      await start(database, strict);
      await database.execute('delete from _required_column');
      await expect(start(database, strict)).rejects.toThrow(withoutValue('state', '1 row has'));
    });

    test('is asked for again after a version in which it was not', async () => {
      const others = {
        optional: loose,
        nullable: [company({ name: text(), state: nullable(text()), size: integer() })],
        backfilled: [company({ name: text(), state: backfilled(text(), 'open'), size: integer() })],
        absent: [company({ name: text(), size: integer() })],
      };
      for (const [what, between] of Object.entries(others)) {
        await using database = await engine.create();
        await start(database, strict);
        await start(database, between);
        await database.execute(insert(1, `'A', null, 1`));
        await expect(start(database, strict), what).rejects.toThrow(withoutValue('state', '1 row has'));
        await start(database, between);
      }
    });

    test('is asked for in a database that is older than the table of such columns, or lost its own tables', async () => {
      await using database = await engine.create();
      await start(database, strict);
      await database.execute(`drop table _required_column; ${insert(1, `null, 'open', 1`)}`);
      await expect(start(database, strict)).rejects.toThrow(withoutValue('name', '1 row has'));
      await database.execute(`update company set name = 'A'`);
      await start(database, strict);
      await database.execute('alter table company drop column state');
      await expect(start(database, strict)).rejects.toThrow(withoutValue('state', '1 row has'));
      await database.execute('drop table company');
      await start(database, strict);
      expect(await stepsOf(engine, database, strict)).toEqual([]);
    });

    test('stays so under another name, and in a table of another name', async () => {
      const names = { name: text(), phase: renamed(text(), 'state'), size: integer() };
      const firm = [company(names, 'firm', ['company'])];
      await using database = await engine.create();
      await start(database, loose);
      await database.execute(insert(1, `'A', null, 1`));
      const refused = await migrate(database, firm);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('The field phase of firm is required, and 1 row has no value.');
      await database.execute(`update company set state = 'open'`);
      expect(await migrate(database, firm)).toMatchObject({ code: 0 });
      const listed = await database.query('select name from _required_column order by 1');
      expect(listed.map(({ name }) => name)).toEqual(['firm.name', 'firm.phase', 'firm.size']);
    });

    test('is told of by the plan, which changes nothing', async () => {
      await using database = await engine.create();
      await start(database, loose);
      await database.execute(insert(1, `'A', null, 1`));
      const blocked = await migrate(database, strict, '--plan');
      expect(blocked.code).toBe(1);
      expect(blocked.stdout).toContain(withoutValue('state', '1 row has'));
      expect(blocked.stdout).not.toContain('The field size');
      await database.execute(`update company set state = 'open'`);
      const planned = await migrate(database, strict, '--plan');
      expect(planned).toMatchObject({ code: 3 });
      expect(planned.stdout).toContain(`insert into "_required_column" values ('company.state'), ('company.size')`);
      await database.execute('update company set size = null');
      await expect(start(database, strict)).rejects.toThrow(withoutValue('size', '1 row has'));
    });
  });
}

describePostgres('required fields', () => {
  test('are asked for by several starts at one moment', async () => {
    await using database = await createPostgres();
    const open = (tables: readonly Table[]) =>
      Promise.all(Array.from({ length: 4 }, () => openPostgres(database.url, tables, true)));
    for (const tables of [loose, strict]) {
      const stores = await open(tables);
      for (const store of stores) await vi.waitFor(() => store.check(), { timeout: 20_000, interval: 20 });
      await Promise.all(stores.map((store) => store.close()));
    }
    const listed = await database.query('select name from _required_column order by 1');
    expect(listed.map(({ name }) => name)).toEqual(['company.name', 'company.size', 'company.state', 'note.idx']);
    await (await openPostgres(database.url, loose, true)).close();
    await database.query(insert(1, `'A', null, 1`));
    const starts = Array.from({ length: 3 }, () => openPostgres(database.url, strict, true));
    for (const one of await Promise.allSettled(starts)) {
      expect(one).toMatchObject({ reason: { message: expect.stringContaining(withoutValue('state', '1 row has')) } });
    }
  });

  test('are asked for without a limit of time, as a table may be large', async () => {
    await using database = await createPostgres();
    await withPostgres(database.url, serviceName, async (connection) => {
      await planMigration(features.list, connection, strict);
      expect(await connection.query('show statement_timeout')).toEqual([['0']]);
    });
  });

  test('are asked for with MIGRATE=off, which changes no schema; a running server does not care', async () => {
    await using database = await createPostgres();
    const guardOf = (tables: readonly Table[]) =>
      new SchemaGuard(
        features.list,
        (work) => withConnection(readConnectionOptions(database.url), work),
        tables,
        false,
      );
    const run = (tables: readonly Table[]) =>
      withPostgres(database.url, serviceName, (connection) =>
        migrateSchema(features.list, connection, tables, { incompatible: true }),
      );
    await run(loose);
    await database.query(insert(1, `'A', null, 1`));
    await expect(guardOf(strict).update()).rejects.toThrow(withoutValue('state', '1 row has'));
    await database.query(`update company set state = 'open'`);
    const strictGuard = guardOf(strict);
    await strictGuard.update();
    expect(strictGuard.isReady).toBe(true);
    expect(await database.query('select name from _required_column')).toHaveLength(4);

    const looseGuard = guardOf(loose);
    await looseGuard.update();
    expect(await database.query('select name from _required_column order by 1')).toEqual([
      { name: 'company.name' },
      { name: 'note.idx' },
    ]);
    await database.query(insert(2, `'B', null, 1`));
    strictGuard.invalidate();
    await strictGuard.ready();
    expect(strictGuard.isReady).toBe(true);
    await expect(guardOf(strict).update()).rejects.toThrow(withoutValue('state', '1 row has'));
  });
});
