import { expect, test } from 'vitest';

import {
  backfilled,
  date,
  dateTime,
  defaulted,
  immutable,
  now,
  onceSet,
  optional,
  text,
} from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { features } from '../../runtime/features.ts';
import { perform, plainPipeline } from '../../runtime/kernel/records/perform.ts';
import { type Fields, updateRecord } from '../../runtime/kernel/records/prepare.ts';
import { describeEngine, engines, serviceName, type TestDatabase } from '../support/databases.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { company } from './tables.ts';
import { jsonOf } from '../support/main-store.ts';

const plain = [company({ seen_at: optional(text()), left_at: optional(text()), born_on: optional(date()) })];
const dated = [company({ seen_at: optional(dateTime()), left_at: optional(dateTime()), born_on: optional(date()) })];

const migrate = ({ url }: TestDatabase, tables: readonly Table[], ...args: string[]) =>
  runInProcess({ ...service, name: serviceName, tables }, { DATABASE_URL: url }, 'migrate', ...args);

const literal = (value: string | null): string => (value === null ? 'null' : `'${value}'`);

function insert(id: number, seenAt: string | null, leftAt: string | null): string {
  const time = "'2026-01-01T00:00:00.000Z'";
  const own = `1, 'company_${String(id).padStart(5, '0')}', ${literal(seenAt)}, ${literal(leftAt)}`;
  return `insert into company (_organization, id, seen_at, left_at, created_at, updated_at) values (${own}, ${time}, ${time});`;
}

const timesIn = async (database: TestDatabase): Promise<unknown[][]> =>
  (await database.query('select seen_at, left_at, updated_at from company order by id')).map((row) =>
    Object.values(row),
  );

for (const engine of engines) {
  describeEngine(engine, 'date-times of older rows', () => {
    test('are written as timestamps by a migration, once', async () => {
      await using database = await engine.create();
      await (await database.open(plain)).close();
      const rows: readonly (readonly [string | null, string | null])[] = [
        ['2026-01-31T12:30:00+01:00', null],
        ['2026-01-31T11:30:00.000Z', '2026-02-01t00:00:00.123456789z'],
        ['yesterday', '2026-02-30T00:00:00Z'],
        [null, '1990-12-31T23:59:60Z'],
      ];
      await database.execute(rows.map(([seenAt, leftAt], id) => insert(id, seenAt, leftAt)).join(''));
      // More rows than a slice has.
      const more = Array.from({ length: 1_200 }, (_, n) => insert(n + 100, '2026-03-01T01:00:00+01:00', null));
      await database.execute(more.join(''));

      const plan = await migrate(database, dated, '--plan');
      expect(plan.stdout).toContain(
        '-- In each row of company the date-times of seen_at, left_at are written in UTC with milliseconds.',
      );
      const refused = await migrate(database, dated);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      const form = 'must be a date and time, written YYYY-MM-DDTHH:mm:ssZ';
      expect(refused.stderr).toContain(
        `The field seen_at of company ${form}, and 1 row has another value: company_00002.`,
      );
      const two = '2 rows have another value: company_00002, company_00003.';
      expect(refused.stderr).toContain(`The field left_at of company ${form}, and ${two}`);
      expect((await timesIn(database))[0]).toEqual([rows[0]?.[0], null, '2026-01-01T00:00:00.000Z']);
      await database.execute(
        `update company set seen_at = null, left_at = null where id in ('company_00002', 'company_00003')`,
      );
      expect((await migrate(database, dated)).code).toBe(0);
      const created = '2026-01-01T00:00:00.000Z';
      const stored = await timesIn(database);
      expect(stored.slice(0, 4)).toEqual([
        ['2026-01-31T11:30:00.000Z', null, created],
        ['2026-01-31T11:30:00.000Z', '2026-02-01T00:00:00.123Z', created],
        [null, null, created],
        [null, null, created],
      ]);
      expect(stored.slice(4)).toEqual(more.map(() => ['2026-03-01T00:00:00.000Z', null, created]));
      expect((await migrate(database, dated, '--plan')).stdout).toContain('Nothing to do.');

      // Without the format, they are texts again.
      await (await database.open(plain)).close();
      expect((await migrate(database, dated, '--plan')).stdout).toContain('are written in UTC');
    });

    test('are accepted by an update of an immutable field, as they are shown or as the same instant', async () => {
      await using database = await engine.create();
      await (await database.open(plain)).close();
      await database.execute(insert(1, '2026-01-31T12:30:00+01:00', null) + insert(2, null, '2026-02-01t00:00:00z'));
      const table = company({ seen_at: immutable(optional(dateTime())), left_at: onceSet(optional(dateTime())) });
      await using store = await database.open([table]);
      const update = (id: string, body: Fields) =>
        perform(plainPipeline(features.list), store, updateRecord(table, id, body), () => true);
      await database.execute(`update company set seen_at = '2026-01-31T12:30:00+01:00' where id = 'company_00001'`);
      await database.execute(`update company set left_at = '2026-02-01t00:00:00z' where id = 'company_00002'`);
      await update('company_00001', { seen_at: '2026-01-31T11:30:00.000Z', left_at: '2026-02-01T00:00:00.000Z' });
      await update('company_00002', { left_at: '2026-02-01T00:00:00.000Z' });
      const other = { seen_at: '2026-01-31T12:30:00.000Z', left_at: '2026-02-01T00:00:00.001Z' };
      for (const id of ['company_00001', 'company_00002'])
        await expect(update(id, other)).rejects.toThrow('2 fields are not valid.');
    });

    test('keep a start from adding a field that each create computes and that is never null, without a backfill', async () => {
      await using database = await engine.create();
      await (await database.open(plain)).close();
      await database.execute(insert(1, null, null));
      const [noted, fallback] = [defaulted(dateTime(), now()), '2020-01-01T00:00:00.000Z'];
      await expect(database.open([company({ noted_at: noted })])).rejects.toThrow('1 row has no value');
      await using store = await database.open([company({ noted_at: backfilled(noted, fallback) })]);
      expect(JSON.parse(String(await jsonOf(store, 'company', 'company_00001')))).toMatchObject({ noted_at: fallback });
    });

    test('are no work for a new table, or a new field', async () => {
      await using database = await engine.create();
      await (await database.open([company({ name: optional(text()) })])).close();
      await (await database.open([company({ name: optional(text()), seen_at: optional(dateTime()) })])).close();
      const next = [company({ name: optional(text()), seen_at: optional(dateTime()) })];
      expect((await migrate(database, next, '--plan')).stdout).toContain('Nothing to do.');
    });
  });
}
