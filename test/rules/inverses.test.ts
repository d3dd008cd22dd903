import { expect, test } from 'vitest';

import type { SingleWrite, WriteResult } from '../../runtime/kernel/records/write.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { article, bill, line, payer, tables } from './bills.ts';
import { batchOf, deleteOf, idOf, insertOf, onEachEngine, sendOf, type Stored, updateOf } from './subject.ts';

const refusedBy = (message: string): object => ({ outcome: 'rule_violated', violations: [{ message }] });

onEachEngine('totals over records that reference one', (subject) => {
  const lineOf = (billId: string, price: string, fields = {}): SingleWrite & { op: 'insert' } =>
    insertOf(line, { bill_id: billId, quantity: 1, price, ...fields });
  const payerOf = (id: string): Promise<Stored> => subject.get(payer, id);
  const articleOf = (id: string): Promise<Stored> => subject.get(article, id);

  test('follow creates, changes, moves and deletes, also those of totals that they are over', async () => {
    const [ann, bob] = [await subject.insert(payer), await subject.insert(payer)];
    expect(ann).toMatchObject({ bills: 0, owed: '0.00', open: 0, largest: null, latest: null });
    const first = await subject.insert(bill, { payer_id: ann.id });
    const second = await subject.insert(bill, { payer_id: ann.id });
    const dated = { spent_on: '2026-05-01' };
    for (const price of ['10.10', '20.20', '30.30'])
      await subject.insert(line, { ...fieldsOf(lineOf(first.id, price)), ...dated });
    expect(await payerOf(ann.id)).toMatchObject({
      bills: 2,
      owed: '60.60',
      open: 2,
      largest: '60.60',
      latest: '2026-05-01',
    });
    // A transition changes the condition.
    expect(await subject.write(sendOf(first.id))).toMatchObject({ outcome: 'written' });
    expect(await payerOf(ann.id)).toMatchObject({ bills: 2, owed: '60.60', open: 1, largest: null });
    await subject.written(updateOf(bill, second.id, { payer_id: bob.id }));
    expect(await payerOf(ann.id)).toMatchObject({ bills: 1, open: 0 });
    expect(await payerOf(bob.id)).toMatchObject({ bills: 1, open: 1, owed: '0.00' });
    await subject.insert(line, fieldsOf(lineOf(second.id, '5.00')));
    const { owed, version } = await versionedPayer(bob.id);
    // A change of what no total reads changes nothing.
    await subject.written(updateOf(bill, second.id, { notes: 'late' }));
    expect(await versionedPayer(bob.id)).toEqual({ owed, version });
    expect(owed).toBe('5.00');
    expect(await subject.write(deleteOf(bill, second.id))).toMatchObject({ outcome: 'deleted' });
    expect(await payerOf(bob.id)).toMatchObject({ bills: 0, owed: '0.00' });
  });

  test('change by the difference: a write reads no other record, until the largest value leaves', async () => {
    const { id } = await subject.insert(payer);
    const dated = { spent_on: '2026-03-03' };
    const first = await subject.insert(bill, { payer_id: id });
    await subject.insert(line, { ...fieldsOf(lineOf(first.id, '4.00')), ...dated });
    // No write has added this one.
    await subject.database.execute(
      `insert into "bill" ("_organization", "id", "payer_id", "status", "total", "latest", "created_at", "updated_at")
       values (1, '${first.id.replace(/..$/, '__')}', '${id}', 'draft', 700, '2026-02-02', 't', 't')`,
    );
    const second = await subject.insert(bill, { payer_id: id });
    await subject.insert(line, { ...fieldsOf(lineOf(second.id, '6.00')), spent_on: '2026-01-01' });
    expect(await payerOf(id)).toMatchObject({ bills: 2, owed: '10.00', open: 2, latest: '2026-03-03' });
    await subject.written(updateOf(bill, second.id, { status: 'checked' }));
    expect(await subject.write(deleteOf(bill, first.id))).toMatchObject({ outcome: 'deleted' });
    expect(await payerOf(id)).toMatchObject({ bills: 1, owed: '6.00', open: 1, latest: '2026-02-02' });
    for (const table of ['bill', 'payer'])
      await subject.database.execute(
        `delete from "${table}" where "${table === 'bill' ? 'payer_id' : 'id'}" = '${id}'`,
      );
  });

  async function versionedPayer(id: string): Promise<{ owed: unknown; version: unknown }> {
    const found = await subject.store.get('payer', id);
    return { owed: (JSON.parse(String(found?.json)) as Stored)['owed'], version: found?.version };
  }

  test('follow a delete that cascades, that takes line items with it, or that sets references to null', async () => {
    const [ann, good, cheap] = [
      await subject.insert(payer),
      await subject.insert(article),
      await subject.insert(article),
    ];
    const bills = [await subject.insert(bill, { payer_id: ann.id }), await subject.insert(bill, { payer_id: ann.id })];
    for (const { id } of bills) {
      await subject.insert(line, fieldsOf(lineOf(id, '8.00', { article_id: good.id, quantity: 5 })));
      await subject.insert(line, fieldsOf(lineOf(id, '2.00', { article_id: cheap.id, notes: 'few' })));
    }
    expect(await articleOf(good.id)).toMatchObject({ pieces: 10, many: 2, cheapest: '8.00' });
    expect(await articleOf(cheap.id)).toMatchObject({ pieces: 2, many: 0, cheapest: '2.00' });
    expect(await payerOf(ann.id)).toMatchObject({ bills: 2, owed: '84.00' });
    // Its line items go with the bill.
    expect(await subject.write(deleteOf(bill, bills[0]!.id))).toMatchObject({ outcome: 'deleted' });
    expect(await articleOf(good.id)).toMatchObject({ pieces: 5, many: 1 });
    expect(await payerOf(ann.id)).toMatchObject({ bills: 1, owed: '42.00' });
    // The lines go with the article, and so the bill and its payer change.
    expect(await subject.write(deleteOf(article, good.id))).toMatchObject({ outcome: 'deleted' });
    expect(await payerOf(ann.id)).toMatchObject({ bills: 1, owed: '2.00' });
    expect(await articleOf(cheap.id)).toMatchObject({ pieces: 1 });
    expect(await subject.write(deleteOf(payer, ann.id))).toMatchObject({ outcome: 'deleted' });
    expect(await subject.get(bill, bills[1]!.id)).toMatchObject({ payer_id: null, total: '2.00' });
  });

  test('stay true while the record is locked', async () => {
    const closed = await subject.insert(article, { status: 'closed' });
    const { id } = await subject.insert(bill);
    await subject.insert(line, fieldsOf(lineOf(id, '3.00', { article_id: closed.id })));
    expect(await articleOf(closed.id)).toMatchObject({ status: 'closed', pieces: 1, cheapest: '3.00' });
    expect(await subject.write(updateOf(article, closed.id, { name: 'x' }))).toMatchObject({ outcome: 'locked' });
  });

  test('have rules, which are checked when a reference changes, and at the end of a batch', async () => {
    const { id } = await subject.insert(payer);
    const toPayer = (): SingleWrite & { op: 'insert' } => insertOf(bill, { payer_id: id });
    const nine = Array.from({ length: 9 }, toPayer);
    expect(await subject.write(batchOf(...nine))).toMatchObject({ outcome: 'done' });
    const most = refusedBy('A payer has nine open bills at most.');
    expect(await subject.write(toPayer())).toEqual(most);
    // The record itself is refused first.
    await subject.insert(bill, { number: 'N-1' });
    const clashing = insertOf(bill, { payer_id: id, number: 'N-1' });
    expect(await subject.write(clashing)).toMatchObject({ outcome: 'not_unique' });
    const other = await subject.insert(bill);
    expect(await subject.write(updateOf(bill, other.id, { payer_id: id }))).toEqual(most);
    const sent = nine[0]!;
    const both = [updateOf(bill, other.id, { payer_id: id }), deleteOf(bill, idOf(sent))];
    expect(await subject.write(batchOf(toPayer(), ...both))).toMatchObject({ outcome: 'refused', at: 2, reason: most });
    expect(await subject.write(batchOf(...both))).toMatchObject({ outcome: 'done' });
    expect(await payerOf(id)).toMatchObject({ bills: 9, open: 9 });
    // Other rules are not about what references the record.
    await subject.database.execute(`update "payer" set "name" = 'late' where "id" = '${id}'`);
    expect(await subject.write(deleteOf(bill, other.id))).toMatchObject({ outcome: 'deleted' });
    expect(await payerOf(id)).toMatchObject({ bills: 8, open: 8 });
    expect(await subject.write(updateOf(payer, id, { name: 'late' }))).toMatchObject({ outcome: 'written' });
    await subject.database.execute(`update "payer" set "name" = 'early' where "id" = '${id}'`);
    const refused = refusedBy('A payer that is written now is not late.');
    expect(await subject.write(updateOf(payer, id, { name: 'late' }))).toMatchObject(refused);
  });

  test('of 16 clients that create, move and delete are those of a recount, and none waits for another in a circle', async () => {
    await using other = await subject.database.open(tables);
    const stores = [subject.store, other];
    const payers = [await subject.insert(payer), await subject.insert(payer), await subject.insert(payer)];
    const goods = [await subject.insert(article), await subject.insert(article)];
    const before = await deadlocks();
    const rounds = 25;
    const failures: WriteResult[] = [];
    await Promise.all(
      Array.from({ length: 16 }, async (_, n) => {
        const random = new Random(seed + n);
        const store = stores[n % 2]!;
        const own: string[] = [];
        const lines: string[] = [];
        const some = <T>(all: readonly T[]): T => all[random.below(all.length)]!;
        const write = async (one: SingleWrite | ReturnType<typeof batchOf>): Promise<void> => {
          const result = await store.write(one);
          if (!['written', 'deleted', 'done', 'rule_violated', 'refused'].includes(result.outcome))
            failures.push(result);
          else if (one.op === 'insert' && result.outcome === 'written')
            (one.table === 'bill' ? own : lines).push(idOf(one));
        };
        for (let round = 0; round < rounds; round++) {
          const bills = own.length > 0 ? [some(own), some(own)] : [];
          const kinds = [
            () => write(insertOf(bill, { payer_id: some(payers).id })),
            ...bills.map((id) => () => write(lineOf(id, '1.50', { article_id: some(goods).id }))),
            ...bills.slice(1).map((id) => () => write(updateOf(bill, id, { payer_id: some(payers).id }))),
            ...(bills[0] !== bills[1]
              ? [() => write(batchOf(...bills.map((id) => updateOf(bill, id, { payer_id: some(payers).id }))))]
              : []),
            ...(lines.length > 0
              ? [() => write(updateOf(line, some(lines), { article_id: some(goods).id, quantity: 2 }))]
              : []),
            ...(own.length > 3 ? [() => write(deleteOf(bill, own.shift()!))] : []),
          ];
          await some(kinds)();
          if (lines.length > 0 && random.chance(0.1)) lines.shift();
        }
      }),
    );
    // A line may be gone with its bill.
    expect(failures.filter(({ outcome }) => outcome !== 'not_found')).toEqual([]);
    await subject.expectTrue();
    expect(await deadlocks()).toBe(before);
  });

  /** The deadlocks of PostgreSQL so far. */
  async function deadlocks(): Promise<number> {
    if (subject.engine.name === 'SQLite') return 0;
    const query = `select pg_stat_clear_snapshot(), deadlocks from pg_stat_database where datname = current_database()`;
    const [row] = await subject.database.query(query);
    return Number(Object.values(row as object).at(-1));
  }
});

/** The fields of a write that `insert` of the subject makes again. */
function fieldsOf({ table, values }: SingleWrite & { op: 'insert' }): Stored {
  const { columns } = tables.find(({ name }) => name === table)!;
  return Object.fromEntries(columns.map(({ name }, i) => [name, values[i]])) as Stored;
}
