import { expect, test } from 'vitest';
import { z } from 'zod';

import { archived } from '../../runtime/features/archive/feature.ts';
import { dateTime, id, optional, readOnly, text, timestamp } from '../../runtime/kernel/model/fields.ts';
import { listed, record, type Table } from '../../runtime/kernel/model/table.ts';
import type { End } from '../server/command.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { citus, describeEngine, engines, serviceName, type TestDatabase } from '../support/databases.ts';

const archivedAt = { archived_at: readOnly(optional(dateTime())) };

const company = (fields: z.ZodRawShape, isArchived = false, renamedFrom?: readonly string[]): Table =>
  record(
    renamedFrom ? 'firm' : 'company',
    z.strictObject({ id: id(), name: text(), ...fields, created_at: timestamp(), updated_at: timestamp() }),
    renamedFrom && { renamedFrom },
    isArchived ? [listed({ filter: ['archived_at'] }), archived()] : [],
  );

const plain = company({});
const archivable = company(archivedAt, true);

const start = async (database: TestDatabase, table: Table): Promise<void> => (await database.open([table])).close();

const insert = (number: number, values = ''): string =>
  `insert into company (_organization, id, name, created_at, updated_at${values && ', archived_at'})
   values (1, 'company_${number}', 'A', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'${values});`;

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a table whose records can be archived', () => {
    test('gets the column, and a start without archive does not show archived records in silence', async () => {
      await using database = await engine.create();
      await start(database, plain);
      await database.execute(insert(1));
      await start(database, archivable);
      await start(database, plain);
      await start(database, archivable);
      await database.execute(insert(2, `, '2026-01-02T00:00:00.000Z'`) + insert(3, `, '2026-01-02T00:00:00.000Z'`));
      await expect(start(database, plain)).rejects.toThrow(
        'company has records that are archived, 2 in all, which lists would show from now on. Put `archive: true` back ' +
          'into the spec and unarchive them first, or keep the times as a field of the spec: ' +
          '`archived_at: { format: date-time, read_only: true }`.',
      );
      const drop = (): Promise<End> =>
        runInProcess(
          { ...service, name: serviceName, tables: [plain] },
          { DATABASE_URL: database.url },
          'migrate',
          '--drop',
          'company.archived_at',
        );
      const refusal = await drop();
      expect(refusal.code).toBe(1);
      expect(refusal.stderr).toContain('company has records that are archived, 2 in all');
      // PostgreSQL renames a table in `npm run migrate` alone.
      if (engine.name === 'SQLite')
        await expect(start(database, company({}, false, ['company']))).rejects.toThrow('which lists would show');
      // The field says it then.
      await start(database, company(archivedAt));
      const store = await database.open([archivable]);
      const filter = [{ column: 'archived_at', operator: 'null', values: [false] }] as const;
      expect(await store.list('company', { limit: 1, offset: 0, filter })).toMatchObject({ total: 2, hasMore: true });
      await store.close();
      const args = ['migrate', '--recount'];
      await database.execute(`update _row_counter set "count" = 7 where "parent" = 'unlisted'`);
      const run = () =>
        runInProcess({ ...service, name: serviceName, tables: [archivable] }, { DATABASE_URL: database.url }, ...args);
      expect(JSON.stringify(await run())).toContain('company');
      const counted = await database.open([archivable]);
      expect(await counted.list('company', { limit: 1, offset: 0, filter })).toMatchObject({ total: 2 });
      await counted.close();
      await database.execute('update company set archived_at = null');
      expect(await drop()).toMatchObject({ code: 0, stderr: '' });
      await start(database, archivable);
      await start(database, plain);
      // It was never archived, as far as this service knows.
      await database.execute(`update company set archived_at = '2026-01-02T00:00:00.000Z'`);
      await start(database, plain);
    });
  });
}
