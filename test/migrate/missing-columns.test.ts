import { expect, test } from 'vitest';

import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, type Engine, engines, type TestDatabase } from '../support/databases.ts';
import { startServer, type TestServer } from '../support/server.ts';

const plan = ({ url }: TestDatabase, tables = service.tables) =>
  runInProcess({ ...service, tables }, { DATABASE_URL: url }, 'migrate', '--plan');

/** A server of the tests' service, whose database stays when it ends. */
const serverOn = ({ url }: TestDatabase): Promise<TestServer> =>
  startServer({ database: async () => ({ url, [Symbol.asyncDispose]: async () => {} }) });

/** The columns that no record shows: those of the service's own tables, and hidden ones. */
async function ownColumns({ name }: Engine, database: TestDatabase): Promise<(readonly [string, string])[]> {
  const rows = await database.query(
    name === 'SQLite'
      ? `select t.name as "table", c.name as "column" from sqlite_schema t, pragma_table_info(t.name) c
         where t.type = 'table' and t.sql not like '%fts5%' and t.name not like '%search\\__%' escape '\\'`
      : `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public'`,
  );
  return rows
    .map(({ table, column }) => [String(table), String(column)] as const)
    .filter(([table, column]) => table.startsWith('_') || column.startsWith('_'));
}

const drop = (columns: readonly (readonly [string, string])[]): string =>
  columns.map(([table, column]) => `alter table "${table}" drop column "${column}"`).join('; ');

for (const engine of engines) {
  describeEngine(engine, 'a database that lacks columns which no record shows', () => {
    test('gets those that rows can have, at a start, and is served as any other', async () => {
      await using database = await engine.create(service.tables);
      await using server = await serverOn(database);
      const { body: lead } = await server.request('POST', '/api/crm/lead', { lead_name: 'Ada' });
      await server.stop();
      const versions = service.tables.map(({ name }) => [name, '_version'] as const);
      const others = [
        ['_api_key', 'rate'],
        ['_event', 'request_id'],
        ['_webhook', 'why'],
        ['_delivery', 'duration'],
        ['_organization', 'deleted_at'],
      ] as const;
      await database.execute(drop([...versions, ...others]));
      const { code, stdout } = await plan(database);
      expect(code).toBe(3);
      for (const [table, column] of [...versions, ...others]) {
        expect(stdout).toContain(`alter table "${table}" add column "${column}"`);
      }

      await server.start();
      expect(await server.request('GET', '/readyz')).toMatchObject({ status: 200 });
      const list = await server.request('GET', '/api/crm/lead');
      expect(list).toMatchObject({ status: 200, body: { data: [lead], total: 1 } });
      const { id } = lead as { id: string };
      const changed = await server.request('PATCH', `/api/crm/lead/${id}`, { lead_name: 'Eve' }, { 'if-match': '"1"' });
      expect(changed.status).toBe(200);
      expect(changed.headers.get('etag')).toBe('"2"');
      expect((await server.request('POST', '/api/crm/lead', { lead_name: 'Bob' })).status).toBe(201);
      expect((await server.request('GET', '/api/catalogue/catalogue-settings')).status).toBe(200);
      expect((await server.request('GET', '/api/events?limit=1')).status).toBe(200);
      expect(await plan(database)).toMatchObject({ code: 0 });
    });

    test('is refused if rows can have no value, naming table and column, before anything is changed', async () => {
      await using database = await engine.create(service.tables);
      await using server = await serverOn(database);
      await server.stop();
      await database.execute(
        `${drop([['lead', '_version']])}; alter table "_delivery" rename column "queued" to "old"`,
      );
      const before = await ownColumns(engine, database);
      const reason = 'Table "_delivery" has no column "queued", which this version cannot add';
      await expect(server.start()).rejects.toThrow(reason);
      expect(await ownColumns(engine, database)).toEqual(before);
      const planned = await plan(database);
      expect(planned).toMatchObject({ code: 1 });
      expect(planned.stdout).toContain(reason);
    });

    test('is never taken for complete, whichever it lacks', async () => {
      await using database = await engine.create();
      // One table of records tells as much as all.
      const tables = service.tables.filter(({ name }) => name === 'lead');
      await (await database.open(tables)).close();
      const columns = await ownColumns(engine, database);
      expect(columns.length).toBeGreaterThan(60);
      const unnoticed: string[] = [];
      for (const [table, column] of columns) {
        await database.execute(`alter table "${table}" rename column "${column}" to "gone"`);
        const { code, stdout } = await plan(database, tables);
        const isNamed = stdout.includes(`"${column}"`) && stdout.includes(`"${table}"`);
        if (code === 0 || !isNamed) unnoticed.push(`${table}.${column}: ${stdout.slice(0, 200)}`);
        await database.execute(`alter table "${table}" rename column "gone" to "${column}"`);
      }
      expect(unnoticed).toEqual([]);
      expect(await plan(database, tables)).toMatchObject({ code: 0 });
    });
  });
}
