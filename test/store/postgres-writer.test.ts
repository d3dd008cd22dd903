import { expect, test } from 'vitest';

import type { Connection, Row, Statement } from '../../runtime/store/postgres/connection.ts';
import { Names, Statements } from '../../runtime/store/postgres/statements.ts';
import { Writer } from '../../runtime/store/postgres/writer.ts';
import { note } from '../migrate/tables.ts';

test('a line item that is deleted stays so, whatever comes of the total that is no longer needed', async () => {
  const asked: string[] = [];
  // As a pooler does that gives each transaction another connection.
  const query = async ({ text }: Statement): Promise<Row[]> => {
    asked.push(text);
    if (text.startsWith('delete from "_row_counter"')) throw new Error('prepared statement "s2" does not exist');
    return [['company_1', '0']];
  };
  const statements = new Statements(new Names(), note(), []);
  const writer = new Writer(() => statements);
  const write = { op: 'delete', table: 'note', id: 'note_1' } as const;
  expect(await writer.run({ query } as unknown as Connection, write)).toEqual({ outcome: 'deleted' });
  expect(asked).toHaveLength(2);
});
