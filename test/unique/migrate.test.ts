import { afterEach, beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';

import { migrateSchema, planMigration } from '../../runtime/migrations/driver.ts';
import {
  backfilled,
  decimal,
  integer,
  optional,
  renamed,
  text,
  type Value,
} from '../../runtime/kernel/model/fields.ts';
import { newId } from '../../runtime/kernel/model/ids.ts';
import type { Table, Unique } from '../../runtime/kernel/model/table.ts';
import type { WriteResult } from '../../runtime/kernel/records/write.ts';
import { administer } from '../organizations/administer.ts';
import { citus, describeEngine, engines, serviceName, type TestDatabase } from '../support/databases.ts';
import type { MainStore } from '../support/main-store.ts';
import { company } from '../migrate/tables.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { features } from '../../runtime/features.ts';

const fields = { name: optional(text()), city: optional(text()) };
const plain = company(fields);
const withUnique = (table: Table, ...unique: Unique[]): Table => ({ ...table, unique });
const byName = withUnique(plain, { fields: ['name'] });
const byBoth = withUnique(plain, { fields: ['name', 'city'] });
const ignoringCase = withUnique(plain, { fields: ['name'], ignoreCase: true });

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a migration of unique fields', () => {
    let database: TestDatabase;

    beforeEach(async () => {
      database = await engine.create();
      await start(plain);
    });
    afterEach(() => database[Symbol.asyncDispose]());

    const start = async (table: Table): Promise<void> => (await database.open([table])).close();

    const migrate = (table: Table): Promise<unknown> =>
      administer(database, (connection) => migrateSchema(features.list, connection, [table], { incompatible: true }));

    const stepsOf = (table: Table): Promise<string[]> =>
      administer(database, async (connection) =>
        (await planMigration(features.list, connection, [table])).steps.flatMap(({ statements }) => statements),
      );

    const store = async <T>(table: Table, work: (opened: MainStore) => Promise<T>): Promise<T> => {
      await using opened = await database.open([table]);
      return await work(opened);
    };

    /** Inserts a record with these values. @returns its id, or what refuses it */
    const insert = (table: Table, name: string | null, city: string | null = null): Promise<string | WriteResult> =>
      store(table, async (opened) => {
        const { id, time } = newId('company');
        const result = await opened.write({ op: 'insert', table: 'company', values: [id, name, city, time, time] });
        return result.outcome === 'written' ? id : result;
      });

    test('is an index that later starts leave as it is', async () => {
      const first = await insert(plain, 'a', 'x');
      await insert(plain, 'b', 'x');
      await insert(plain, null);
      await insert(plain, null);
      await start(byName);
      expect(await insert(byName, 'a')).toEqual({ outcome: 'not_unique', fields: ['name'], id: first });
      expect(await stepsOf(byName)).toEqual([]);
      await start(byBoth);
      expect(await insert(byBoth, 'a', 'x')).toEqual({ outcome: 'not_unique', fields: ['name', 'city'], id: first });
      expect(await insert(byBoth, 'a', 'y')).toEqual(expect.any(String));
      expect(await stepsOf(byBoth)).toEqual([]);
      await start(plain);
      expect(await insert(plain, 'a', 'x')).toEqual(expect.any(String));
      expect(await stepsOf(plain)).toEqual([]);
    });

    test('is refused while records clash, and names them; nothing is changed', async () => {
      const ids: unknown[] = [];
      for (const name of ['a', 'b', 'c', 'a', 'b', 'a']) ids.push(await insert(plain, name));
      const [a1, b1, , a2, b2, a3] = ids.map(String);
      const words = `No two records of company may have the same name, and these have: ${a1}, ${a2}, ${a3}; ${b1}, ${b2}.`;
      await expect(start(byName)).rejects.toThrow(words);
      const { code, stdout } = await runInProcess(
        { ...service, name: serviceName, tables: [byName] },
        { DATABASE_URL: database.url },
        'migrate',
        '--plan',
      );
      expect(code).toBe(1);
      expect(stdout).toContain(words);
      expect(await stepsOf(plain)).toEqual([]);
      await database.execute(`update company set name = id where id in ('${a2}', '${a3}', '${b2}')`);
      await start(byName);
    });

    test('without case folds the texts that are stored, and refuses those that clash then', async () => {
      const [first, second] = [await insert(plain, 'Zoë'), await insert(plain, 'ZOE')];
      await insert(plain, 'x');
      const words = `same name, and these have: ${String(first)}, ${String(second)}.`;
      await expect(migrate(ignoringCase)).rejects.toThrow(words);
      await database.execute(`update company set name = 'y' where id = '${String(second)}'`);
      await migrate(ignoringCase);
      expect(await insert(ignoringCase, 'zoe')).toEqual({ outcome: 'not_unique', fields: ['name'], id: first });
      expect(await stepsOf(ignoringCase)).toEqual([]);
      // The other way, the column goes too, and no index before the other one is there.
      const changed = (await stepsOf(byName)).map((step) =>
        step.split('\n', 1)[0]?.replace(/ concurrently| if exists/g, ''),
      );
      expect(changed).toEqual([
        'create unique index "company_name_unique"',
        'drop index "company_name_unique_ignore_case"',
        'alter table "company" drop column "_name_folded"',
        `delete from "_required_column" where "name" in ('company.name folded 2')`,
      ]);
      await migrate(byName);
      expect(await insert(byName, 'zoe')).toEqual(expect.any(String));
      expect(await stepsOf(byName)).toEqual([]);
      const [row] = await database.query('select * from company');
      expect(Object.keys(row ?? {}).filter((name) => name.startsWith('_'))).toEqual(['_organization', '_version']);
    });

    test('keeps a field unique when it becomes a text without case, and refuses values that become equal', async () => {
      const convert = async (column: z.ZodType<Value>, unique: Unique): Promise<string> => {
        const tables = [withUnique(company({ name: column, city: optional(text()) }), unique)];
        const { stderr } = await runInProcess(
          { ...service, name: serviceName, tables },
          { DATABASE_URL: database.url },
          'migrate',
          '--convert',
          'company.name',
        );
        return stderr;
      };
      await start(byName);
      const [first, second] = [await insert(byName, '1'), await insert(byName, '1.0')];
      expect(await convert(optional(decimal({ digits: 9, scale: 2 })), { fields: ['name'] })).toContain(
        `the same name, and these have: ${String(first)}, ${String(second)}.`,
      );
      // Nothing of it is left.
      const [row] = await database.query('select * from company');
      expect(Object.keys(row ?? {}).filter((name) => name.startsWith('_'))).toEqual(['_organization', '_version']);
      await database.execute(`update company set name = '2' where id = '${String(second)}'`);
      // The same value in another organization.
      await database.execute(
        `insert into company (_organization, id, name, created_at, updated_at) values (7, 'company_other', '2', 't', 't')`,
      );
      expect(await convert(optional(integer()), { fields: ['name'] })).toBe('');
      expect(await convert(optional(text()), { fields: ['name'], ignoreCase: true })).toBe('');
      expect(await insert(ignoringCase, '1')).toEqual({ outcome: 'not_unique', fields: ['name'], id: first });
      expect(await stepsOf(ignoringCase)).toEqual([]);
    });

    test.each([
      ['with case', {}],
      ['without case', { ignoreCase: true }],
    ] as const)('compares the value that older rows show for null, %s', async (_, rule) => {
      const shown = company({ name: optional(text()), city: backfilled(text(), 'Oslo') });
      const unique = withUnique(shown, { fields: ['name', 'city'], ...rule });
      const [first, second] = [await insert(plain, 'a', 'Oslo'), await insert(plain, 'a')];
      const words = `same name and city, and these have: ${String(first)}, ${String(second)}.`;
      await expect(migrate(unique)).rejects.toThrow(words);
      // The index may be there before null shows a value.
      const before = withUnique(plain, { fields: ['name', 'city'], ...rule });
      await migrate(before);
      await expect(migrate(unique)).rejects.toThrow(words);
      await database.execute(`delete from company where id = '${String(first)}'`);
      await migrate(unique);
      expect(await stepsOf(unique)).toEqual([]);
      expect(await insert(unique, 'a', 'Oslo')).toEqual({
        outcome: 'not_unique',
        fields: ['name', 'city'],
        id: second,
      });
    });

    test('names texts that are too long for an index of PostgreSQL', async () => {
      const long = Array.from({ length: 200 }, () => newId('text').id).join('');
      const id = await insert(plain, long, 'x');
      if (engine.name === 'SQLite') await start(byBoth);
      else {
        const words = `unique by name and city, and the text is too long for an index, which holds about 2,700 bytes, in ${String(id)}.`;
        await expect(start(byBoth)).rejects.toThrow(words);
        expect(await stepsOf(plain)).toEqual([]);
      }
    });

    test('follows fields and tables to their new names', async () => {
      await migrate(ignoringCase);
      const first = await insert(ignoringCase, 'A');
      const title = company({ title: renamed(optional(text()), 'name'), city: optional(text()) }, 'firm', ['company']);
      const followed = withUnique(title, { fields: ['title'], ignoreCase: true });
      await migrate(followed);
      expect(await stepsOf(followed)).toEqual([]);
      const { id, time } = newId('firm');
      const result = await store(followed, (opened) =>
        opened.write({ op: 'insert', table: 'firm', values: [id, 'a', null, time, time] }),
      );
      expect(result).toEqual({ outcome: 'not_unique', fields: ['title'], id: first });
    });

    test('folds texts again that were stored otherwise', async () => {
      await migrate(ignoringCase);
      const first = await insert(ignoringCase, 'A');
      await database.execute('update company set "_name_folded" = null');
      const recount = () =>
        runInProcess(
          { ...service, name: serviceName, tables: [ignoringCase] },
          { DATABASE_URL: database.url },
          'migrate',
          '--recount',
        );
      expect((await recount()).stdout).toContain('the texts of name are stored without case. Changed: 1.');
      expect(await insert(ignoringCase, 'a')).toEqual({ outcome: 'not_unique', fields: ['name'], id: first });
      await database.execute(
        `insert into company (_organization, id, name, created_at, updated_at) values (1, 'company_x', 'a', '', '')`,
      );
      const { code, stderr } = await recount();
      expect(code).toBe(1);
      expect(stderr).toContain('Records of company would have the same name');
    });
  });
}
