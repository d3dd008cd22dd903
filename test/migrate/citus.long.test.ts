import { expect, test } from 'vitest';
import { z } from 'zod';

import { planDistribution } from '../../runtime/features/citus/distribute.ts';
import { migrateSchema, recount } from '../../runtime/migrations/driver.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { id, integer, optional, position, renamed, text, timestamp } from '../../runtime/kernel/model/fields.ts';
import { lineItem, record, singleton, type Table } from '../../runtime/kernel/model/table.ts';
import { citusMissing, createCitus } from '../support/citus.ts';
import { openPostgres, jsonOf } from '../support/main-store.ts';
import { createRecord } from '../support/operations.ts';
import { insertOf } from '../store/contract.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { features } from '../../runtime/features.ts';
import { refers } from '../../runtime/features/references/feature.ts';

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
      await migrateSchema(features.list, connection, all, { incompatible: true, requested });
      expect(await planDistribution(features.list, connection, all)).toEqual([]);
      expect(await recount(connection, all)).toEqual([]);
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
    // Others could not be written to while they move to another node.
    const unidentified = `select logicalrelid::text from pg_dist_partition where not exists (
      select 1 from pg_index where indrelid = logicalrelid and (indisprimary or indisreplident))`;
    expect(await database.query(unidentified)).toEqual([]);
    await using after = await openPostgres(worker, [purchase, laterLine, settings], true);
    expect(await jsonOf(after, 'purchase', String(first.values[0]))).toContain('"title":"a","size":7,"note":"none"');
    expect((await after.only('settings')).json).toContain('"limit":5');
    expect(await after.list('purchase', { limit: 5, offset: 0 })).toMatchObject({ total: 1 });
  },
);

test.skipIf(citusMissing !== undefined)(
  'rows that reference each other in a circle are distributed with their foreign keys, all or none',
  async () => {
    await using database = await createCitus();
    const [coordinator = '', worker = ''] = database.urls;
    const pointer = (name: string, to: string): Table =>
      record(name, z.strictObject({ id: id(), other_id: optional(refers(to)), ...times }));
    const [left, right] = [pointer('left', 'right'), pointer('right', 'left')];
    await using local = await openPostgres(coordinator, [left, right], true);
    const { id: first } = await createRecord(local, left, {});
    const { id: second } = await createRecord(local, right, { other_id: first });
    await database.query(`update "left" set "other_id" = '${second}'`);
    // Citus refuses to distribute a table with a trigger.
    await database.query(
      `create trigger bad before update on "right" for each row execute function suppress_redundant_updates_trigger()`,
    );
    await expect(database.migrate([left, right])).rejects.toThrow(/trigger/);
    expect(await database.query('select * from citus_tables')).toEqual([]);
    await database.query('drop trigger bad on "right"');
    await database.migrate([left, right]);
    await using store = await openPostgres(worker, [left, right], true);
    expect(await jsonOf(store, 'left', first)).toContain(second);
    const dangling = database.query(`update "right" set "other_id" = 'left_1' where "_organization" = 1`);
    await expect(dangling).rejects.toThrow(/foreign key/);
  },
);

describePostgres('a database without Citus', () => {
  test('is not distributed, and the refusal says what it lacks', async () => {
    await using database = await createPostgres();
    const planned = withPostgres(database.url, 'tests', (connection) =>
      planDistribution(features.list, connection, [order]),
    );
    await expect(planned).rejects.toThrow('needs the extension Citus');
  });
});
