import { expect, test } from 'vitest';

import {
  countOwnedRows,
  createOrganization,
  deleteOrganization,
  findOrganization,
  listOrganizations,
  renameOrganization,
} from '../../runtime/features/organizations/organizations.ts';
import { newId } from '../../runtime/kernel/model/ids.ts';
import { integer, optional } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { useHooks } from '../../runtime/features/hooks/hooks.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import { serverCommand } from '../server/command.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import { company, note, settings } from '../migrate/tables.ts';
import { administer } from './administer.ts';
import { onlyJson } from '../support/main-store.ts';
import { features } from '../../runtime/features.ts';

const options = settings('options');
const tables: readonly Table[] = [company({ size: optional(integer()) }), note(), options];

const idOf = (database: TestDatabase, name: string): Promise<number> =>
  administer(database, async (connection) => (await findOrganization(connection, name)).id);

async function insertCompany(records: Records): Promise<string> {
  const { id, time } = newId('company');
  const written = await records.write({ op: 'insert', table: 'company', values: [id, 1, time, time] });
  expect(written.outcome).toBe('written');
  return id;
}

async function insertNotes(records: Records, parent: string, count: number): Promise<void> {
  const writes = Array.from({ length: count }, () =>
    records.write({ op: 'insert', table: 'note', values: [newId('note').id, null, parent] }),
  );
  for (const { outcome } of await Promise.all(writes)) expect(outcome).toBe('written');
}

const nothing = { company: [], note: [], options: [], _row_counter: [] };

/** All rows of an organization, past any store. */
async function rowsOf(database: TestDatabase, organization: number): Promise<unknown> {
  const found: Record<string, string[]> = {};
  for (const table of Object.keys(nothing)) {
    const rows = await database.query(`select * from "${table}" where "_organization" = ${organization}`);
    found[table] = rows.map((row) => JSON.stringify(row)).toSorted();
  }
  return found;
}

