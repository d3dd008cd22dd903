import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';

import { optional, renamed, text } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { openPostgres } from '../support/main-store.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { serviceName } from '../support/databases.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { company } from './tables.ts';

const plain = [company({ notes: optional(text()) })];
const found = [company({ notes: optional(text()) }, 'company', undefined, { filter: ['notes'], sort: ['notes'] })];
const foundRenamed = [
  company({ remarks: renamed(optional(text()), 'notes') }, 'company', undefined, { sort: ['remarks'] }),
];

const start = async (url: string, tables: readonly Table[]): Promise<void> =>
  (await openPostgres(url, tables, true)).close();

const insert = (id: string): string =>
  `insert into company (_organization, id, notes, created_at, updated_at)
   values (1, 'company_${id}', $1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`;

const random = (length: number): string => randomBytes(length).toString('base64').slice(0, length);

describePostgres('a list by a field that holds long texts', () => {
  test('is built if they fit, compressed if need be', async () => {
    await using database = await createPostgres();
    await start(database.url, plain);
    await database.query(insert('0'), ['a'.repeat(60_000)]);
    await database.query(insert('1'), [random(2_600)]);
    await start(database.url, found);
  });

  test('is refused, with the rows whose texts no index holds, before anything is built', async () => {
    await using database = await createPostgres();
    await start(database.url, plain);
    await database.query(insert('00'), [random(2_000)]);
    for (let n = 1; n <= 11; n++) {
      await database.query(insert(String(n).padStart(2, '0')), [random(n === 1 ? 2_700 : 6_000)]);
    }
    const named = Array.from({ length: 10 }, (_, n) => `company_${String(n + 1).padStart(2, '0')}`);
    const rows = ` in ${named.join(', ')} and others. Shorten these texts`;
    const refusal = start(database.url, found);
    await expect(refusal).rejects.toThrow('Lists of company are to be filtered or sorted by notes');
    await expect(refusal).rejects.toThrow(rows);
    for (const [tables, field] of [
      [found, 'notes'],
      [foundRenamed, 'remarks'],
    ] as const) {
      for (const args of [[], ['--plan']]) {
        const { code, stdout, stderr } = await runInProcess(
          { ...service, name: serviceName, tables },
          { DATABASE_URL: database.url },
          'migrate',
          ...args,
        ).catch((error: Error) => ({ code: 1, stdout: '', stderr: error.message }));
        expect(code).toBe(1);
        expect(stdout + stderr).toContain(`filtered or sorted by ${field}`);
        expect(stdout + stderr).toContain(rows);
      }
    }
    await database.query(`update company set notes = left(notes, 1000)`);
    await start(database.url, found);
  });
});
