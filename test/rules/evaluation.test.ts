import { expect, test } from 'vitest';

import type { Table } from '../../runtime/kernel/model/table.ts';
import type { SingleWrite, Write, WriteResult } from '../../runtime/kernel/records/write.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';
import { article, bill, fee, line, payer } from './bills.ts';
import { batchOf, deleteOf, type Fields, idOf, insertOf, onEachEngine, sendOf, updateOf } from './subject.ts';

onEachEngine('rules and computed fields', (subject) => {
  const { insert, write } = subject;
  const lineOf = (bill_id: string, quantity: number, price: string, more = {}) =>
    insertOf(line, { bill_id, quantity, price, ...more });
  const messages = (result: WriteResult): unknown =>
    result.outcome === 'rule_violated' ? result.violations.map(({ message }) => message) : result.outcome;
  const events = async (record: string) =>
    (await subject.store.ask(eventPages, { record, limit: 100 })).events.map(
      (json) => JSON.parse(json) as { operation: string; version: number; changes: Record<string, unknown> },
    );

  test('a record without line items has the totals of none', async () => {
    const none = { total: '0.00', lines: 0, pieces: 0, latest: null, cheapest: null, lightest: null, fees: 0 };
    expect(await insert(bill)).toMatchObject({ ...none, due: '0.00', is_paid_by_other: false });
    expect(await insert(bill, { discount: '2.50', total: '7.00' })).toMatchObject({ ...none, due: '-2.50' });
  });

  test('totals follow each write of line items, which is an update of the parent', async () => {
    const { id, updated_at } = await insert(bill, { discount: '1.00' });
    const { id: other } = await insert(bill);
    const first = await insert(line, { bill_id: id, quantity: 3, price: '0.50', weight: 2.5, spent_on: '2026-02-01' });
    expect(first).toMatchObject({ amount: '1.50', idx: 1 });
    const second = await insert(line, { bill_id: id, quantity: 2, price: '10.00', weight: -1, spent_on: '2026-01-31' });
    const all = { total: '21.50', lines: 2, pieces: 5, latest: '2026-02-01', cheapest: '0.50', lightest: -1 };
    expect(await subject.get(bill, id)).toMatchObject({ ...all, due: '20.50' });
    await subject.written(updateOf(line, first.id, { price: '5.00' }));
    expect(await subject.get(bill, id)).toMatchObject({ total: '35.00', cheapest: '5.00' });
    await subject.written(updateOf(line, second.id, { bill_id: other }));
    expect(await subject.get(bill, id)).toMatchObject({ total: '15.00', lightest: 2.5 });
    expect(await subject.get(bill, other)).toMatchObject({ total: '20.00', lines: 1 });
    expect(await write(deleteOf(line, first.id))).toMatchObject({ outcome: 'deleted' });
    await insert(fee, { bill_id: id });
    const last = await subject.get(bill, id);
    expect(last).toMatchObject({ total: '0.00', lines: 0, latest: null, due: '-1.00', fees: 1 });
    expect((last['updated_at'] as string) >= (updated_at as string)).toBe(true);
    const trail = await events(id);
    expect(trail.map(({ operation, version }) => [operation, version])).toEqual([
      ['create', 1],
      ...[2, 3, 4, 5, 6, 7].map((version) => ['update', version]),
    ]);
    expect(trail[2]?.changes).toMatchObject({ total: ['1.50', '21.50'], lines: [1, 2], due: ['0.50', '20.50'] });
    expect((await subject.store.get('bill', id))?.version).toBe(7);
  });

  test('totals follow line items that may be large, of which an update reads no more than it needs', async () => {
    const [{ id }, { id: other }] = [await insert(bill), await insert(bill)];
    const first = await insert(fee, { bill_id: id, amount: '5' });
    await insert(fee, { bill_id: id, amount: '2' });
    await subject.written(updateOf(fee, first.id, { bill_id: other }));
    expect(await subject.get(bill, id)).toMatchObject({ charged: '2', fees: 1 });
    expect(await subject.get(bill, other)).toMatchObject({ charged: '5', fees: 1 });
    await subject.written(updateOf(fee, first.id, { amount: '7' }));
    expect(await subject.get(bill, other)).toMatchObject({ charged: '7' });
  });

  test('what no total depends on changes no parent', async () => {
    const { id } = await insert(bill);
    const one = await insert(line, { bill_id: id, quantity: 1, price: '1.00' });
    const two = await insert(line, { bill_id: id, quantity: 1, price: '1.00' });
    const { version } = (await subject.store.get('bill', id)) ?? {};
    await subject.written(updateOf(line, one.id, { notes: 'x', quantity: 1 }));
    const items = [
      { id: one.id, idx: 2 },
      { id: two.id, idx: 1 },
    ];
    expect(await write({ op: 'reorder', table: 'line', items })).toMatchObject({ outcome: 'reordered' });
    expect((await subject.store.get('bill', id))?.version).toBe(version);
  });

  test('all broken rules are named, and nothing is done', async () => {
    const wrong = { starts_on: '2026-02-01', ends_on: '2026-01-01', status: 'checked' };
    const both = ['A bill ends after it starts.', 'A checked bill has a payer.'];
    expect(messages(await write(insertOf(bill, wrong)))).toEqual(both);
    const { id } = await insert(bill, { starts_on: '2026-02-01', discount: '5.00' });
    expect(messages(await write(updateOf(bill, id, { ends_on: '2026-01-01', status: 'checked' })))).toEqual(both);
    const { id: one } = await insert(line, { bill_id: id, quantity: 1, price: '9.00' });
    const tooLow = { outcome: 'rule_violated', violations: [{ message: 'A discount is at most the total.' }] };
    expect(await write(updateOf(line, one, { quantity: -1 }))).toEqual(tooLow);
    expect(await write(updateOf(bill, id, { discount: '9.01' }))).toEqual({
      outcome: 'rule_violated',
      violations: [{ field: 'discount', message: 'A discount is at most the total.' }],
    });
    expect(await subject.get(line, one)).toMatchObject({ quantity: 1, amount: '9.00' });
    expect(await write(lineOf(id, -1, '9.00'))).toEqual(tooLow);
    expect(await subject.get(bill, id)).toMatchObject({ total: '9.00', discount: '5.00', lines: 1 });
    expect(messages(await write(lineOf(id, 0, '9.00')))).toEqual(['A line has a quantity.']);
  });

  test('the problem of a broken rule has a pointer for each', async () => {
    const broken = subject.create(bill, { starts_on: '2026-02-01', ends_on: '2026-01-01', status: 'checked' });
    await expect(broken).rejects.toMatchObject({
      code: 'rule_violated',
      message: '2 rules are broken.',
      extensions: {
        errors: [
          { pointer: '/ends_on', code: 'rule_violated', message: 'A bill ends after it starts.' },
          { pointer: '', code: 'rule_violated', message: 'A checked bill has a payer.' },
        ],
      },
    });
    const { id } = await insert(bill);
    await insert(line, { bill_id: id, quantity: 1, price: '1.00' });
    await subject.change(bill, id, { total: '1.00', notes: 'x' });
    const sent = subject.change(bill, id, { total: '1.01' });
    await expect(sent).rejects.toMatchObject({ code: 'invalid_body', extensions: { errors: [{ code: 'read_only' }] } });
  });

  test('rules come behind the state and before references and unique values', async () => {
    const { id: named } = await insert(bill, { number: '1' });
    const { id: sent } = await insert(bill);
    await insert(line, { bill_id: sent, quantity: 1, price: '1.00' });
    await subject.written(sendOf(sent));
    const wrong = { starts_on: '2026-02-01', ends_on: '2026-01-01' };
    const missing = { payer_id: 'payer_0' };
    const outcome = async (one: Write): Promise<string> => (await write(one)).outcome;
    expect(await outcome(insertOf(bill, { ...wrong, ...missing, number: '1' }))).toBe('rule_violated');
    expect(await outcome(insertOf(bill, { ...missing, number: '1' }))).toBe('reference_missing');
    expect(await outcome(insertOf(bill, { number: '1' }))).toBe('not_unique');
    expect(await outcome(updateOf(bill, sent, { ...wrong, ...missing }))).toBe('locked');
    expect(await outcome(updateOf(bill, named, { ...wrong, ...missing }))).toBe('rule_violated');
    expect(await outcome(lineOf(sent, 0, '1.00'))).toBe('locked');
    expect(await outcome(lineOf('bill_0', 0, '1.00'))).toBe('rule_violated');
    expect(await outcome(lineOf('bill_0', 1, '1.00'))).toBe('parent_missing');
    await subject.written(updateOf(bill, sent, { notes: 'Paid.' }));
  });

  test('a transition has rules of its own, and those of the record', async () => {
    const { id } = await insert(bill);
    expect(messages(await write(sendOf(id)))).toEqual(['Only a bill with lines is sent.']);
    const { id: one } = await insert(line, { bill_id: id, quantity: 1, price: '1.00' });
    expect(await subject.written(sendOf(id))).toMatchObject({ status: 'sent', total: '1.00' });
    expect(messages(await write(deleteOf(line, one)))).toBe('locked');
    const { id: long } = await insert(bill);
    await write(batchOf(...Array.from({ length: 13 }, () => lineOf(long, 1, '1.00'))));
    expect(messages(await write(sendOf(long)))).toEqual(['A bill of 13 lines is never sent.']);
  });

  test('a value that cannot be computed refuses the write', async () => {
    const { id } = await insert(bill);
    const failed = (field: string): string =>
      `The ${field} cannot be computed: a value is too large, or divided by zero.`;
    expect(messages(await write(lineOf(id, 1_000, '9999999999.99')))).toEqual([failed('amount')]);
    await insert(line, { bill_id: id, quantity: 1, price: '9999999999.99' });
    expect(messages(await write(lineOf(id, 1, '0.01')))).toEqual([failed('total')]);
    const { id: other } = await insert(bill);
    const large = Array.from({ length: 2 }, () => lineOf(other, Number.MAX_SAFE_INTEGER, '0.00'));
    expect(await write(batchOf(...large))).toMatchObject({ outcome: 'refused', at: 1 });
    // Twenty of these have more than 64 bits, in the engine alone and with the sign of the others.
    for (const amount of ['9'.repeat(18), `-${'9'.repeat(18)}`]) {
      const fees = Array.from({ length: 20 }, () => insertOf(fee, { bill_id: other, amount }));
      // The last one that has changed the bill.
      expect(await write(batchOf(...fees))).toMatchObject({ outcome: 'refused', at: 19 });
      const stored = Array.from(
        { length: 20 },
        (_, n) =>
          `insert into "fee" ("_organization", "id", "idx", "bill_id", "amount", "_version") values (1, 'fee_${n}', ${n}, '${other}', ${amount}, 1)`,
      );
      // A total that is not stored is read.
      const unknown = `update "bill" set "charged" = null where "id" = '${other}'`;
      await subject.database.execute([...stored, unknown].join(';'));
      expect(messages(await write(updateOf(bill, other, { notes: 'x' })))).toEqual([failed('charged')]);
      await subject.database.execute(`delete from "fee" where "bill_id" = '${other}'`);
      await subject.database.execute(`update "bill" set "charged" = 0 where "id" = '${other}'`);
    }
  });

  test('a batch sees the totals that its own writes make, and is done or not as a whole', async () => {
    const created = insertOf(bill, { discount: '1.00' });
    const lines = [lineOf(idOf(created), 1, '2.00'), lineOf(idOf(created), 2, '3.00')] as const;
    const fees = [insertOf(fee, { bill_id: idOf(created) }), insertOf(fee, { bill_id: idOf(created) })] as const;
    const done = await write(batchOf(created, lines[0], fees[0], lines[1], fees[1], sendOf(idOf(created))));
    expect(done).toMatchObject({ outcome: 'done' });
    const after = await subject.get(bill, idOf(created));
    expect(after).toMatchObject({ total: '8.00', lines: 2, fees: 2, due: '7.00', status: 'sent' });
    const trail = await events(idOf(created));
    // It changes once with the transition, however many items there are.
    expect(trail.map(({ operation }) => operation)).toEqual(['create', 'send']);
    const second = insertOf(bill);
    const refused = await write(batchOf(second, lineOf(idOf(second), 1, '1.00'), lineOf(idOf(second), -2, '1.00')));
    expect(refused).toMatchObject({ outcome: 'refused', at: 2, reason: { outcome: 'rule_violated' } });
    expect(await subject.get(bill, idOf(second))).toBe(null);
  });

  test('a line item that a hook adds changes what is read of its parent', async () => {
    const { id } = await insert(bill);
    const { id: named } = await insert(article);
    // Records that are read often are kept.
    for (let read = 0; read < 3; read++) await subject.get(bill, id);
    const batch = batchOf(updateOf(article, named, { name: 'pen' }), lineOf(id, 3, '0.50'));
    expect(await write({ ...batch, hidden: [1] } as Write)).toMatchObject({ outcome: 'done', results: [{}] });
    expect(await subject.get(bill, id)).toMatchObject({ total: '1.50', lines: 1 });
  });

  test('a record that is restored is checked with its line items, and has its totals', async () => {
    const { id } = await insert(bill);
    const lines = [await subject.written(lineOf(id, 1, '0.50')), await subject.written(lineOf(id, 1, '0.60'))];
    const before = await subject.written(updateOf(bill, id, { discount: '1.00' }));
    const { version = 0 } = (await subject.store.get('bill', id)) ?? {};
    await write(deleteOf(bill, id));
    const restored = (table: Table, fields: Fields, from: number): SingleWrite => ({
      ...insertOf(table, fields),
      version: from + 2,
    });
    const items = lines.map((one) => restored(line, one, 1));
    const [first] = items as [SingleWrite];
    const refused = await write(batchOf(restored(bill, { ...before, discount: '2.00' }, version), ...items));
    expect(refused).toMatchObject({ outcome: 'refused', at: 2, reason: { outcome: 'rule_violated' } });
    const done = await write(batchOf(restored(bill, before, version), ...items));
    expect(done).toMatchObject({ outcome: 'done', results: [{ version: version + 2 }, {}, {}] });
    const [{ json = '' } = {}] = (done as unknown as { results: { json?: string }[] }).results;
    expect(JSON.parse(json)).toEqual(before);
    expect(await subject.get(bill, id)).toEqual(before);
    expect((await subject.store.get('bill', id))?.version).toBe(version + 2);
    // The line items of a record that is there are checked with it.
    await write(deleteOf(bill, id));
    expect(await write(batchOf(restored(bill, before, version + 2), first))).toMatchObject({ outcome: 'refused' });
  });

  test('a delete by cascade, and a reference that it clears, change what is computed', async () => {
    const { id: named } = await insert(article);
    const { id: pays } = await insert(payer);
    const bills = [await insert(bill, { payer_id: pays }), await insert(bill, { discount: '1.00' })];
    for (const { id } of bills) {
      await insert(line, { bill_id: id, quantity: 1, price: '1.00', article_id: named });
      await insert(line, { bill_id: id, quantity: 1, price: '2.00' });
    }
    expect(await write(deleteOf(article, named))).toMatchObject({ outcome: 'deleted' });
    expect(await subject.get(bill, bills[0]?.id ?? '')).toMatchObject({ total: '2.00', is_paid_by_other: true });
    expect(await subject.get(bill, bills[1]?.id ?? '')).toMatchObject({ due: '1.00' });
    await subject.written(updateOf(bill, bills[0]?.id ?? '', { status: 'checked' }));
    expect(messages(await write(deleteOf(payer, pays)))).toEqual(['A checked bill has a payer.']);
    expect(await subject.get(payer, pays)).not.toBe(null);
    await subject.written(updateOf(bill, bills[0]?.id ?? '', { status: 'draft' }));
    expect(await write(deleteOf(payer, pays))).toMatchObject({ outcome: 'deleted' });
    const after = await subject.get(bill, bills[0]?.id ?? '');
    expect(after).toMatchObject({ payer_id: null, is_paid_by_other: false });
  });
});
