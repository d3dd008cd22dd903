import { Client } from 'pg';
import { expect, test, vi } from 'vitest';

import type { Page } from '../../runtime/kernel/records/page.ts';
import type { Write } from '../../runtime/kernel/records/write.ts';
import { Connection } from '../../runtime/engines/postgres/connection.ts';
import { citusMissing, createCitus } from '../support/citus.ts';
import { itemsOf, textOf } from '../support/databases.ts';
import { openPostgres } from '../support/main-store.ts';
import { branch, company, insertOf, office, part, rule, tables } from './contract.ts';

if (citusMissing !== undefined) console.warn(`Skipped: statements on Citus: ${citusMissing}.`);

const time = '2999-01-01T00:00:00.000Z';

test.skipIf(citusMissing !== undefined)(
  'every statement about an organization is sent to one node, as one',
  async () => {
    await using database = await createCitus();
    await database.migrate(tables);
    const url = database.urls.at(-1) as string;
    const store = await openPostgres(url, tables, true);
    const statements = new Map<string, readonly unknown[]>();
    const query = vi.spyOn(Connection.prototype, 'query');
    const queryAll = vi.spyOn(Connection.prototype, 'queryAll');
    try {
      const insert = async (...args: Parameters<typeof insertOf>): Promise<string> => {
        const write = insertOf(...args);
        expect(await store.write(write)).toMatchObject({ outcome: 'written' });
        return String(write.values[0]);
      };
      const list = async (table: string, page: Partial<Page>): Promise<void> => {
        const listing = await store.list(table, { limit: 5, offset: 0, ...page });
        if (listing) await textOf(itemsOf(store, table, listing, page.projection));
      };
      const companies: string[] = [];
      for (let n = 0; n < 24; n++) companies.push(await insert(company, { name: 'x'.repeat(60_000) }));
      const [id = '', other = ''] = companies;
      const items = [await insert(office, { company_id: id }), await insert(office, { company_id: id, idx: 9 })];
      const free = await insert(part, { machine_id: 'a' });
      await insert(part, { machine_id: 'a', idx: 4 });
      await insert(rule, { parent_type: 'a', parent_id: null });
      await insert(branch);
      await store.get('company', id);
      await store.only('options');
      for (const table of ['company', 'branch']) await store.newest(table);
      for (const page of [{}, { offset: 3 }, { after: id }, { offset: 2_000 }, { limit: 24 }])
        await list('company', page);
      for (const page of [{}, { offset: 1 }, { after: items[0] as string }]) {
        await list('office', { ...page, where: { company_id: id } });
      }
      await list('rule', { where: { parent_id: 'x', parent_type: 'a' } });
      await list('branch', { after: 'branch_x' });
      const update = { op: 'update', table: 'company', id, time } as const;
      const move = {
        op: 'transition',
        name: 'move',
        table: 'company',
        id,
        field: 'status',
        from: ['draft'],
        to: 'done',
        time,
      } as const;
      const writes: Write[] = [
        { ...update, set: { name: 'b' }, expected: { status: 'draft' } },
        { ...update, set: { name: 'b' }, expected: { status: 'another' } },
        { ...update, set: {}, expected: {} },
        { ...update, table: 'office', id: items[0] as string, set: { company_id: other }, expected: {} },
        { ...update, table: 'part', id: free, set: { machine_id: 'b' }, expected: {} },
        move,
        move,
        { op: 'reorder', table: 'office', items: [{ id: items[1] as string, idx: 3 }] },
        { op: 'delete', table: 'part', id: free, time: '' },
        { op: 'delete', table: 'company', id, time: '' },
      ];
      for (const write of writes) await store.write(write);
      for (const [text, values = []] of query.mock.calls) statements.set(text, values);
      for (const [all] of queryAll.mock.calls) for (const { text, values } of all) statements.set(text, values);
    } finally {
      query.mockRestore();
      queryAll.mockRestore();
      await store.close();
    }
    await using client = Object.assign(new Client(url), { [Symbol.asyncDispose]: () => client.end() });
    await client.connect();
    const spread: string[] = [];
    let explained = 0;
    for (const [text, values] of statements) {
      if (!/^(?:select|insert|update|delete|with) .* from |^insert /s.test(text) || !text.includes('_organization'))
        continue;
      const { rows } = await client.query<string[]>({
        text: `explain (costs off) ${text}`,
        values: [...values],
        rowMode: 'array',
      });
      const plan = rows.flat().join('\n');
      explained++;
      if (!/Task Count: 1\b/.test(plan) || plan.includes('Distributed Subplan')) spread.push(`${text}\n${plan}`);
    }
    expect(spread).toEqual([]);
    expect(explained).toBeGreaterThan(35);
  },
);
