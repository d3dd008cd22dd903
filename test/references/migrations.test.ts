import { expect, test } from 'vitest';
import { z } from 'zod';

import { id, optional, renamed, text, timestamp } from '../../runtime/kernel/model/fields.ts';
import { newId } from '../../runtime/kernel/model/ids.ts';
import { record, type Table } from '../../runtime/kernel/model/table.ts';
import { citus, describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { administer } from '../organizations/administer.ts';
import { migrateSchema, planMigration } from '../../runtime/migrations/driver.ts';
import type { SchemaPlan } from '../../runtime/migrations/types.ts';
import { createRecord } from '../support/operations.ts';
import { features } from '../../runtime/features.ts';
import { refers } from '../../runtime/features/references/feature.ts';

const times = { created_at: timestamp(), updated_at: timestamp() };
const customer = record('customer', z.strictObject({ id: id(), name: optional(text()), ...times }));
const orderOf = (fields: Record<string, z.ZodType>): Table =>
  record('order', z.strictObject({ id: id(), ...fields, ...times }));

const plain = [customer, orderOf({ customer_id: optional(text()) })];
const clearing = [customer, orderOf({ customer_id: optional(refers('customer', { onMissing: 'set_null' })) })];
const referencing = [customer, orderOf({ customer_id: optional(refers('customer')) })];

/** Migrates a database as the command does. */
const sync = async (database: TestDatabase, tables: readonly Table[]): Promise<void> => {
  if (database.prepare) await database.prepare(tables);
  else if (database.url.startsWith('sqlite:')) await (await database.open(tables)).close();
  else
    await administer(database, (connection) =>
      migrateSchema(features.list, connection, tables, { incompatible: true }),
    );
};

const time = '2026-01-01T00:00:00.000Z';

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'migrations of references', () => {
    /** Stores a row past the service. Fails if the database has a foreign key. */
    const insert = (database: TestDatabase, customerId: string, organization = 1): Promise<void> =>
      database.execute(
        `insert into "order" ("_organization", "id", "customer_id", "created_at", "updated_at")
         values (${organization}, '${newId('order').id}', '${customerId}', '${time}', '${time}')`,
      );

    test('a new database has foreign keys', async () => {
      await using database = await engine.create();
      await sync(database, referencing);
      await expect(insert(database, 'customer_1')).rejects.toThrow(/foreign key/i);
    });

    test('a reference is added to rows, removed, and added again', async () => {
      await using database = await engine.create();
      await using store = await database.open(plain);
      const { id: named } = await createRecord(store, customer, { name: 'A' });
      await store.close();
      await insert(database, named);
      for (let round = 0; round < 2; round++) {
        await sync(database, referencing);
        await expect(insert(database, 'customer_1')).rejects.toThrow(/foreign key/i);
        await insert(database, named);
        // A start that changes nothing.
        await sync(database, referencing);
        await sync(database, plain);
        await insert(database, named);
      }
      const rows = await database.query('select "customer_id" from "order"');
      expect(rows).toEqual(rows.map(() => ({ customer_id: named })));
      expect(rows).toHaveLength(5);
      await insert(database, 'customer_1');
    });

    test('a reference is widened and narrowed with rows of the others in it, which stop the start', async () => {
      const lead = record('lead', z.strictObject({ id: id(), ...times }));
      const partner = record('partner', z.strictObject({ id: id(), ...times }));
      const over = (...tables: [string, string, ...string[]]): Table[] => [
        customer,
        lead,
        partner,
        orderOf({ customer_id: optional(refers(tables)) }),
      ];
      await using database = await engine.create();
      await sync(database, [...referencing, lead, partner]);
      await using store = await database.open([...referencing, lead, partner]);
      const named = await createRecord(store, customer, { name: 'A' });
      const other = await createRecord(store, lead, {});
      await store.close();
      await insert(database, named.id);
      await sync(database, over('customer', 'lead', 'partner'));
      await insert(database, other.id);
      const refused =
        / references customer.*, and names records that do not exist, in order_\w+ \("lead_\w+"\)[.] Correct/;
      await expect(sync(database, over('customer', 'partner'))).rejects.toThrow(refused);
      await expect(sync(database, [...referencing, lead, partner])).rejects.toThrow(refused);
      // The same tables in another order, and a start that changes nothing, look at no rows.
      await insert(database, 'customer_1');
      await sync(database, over('lead', 'partner', 'customer'));
      await expect(sync(database, over('customer', 'lead'))).rejects.toThrow(
        /references customer or lead, .*"customer_1"/,
      );
      await database.execute(`delete from "order" where "customer_id" in ('customer_1', '${other.id}')`);
      await sync(database, over('customer', 'partner'));
      await sync(database, [...referencing, lead, partner]);
      await expect(insert(database, other.id)).rejects.toThrow(/foreign key/i);
    });

    test('rows that name nothing stop the start, and are named', async () => {
      await using database = await engine.create();
      await sync(database, plain);
      await insert(database, 'customer_1');
      await expect(sync(database, referencing)).rejects.toThrow(
        /The field customer_id of order references customer, and names records that do not exist, in order_\w+ \("customer_1"\)[.] .* give the field on_missing/,
      );
      await database.execute(`update "order" set "customer_id" = null`);
      await sync(database, referencing);
    });

    test('values that name nothing become null if the reference says so, and no others', async () => {
      await using database = await engine.create();
      await using store = await database.open(plain);
      const { id: named } = await createRecord(store, customer, { name: 'A' });
      await store.close();
      for (const value of [named, 'customer_1', '']) await insert(database, value);
      // It names a record of another organization.
      await insert(database, named, 2);
      const plan = (): Promise<SchemaPlan> =>
        administer(database, (connection) => planMigration(features.list, connection, clearing));
      expect((await plan()).notes).toEqual([
        'Values of customer_id of order that name no customer become null, as on_missing of the field says.',
      ]);
      await sync(database, clearing);
      await expect(insert(database, 'customer_1')).rejects.toThrow(/foreign key/i);
      const rows = await database.query(
        'select "_organization", "customer_id" from "order" where "customer_id" is not null',
      );
      expect(rows).toMatchObject([{ customer_id: named }]);
      expect(await database.query('select 1 from "order"')).toHaveLength(4);
      expect(await plan()).toMatchObject({ steps: [], notes: [] });
    });

    test.runIf(engine.name === 'PostgreSQL')('a start goes on where another was interrupted', async () => {
      await using database = await engine.create();
      await sync(database, plain);
      await insert(database, 'customer_1');
      const key = 'foreign key ("_organization", "customer_id") references "customer" ("_organization", "id")';
      await database.execute(`alter table "order" add constraint "order_customer_id_fkey" ${key} not valid`);
      await expect(sync(database, referencing)).rejects.toThrow('"customer_1"');
      await sync(database, clearing);
      expect(await database.query('select "customer_id" from "order"')).toEqual([{ customer_id: null }]);
      expect(await database.query('select 1 from pg_constraint where not convalidated')).toEqual([]);
    });

    test('a reference outlives the renames of both resources and of the field', async () => {
      await using database = await engine.create();
      await sync(database, referencing);
      const client = record('client', z.strictObject({ id: id(), name: optional(text()), ...times }), {
        renamedFrom: ['customer'],
      });
      const fields = { client_id: renamed(optional(refers('client')), 'customer_id') };
      const purchase = record('purchase', z.strictObject({ id: id(), ...fields, ...times }), {
        renamedFrom: ['order'],
      });
      await sync(database, [client, purchase]);
      await sync(database, [client, purchase]);
      const bad = `insert into "purchase" ("_organization", "id", "client_id", "created_at", "updated_at")
         values (1, 'purchase_1', 'customer_1', '${time}', '${time}')`;
      await expect(database.execute(bad)).rejects.toThrow(/foreign key/i);
      // Without the fields and the resource, too.
      await sync(database, [record('purchase', z.strictObject({ id: id(), ...times }), { renamedFrom: ['order'] })]);
      await database.execute(bad);
    });
  });
}
