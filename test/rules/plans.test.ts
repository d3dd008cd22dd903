import { Client } from 'pg';
import { expect, test } from 'vitest';

import { postgresDialect } from '../../runtime/engines/postgres/dialect.ts';
import { features } from '../../runtime/features.ts';
import { Dml } from '../../runtime/kernel/sql/dml.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import { lockParents } from '../../runtime/features/line-items/parent-locks.ts';
import { describeEngine, postgres } from '../support/databases.ts';
import { line, tables } from './bills.ts';

describeEngine(postgres, 'plans that PostgreSQL keeps from when the tables were empty', () => {
  test.each([
    ['a change', undefined],
    ['a move', 'bill_2'],
  ])('find the parents of line items once, not for each parent: %s', async (_, other) => {
    await using database = await postgres.create(tables);
    const dml = new Dml(tables, postgresDialect, features.list);
    const [statement] = lockParents(dml, dml.of(line.name, mainOrganization), ['line_1'], true, other);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query('set plan_cache_mode = force_generic_plan');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>({
        text: `explain ${statement?.text}`,
        values: [...(statement?.values ?? [])],
      });
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('InitPlan');
      expect(plan).not.toContain('Join');
    } finally {
      await client.end();
    }
  });
});
