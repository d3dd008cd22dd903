import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';

import { type OrganizationWrite, unknownOrigin } from '../../runtime/kernel/records/write.ts';
import { features } from '../../runtime/features.ts';
import { Dml } from '../../runtime/kernel/sql/dml.ts';
import { connect } from '../../runtime/engines/sqlite/connection.ts';
import { sqliteDialect } from '../../runtime/engines/sqlite/dialect.ts';
import { errorOf, type Failure } from '../../runtime/engines/sqlite/failure.ts';
import { PreparedStatements } from '../../runtime/engines/sqlite/prepared-statements.ts';
import { type Outcome, Writer } from '../../runtime/engines/sqlite/writer.ts';
import { openSqlite } from '../support/main-store.ts';
import { serviceName } from '../support/databases.ts';
import { company, insertOf, tables } from './contract.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('on SQLite a batch that takes too long is undone, and the writes beside it are not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'records-batch-'));
  const file = join(folder, 'records.db');
  await (await openSqlite(file, tables, serviceName)).close();
  const database = connect(file, 'rw');
  const dml = new Dml(tables, sqliteDialect, features.list);
  const writer = new Writer(dml, new PreparedStatements(database));
  const [before, after] = [insertOf(company), insertOf(company)];
  const writes = Array.from({ length: 100 }, () => insertOf(company));
  // Each look at the clock is a tenth of a second later than the one before.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 100));
  const origin = unknownOrigin();
  const group: OrganizationWrite[] = [
    { ...before, organization: 1, origin },
    { op: 'batch', organization: 1, origin, table: 'company', writes, isTrial: false },
    { ...after, organization: 1, origin },
  ];
  const outcomes: Outcome[] = [];
  // A group whose time is over leaves the rest to the next one.
  for (let n = 1; n <= 3; n++) {
    outcomes.push(...(writer.commitGroup(group.slice(outcomes.length), true)?.outcomes ?? []));
    expect(outcomes).toHaveLength(n);
  }
  expect(outcomes).toMatchObject([{ outcome: 'written' }, { outcome: 'failed' }, { outcome: 'written' }]);
  expect(errorOf(outcomes[1] as Failure)).toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/nothing was done/) as string,
  });
  const ids = database.prepare('select id from company order by id').all();
  expect(ids).toEqual([{ id: before.values[0] }, { id: after.values[0] }]);
  const counters = database.prepare(`select sum("count") as rows from "_row_counter" where "table" = 'company'`).get();
  expect(counters).toEqual({ rows: 2 });
  database.close();
  await rm(folder, { recursive: true });
});
