import { expect, test } from 'vitest';
import { z } from 'zod';

import { planDistribution } from '../../runtime/migrations/distribute.ts';
import { migrateSchema, recount } from '../../runtime/migrations/driver.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { id, integer, optional, position, renamed, text, timestamp } from '../../runtime/model/fields.ts';
import { lineItem, record, singleton } from '../../runtime/model/table.ts';
import { citusMissing, createCitus } from '../support/citus.ts';
import { openPostgres } from '../support/main-store.ts';
import { insertOf } from '../store/contract.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';

const times = { created_at: timestamp(), updated_at: timestamp() };
const order = record('order', z.strictObject({ id: id(), name: optional(text()), size: optional(text()), ...times }));
const line = lineItem('line', z.strictObject({ id: id(), idx: position(), order_id: text() }), {
  parent: { field: 'order_id', table: 'order' },
});

/** The same resource later: renamed, with a renamed field, another type and a new field. */
const purchase = record(
  'purchase',
  z.strictObject({
    id: id(),
    title: renamed(optional(text()), 'name'),
    size: optional(integer()),
    note: optional(text(), 'none'),
    ...times,
  }),
  { renamedFrom: ['order'] },
);
const laterLine = lineItem('line', z.strictObject({ id: id(), idx: position(), order_id: text() }), {
  parent: { field: 'order_id', table: 'purchase' },
});
const settings = singleton('settings', z.strictObject({ id: id(), limit: optional(integer(), 5), ...times }));

if (citusMissing !== undefined) console.warn(`Skipped: migrations of Citus: ${citusMissing}.`);

test.skipIf(citusMissing !== undefined)(
  'a distributed database is migrated, and its new tables are distributed',
  async () => {
    await using database = await createCitus();
    await database.migrate([order, line]);
    const [coordinator = '', worker = ''] = database.urls;
    const before = await openPostgres(worker, [order, line], true);
    const first = insertOf(order, { name: 'a', size: '7' });
    await before.write(first);
    await before.write(insertOf(line, { order_id: String(first.values[0]) }));
    await before.close();

    await withPostgres(coordinator, 'tests', async (connection) => {
      const requested = { drop: [], convert: ['purchase.size'] };
      const all = [purchase, laterLine, settings];
      await migrateSchema(connection, all, { incompatible: true, requested });
      expect(await planDistribution(connection, all)).toEqual([]);
      expect(await recount(connection)).toEqual([]);
    });
    const kinds = await database.query(
      `select table_name::text as name, citus_table_type as kind, colocation_id as place from citus_tables order by 1`,
    );
    expect(new Set(kinds.filter(({ kind }) => kind === 'distributed').map(({ place }) => place)).size).toBe(1);
    expect(kinds.map(({ name, kind }) => `${String(name)} ${String(kind)}`)).toEqual(
      expect.arrayContaining([
        'purchase distributed',
        'line distributed',
        'settings distributed',
        '_organization reference',
      ]),
    );
    const after = await openPostgres(worker, [purchase, laterLine, settings], true);
    expect(await after.get('purchase', String(first.values[0]))).toContain('"title":"a","size":7,"note":"none"');
    expect(await after.only('settings')).toContain('"limit":5');
    expect(await after.list('purchase', { limit: 5, offset: 0 })).toMatchObject({ total: 1 });
    await after.close();
  },
);

describePostgres('a database without Citus', () => {
  test('is not distributed, and the refusal says what it lacks', async () => {
    await using database = await createPostgres();
    const planned = withPostgres(database.url, 'tests', (connection) => planDistribution(connection, [order]));
    await expect(planned).rejects.toThrow('needs the extension Citus');
  });
});
