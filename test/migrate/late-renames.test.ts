import { expect, test, vi } from 'vitest';

import { log } from '../../runtime/observability/log.ts';
import { optional, renamed, text } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import type { Page } from '../../runtime/kernel/records/page.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines, serviceName, type TestDatabase } from '../support/databases.ts';
import { company } from './tables.ts';

const before = [company({ phone: text() })];
const added = [company({ telephone: optional(text()) })];
const wrong = [company({ telephone: renamed(optional(text()), 'fone') })];

const open = async (database: TestDatabase, tables: readonly Table[]): Promise<void> =>
  (await database.open(tables)).close();

const migrate = ({ url }: TestDatabase, tables: readonly Table[], ...args: string[]) =>
  runInProcess({ ...service, name: serviceName, tables }, { DATABASE_URL: url }, 'migrate', ...args);

const row = (id: number, columns: string, values: string): string =>
  `insert into company (_organization, id, ${columns}, created_at, updated_at)
   values (1, 'company_${id}', ${values}, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;

const noEffect = 'renamed_from: phone of company.telephone has no effect, because both columns exist.';
const copy = `update "company" set "telephone" = "phone" where "telephone" is null`;

for (const engine of engines) {
  describeEngine(engine, 'a rename that is declared after the new column was added', () => {
    test('has no effect, and the note says how to copy what is then found', async () => {
      await using database = await engine.create();
      await open(database, before);
      await database.execute(row(1, 'phone', `'123'`));
      const found = { filter: ['telephone'], sort: ['telephone'], search: ['telephone'] };
      await open(database, [company({ telephone: optional(text()) }, 'company', undefined, found)]);
      const later = [company({ telephone: renamed(optional(text()), 'phone') }, 'company', undefined, found)];
      expect((await migrate(database, later)).stderr).toContain(`${noEffect} Copy the values`);
      expect((await migrate(database, later)).stderr).toContain('--drop company.phone --recount`');
      await database.execute(copy);
      expect((await migrate(database, later, '--drop', 'company.phone', '--recount')).code).toBe(0);
      expect((await migrate(database, later, '--plan')).stdout).toBe('Nothing to do. The schema matches the spec.\n');
      await using store = await database.open(later);
      const total = async (page: Partial<Page>): Promise<number | undefined> =>
        (await store.list('company', { limit: 10, offset: 0, ...page }))?.total;
      expect(await total({ search: ['12'] })).toBe(1);
      expect(await total({ filter: [{ column: 'telephone', operator: 'eq', values: ['123'] }] })).toBe(1);
    });

    test('has no effect where both columns hold values: the start and the plan say so, and offer no drop', async () => {
      await using database = await engine.create();
      await open(database, before);
      await database.execute(row(1, 'phone', `'123'`));
      await open(database, added);
      await database.execute(row(2, 'telephone', `'456'`));
      const later = [company({ telephone: renamed(optional(text()), 'phone') })];
      const warn = vi.spyOn(log, 'warn');
      await open(database, later);
      expect(warn.mock.calls.flat().join('\n')).toContain(noEffect);
      warn.mockRestore();
      const { stdout } = await migrate(database, later, '--plan');
      expect(stdout).toContain('1 row; see the notes before you drop them.');
      expect(stdout).toContain(noEffect);
      expect(stdout).toContain(copy);
      await database.execute(copy);
      expect((await migrate(database, later, '--drop', 'company.phone')).code).toBe(0);
      expect(await database.query('select telephone from company order by id')).toEqual([
        { telephone: '123' },
        { telephone: '456' },
      ]);
    });

    test('is noted when the column is added, if no former one is there', async () => {
      await using database = await engine.create();
      await open(database, before);
      await database.execute(row(1, 'phone', `'123'`));
      const note = 'renamed_from: fone of company.telephone has no effect: table "company" has no such column.';
      expect((await migrate(database, wrong, '--plan')).stdout).toContain(note);
      const warn = vi.spyOn(log, 'warn');
      await open(database, wrong);
      expect(warn.mock.calls.flat().join('\n')).toContain(note);
      warn.mockRestore();
      expect((await migrate(database, wrong, '--plan')).stdout).not.toContain(note);
    });
  });
}