for (const engine of engines) {
  describeEngine(engine, 'organizations', () => {
    test('keep their hooks if a command of another version creates one; a start of it replaces them', async () => {
      await using database = await engine.create();
      const [older, newer] = ['afterCreate', 'afterUpdate'].map((name) => {
        const table = company({});
        useHooks(table, { [name]: () => {} });
        return [table];
      }) as [Table[], Table[]];
      const start = async (version: readonly Table[]): Promise<void> => (await database.open(version)).close();
      const filters = async (): Promise<unknown> =>
        (await database.query('select "filter" from "_webhook" order by "id"')).map(({ filter }) => filter);
      await start(newer);
      await administer(database, (connection) => createOrganization(features.list, connection, older, 'acme'));
      expect(await filters()).toEqual(['company:update', 'company:create']);
      await start(newer);
      expect(await filters()).toEqual(['company:update', 'company:update']);
    });

    test('are created, listed and renamed by a command while servers run, and mistakes are named', async () => {
      await using database = await engine.create(service.tables);
      await using _ = await database.open(service.tables);
      const run = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await runInProcess(
          service,
          { DATABASE_URL: database.url },
          'organizations',
          ...args,
        );
        return `${code} ${stdout}${stderr}`;
      };
      expect(await run('create', 'acme')).toBe('0 Created the organization acme.\n');
      expect(await run('create', 'acme')).toBe('1 There is already an organization acme.\n');
      expect(await run('create', 'Acme')).toContain('2 The name "Acme" is not valid');
      expect(await run('create', 'x'.repeat(64))).toContain('is not valid');
      expect(await run('list')).toMatch(/^0 main\nacme {2}\d{4}-\d\d-\d\dT[\d:.]+Z\n$/);
      expect(await run('rename', 'acne', 'other')).toContain('1 There is no organization "acne"; did you mean "acme"?');
      expect(await run('rename', 'main', 'other')).toContain('keeps its name');
      expect(await run('rename', 'acme', 'main')).toBe('1 There is already an organization main.\n');
      expect(await run('rename', 'acme', 'acme-2')).toBe('0 The organization acme is acme-2 now.\n');
      expect(await run('delete', 'main', '--yes')).toContain('1 The organization main cannot be deleted');
      expect(await run('delete', 'acme')).toContain('There is no organization "acme"');
      const singletons = service.tables.filter(({ kind }) => kind === 'singleton').map(({ name }) => `  ${name}: 1\n`);
      expect(await run('delete', 'acme-2')).toBe(
        `1 Would be removed:\n${singletons.toSorted().join('')}Nothing was removed. ` +
          '`npm run organizations -- delete acme-2 --yes` deletes the organization and its records.\n',
      );
      expect(await run('crate', 'x')).toContain('There is no command "crate"; did you mean "create"?\nUsage:\n');
      expect(await run('create')).toContain(
        '2 An argument is missing.\nUsage:\n  npm run organizations -- create NAME ',
      );
      expect(await run('list', '--yes')).toContain(`2 Unknown option '--yes'.\nUsage:\n`);
      expect(await run()).toMatch(/^2 A command is missing: create, list, rename, delete\.\nUsage:\n/);
    });

    test('need the tables of the service', async () => {
      await using database = await engine.create();
      await (await database.open(tables)).close();
      const env = { DATABASE_URL: database.url };
      const { code, stderr } = await runInProcess(service, env, 'organizations', 'create', 'acme');
      expect([code, stderr]).toEqual([1, expect.stringContaining('npm run migrate')]);
      expect(await database.query('select "name" from "_organization"')).toEqual([{ name: 'main' }]);
    });

    test('have their singletons from the start, also those that a newer version adds', async () => {
      await using database = await engine.create();
      const store = await database.open(tables);
      await administer(database, (connection) => createOrganization(features.list, connection, tables, 'acme'));
      const acme = await idOf(database, 'acme');
      const own = JSON.parse(await onlyJson(store.of(acme), 'options')) as { id: string; limit: number };
      expect(own.limit).toBe(5);
      expect(own.id).toMatch(/^options_[0-9A-Z]{26}$/);
      expect(own.id).not.toBe((JSON.parse(await onlyJson(store, 'options')) as { id: string }).id);
      await store.close();
      const newer = await database.open([...tables, settings('limits')]);
      const ids = [newer.of(acme), newer].map(async (records) => String(await onlyJson(records, 'limits')));
      const [ofAcme, ofMain] = await Promise.all(ids);
      expect(ofAcme).not.toBe(ofMain);
      await newer.close();
      expect(await database.query('select 1 from "limits"')).toHaveLength(2);
    });

    test('created at one moment have ids and names of their own', async () => {
      await using database = await engine.create(service.tables);
      await (await database.open(service.tables)).close();
      const env = { DATABASE_URL: database.url };
      const commands = ['a', 'b', 'b', 'c'].map((name) => serverCommand({ env }, 'organizations', 'create', name));
      const ends = await Promise.all(commands.map((command) => command.end()));
      expect(ends.map(({ stderr }) => stderr).join('')).toBe('There is already an organization b.\n');
      const all = await administer(database, listOrganizations);
      expect(all.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
      expect(all.map(({ name }) => name).toSorted()).toEqual(['a', 'b', 'c', 'main']);
    });

    test('are deleted with all that is theirs, and nothing else', async () => {
      await using database = await engine.create();
      await using store = await database.open(tables);
      for (const name of ['acme', 'beta']) {
        await administer(database, (connection) => createOrganization(features.list, connection, tables, name));
      }
      const [acme, beta] = [await idOf(database, 'acme'), await idOf(database, 'beta')];
      for (const organization of [acme, beta, 1]) {
        const records = store.of(organization);
        const parent = await insertCompany(records);
        // More than a slice, and items without a stored counter of their own.
        await insertNotes(records, parent, organization === acme ? 250 : 3);
      }
      const others = [await rowsOf(database, beta), await rowsOf(database, 1)];
      const counts = await administer(database, (connection) => countOwnedRows(features.list, connection, 'acme'));
      expect([counts.get('company'), counts.get('note'), counts.get('options')]).toEqual([1, 250, 1]);

      // Interrupted before the last look, it can only be run again.
      const interrupt = (): void => {
        throw new Error('interrupted');
      };
      const broken = administer(database, (connection) =>
        deleteOrganization(features.list, connection, 'acme', 0, interrupt),
      );
      await expect(broken).rejects.toThrow('interrupted');
      const create = (): Promise<void> =>
        administer(database, (connection) => createOrganization(features.list, connection, tables, 'acme'));
      await expect(create()).rejects.toThrow(
        'acme is being deleted; `npm run organizations -- delete acme --yes` finishes',
      );
      const rename = administer(database, (connection) => renameOrganization(connection, 'acme', 'other'));
      await expect(rename).rejects.toThrow('is being deleted');
      // A start gives it nothing.
      await (await database.open(tables)).close();
      expect(await rowsOf(database, acme)).toEqual(nothing);

      // A server writes what it had begun; it is gone after the last look.
      let writing: Promise<string> | undefined;
      const removed = await administer(database, (connection) =>
        deleteOrganization(features.list, connection, 'acme', 500, () => (writing = insertCompany(store.of(acme)))),
      );
      expect(await writing).toMatch(/^company_/);
      expect(removed.get('company')).toBe(1);
      expect(await rowsOf(database, acme)).toEqual(nothing);
      expect([await rowsOf(database, beta), await rowsOf(database, 1)]).toEqual(others);
      await expectExactTotals(database, tables);

      // The name is free, and the id is not.
      await create();
      expect(await idOf(database, 'acme')).toBe(beta + 1);
    });
  });
}
