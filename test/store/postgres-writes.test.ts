import { expect, test } from 'vitest';

import { Dml } from '../../runtime/store/dml.ts';
import type { Connection, Row, Statement } from '../../runtime/store/postgres/connection.ts';
import { postgresDialect } from '../../runtime/store/postgres/dialect.ts';
import { runWrite } from '../../runtime/store/postgres/run-write.ts';
import { StatementNames } from '../../runtime/store/postgres/statement-names.ts';
import { note } from '../migrate/tables.ts';

test('a statement is named at its second use, alike in every process, and no other statement has its name', () => {
  const [names, others] = [new StatementNames(), new StatementNames()];
  expect(names.of('select 1')).toBeUndefined();
  const name = names.of('select 1');
  expect(name).toMatch(/^[\w-]{22}$/);
  for (const text of ['select 2', 'select 1']) others.of(text);
  expect(others.of('select 2')).not.toBe(name);
  expect(others.of('select 1')).toBe(name);
});

test('a line item that is deleted stays so, whatever comes of the total that is no longer needed', async () => {
  const asked: string[] = [];
  // As a pooler does that gives each transaction another connection.
  const query = async ({ text }: Statement): Promise<Row[]> => {
    asked.push(text);
    if (text.startsWith('delete from _row_counter')) throw new Error('prepared statement "s2" does not exist');
    return [['1', 'company_1', '0']];
  };
  const connection = { query } as unknown as Connection;
  const write = { op: 'delete', organization: 1, table: 'note', id: 'note_1' } as const;
  const done = runWrite(connection, new Dml([note()], postgresDialect), new StatementNames(), write);
  expect(await done).toEqual({ outcome: 'deleted' });
  expect(asked).toHaveLength(2);
});
