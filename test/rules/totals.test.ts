import { expect, test } from 'vitest';

import { type Body, onEachEngine } from '../references/library.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { Claims } from '../states/claims.ts';

onEachEngine('totals over line items', (subject, engine) => {
  const claims = new Claims(() => subject.library);
  const read = (claim: string) => claims.done('GET', `claim/${claim}`);
  const add = (claim: unknown, amount: string, tax = {}) => ({
    method: 'POST',
    path: '/api/expenses/claim-item',
    body: { claim_id: claim, amount, ...tax },
  });
  const batch = (...operations: readonly unknown[]) => subject.library.ask('POST', 'batch', { operations });
  const eventsOf = async (claim: string): Promise<string[]> => {
    const { body } = await subject.library.ask('GET', `events?record=${claim}`);
    return (body as { data: { operation: string }[] }).data.map(({ operation }) => operation);
  };

  /** A claim with items of 5.00 and 7.00, and one of 100.00 that no write has added to its totals: only who reads all items sees it. */
  async function unread(): Promise<{ claim: string; items: string[] }> {
    const { id: claim } = await claims.done('POST', 'claim', { title: 'Rome' });
    const items = [await claims.item(claim, { amount: '5.00' }), await claims.item(claim, { amount: '7.00' })];
    const amount = engine.name === 'SQLite' ? 10_000 : 100;
    await subject.database.execute(
      `insert into "claim_item" ("_organization", "id", "idx", "claim_id", "amount", "tax", "_version")
       values (1, '${claim.replace('claim', 'claim_item')}', 99, '${claim}', ${amount}, 0, 1)`,
    );
    return { claim, items };
  }

  test('a write of an item, or of its parent, reads no others', async () => {
    const { claim, items } = await unread();
    await claims.done('PATCH', `claim/${claim}`, { notes: 'Soon.' });
    expect(await read(claim)).toMatchObject({ item_count: 2, total: '12.00', largest: '7.00', to_pay: '12.00' });
    await claims.item(claim, { amount: '8.50' });
    expect(await read(claim)).toMatchObject({ item_count: 3, total: '20.50', largest: '8.50' });
    await claims.done('PATCH', `claim-item/${items[0]}`, { amount: '6.01' });
    expect(await read(claim)).toMatchObject({ item_count: 3, total: '21.51', largest: '8.50', to_pay: '21.51' });
    expect((await batch(add(claim, '1.00'), add(claim, '9.00'))).status).toBe(200);
    expect(await read(claim)).toMatchObject({ item_count: 5, total: '31.51', largest: '9.00' });
    await claims.done('DELETE', `claim-item/${items[1]}`);
    expect(await read(claim)).toMatchObject({ item_count: 4, total: '24.51', largest: '9.00' });
    const { id: other } = await claims.done('POST', 'claim', { title: 'Oslo' });
    await claims.done('PATCH', `claim-item/${items[0]}`, { claim_id: other });
    expect(await read(claim)).toMatchObject({ item_count: 3, total: '18.50', largest: '9.00' });
    expect(await read(other)).toMatchObject({ item_count: 1, total: '6.01', largest: '6.01' });
  });

  test('the largest value is looked for when it leaves, and only then', async () => {
    const { claim, items } = await unread();
    await claims.done('DELETE', `claim-item/${items[0]}`);
    expect(await read(claim)).toMatchObject({ largest: '7.00' });
    await claims.done('PATCH', `claim-item/${items[1]}`, { amount: '8.00' });
    expect(await read(claim)).toMatchObject({ largest: '8.00' });
    await claims.done('PATCH', `claim-item/${items[1]}`, { amount: '6.00' });
    expect(await read(claim)).toMatchObject({ item_count: 1, total: '6.00', largest: '100.00' });
  });

  test('a batch changes a parent once, at its end or with a write that names it', async () => {
    const { id: claim } = await claims.done('POST', 'claim', { title: 'Rome' });
    expect((await batch(...Array.from({ length: 20 }, () => add(claim, '0.10')))).status).toBe(200);
    expect(await read(claim)).toMatchObject({ item_count: 20, total: '2.00', largest: '0.10' });
    expect(await eventsOf(claim)).toEqual(['create', 'update']);
    const patch = { method: 'PATCH', path: `/api/expenses/claim/${claim}`, body: { advance: '4.00' } };
    const done = await batch(add(claim, '1.00'), add(claim, '1.00'), patch, add(claim, '1.00'));
    expect((done.body as { results: { body: Body }[] }).results[2]?.body).toMatchObject({
      total: '4.00',
      to_pay: '0.00',
    });
    expect(await read(claim)).toMatchObject({ total: '5.00', to_pay: '1.00' });
    expect(await eventsOf(claim)).toEqual(['create', 'update', 'update', 'update']);
    const create = { method: 'POST', path: '/api/expenses/claim', body: { title: 'New' } };
    const made = await batch(create, add({ result: 0 }, '1.00'), add({ result: 0 }, '2.00'));
    const [first] = (made.body as { results: { body: Body & { id: string } }[] }).results;
    expect(await read(first?.body.id ?? '')).toMatchObject({ item_count: 2, total: '3.00', largest: '2.00' });
  });

  test('a rule that a batch breaks names the last operation that has changed the record, and nothing is done', async () => {
    const { id: claim } = await claims.done('POST', 'claim', { title: 'Rome' });
    const item = await claims.item(claim, { amount: '5.00' });
    await claims.done('PATCH', `claim/${claim}`, { advance: '4.00' });
    const lower = { method: 'PATCH', path: `/api/expenses/claim-item/${item}`, body: { amount: '1.00' } };
    const other = { method: 'POST', path: '/api/expenses/claim', body: { title: 'New' } };
    expect((await batch(lower, add(claim, '1.00'), other)).body).toMatchObject({ code: 'rule_violated', operation: 1 });
    expect(await read(claim)).toMatchObject({ item_count: 1, total: '5.00' });
    // It is kept again before the end.
    expect((await batch(lower, add(claim, '3.00'))).status).toBe(200);
    expect(await read(claim)).toMatchObject({ item_count: 2, total: '4.00', to_pay: '0.00' });
  });

  test('a rule over totals holds at the end of a batch, in whatever order it is kept', async () => {
    const { id: claim } = await claims.done('POST', 'claim', { title: 'Rome' });
    const item = await claims.item(claim, { amount: '5.00' });
    await claims.done('PATCH', `claim/${claim}`, { advance: '4.00' });
    const change = (body: Body) => ({ method: 'PATCH', path: `/api/expenses/claim/${claim}`, body });
    const lower = (amount: string) => ({ method: 'PATCH', path: `/api/expenses/claim-item/${item}`, body: { amount } });
    const drop = (of: string) => ({ method: 'DELETE', path: `/api/expenses/claim-item/${of}` });
    for (const operations of [
      [lower('3.00'), change({ advance: '2.00' })],
      [change({ advance: '4.50' }), lower('5.00')],
      [lower('1.00'), change({ notes: 'Soon.' }), change({ advance: '1.00' })],
      [change({ advance: '9.00' }), change({ notes: null }), change({ notes: null }), add(claim, '9.00')],
    ]) {
      const done = await batch(...operations);
      expect(done.status, done.text).toBe(200);
    }
    expect(await read(claim)).toMatchObject({ item_count: 2, total: '10.00', advance: '9.00', to_pay: '1.00' });
    const create = { method: 'POST', path: '/api/expenses/claim', body: { title: 'New', advance: '3.00' } };
    expect((await batch(create, add({ result: 0 }, '1.00'), add({ result: 0 }, '2.00'))).status).toBe(200);
    // A record that the batch deletes keeps no rule.
    const { id: gone } = await claims.done('POST', 'claim', { title: 'Gone', advance: '8.00' });
    const remove = { method: 'DELETE', path: `/api/expenses/claim/${gone}` };
    expect((await batch(add(gone, '1.00'), remove)).status).toBe(200);
    const before = await claims.state(claim);
    const events = await eventsOf(claim);
    const { total: count } = await claims.done('GET', 'claim');
    const other = { method: 'POST', path: '/api/expenses/claim', body: { title: 'Never' } };
    const message = 'The advance is at most the total.';
    const broken = (operation: number, pointer: string) => ({
      status: 422,
      body: { code: 'rule_violated', operation, errors: [{ pointer, code: 'rule_violated', message }] },
    });
    expect(await batch(other, drop(item), change({ advance: '9.50' }), other)).toMatchObject(
      broken(2, '/operations/2/body/advance'),
    );
    expect(await batch(change({ advance: '20.00' }), add(claim, '1.00'), other)).toMatchObject(
      broken(1, '/operations/1/body'),
    );
    expect(await batch(create, add({ result: 0 }, '1.00'), add({ result: 0 }, '1.00'))).toMatchObject(
      broken(2, '/operations/2/body'),
    );
    // Other rules hold after each operation, and an operation that fails by itself comes first.
    const late = change({ starts_on: '2026-02-02', ends_on: '2026-02-01', advance: '20.00' });
    expect((await batch(late, change({ ends_on: null, advance: null }))).body).toMatchObject({
      operation: 0,
      errors: [{ pointer: '/operations/0/body/ends_on' }, { pointer: '/operations/0/body/advance' }],
    });
    expect((await batch(change({ advance: '20.00' }), { ...other, body: {} })).body).toMatchObject({
      code: 'invalid_body',
      operation: 1,
    });
    expect(await claims.state(claim)).toEqual(before);
    expect(await eventsOf(claim)).toEqual(events);
    expect((await claims.done('GET', 'claim'))['total']).toBe(count);
  });

  test('`migrate -- --recount` sets right what others have done to the rows', async () => {
    const { claim } = await unread();
    await claims.item(claim, { amount: '1.00' });
    expect(await read(claim)).toMatchObject({ total: '13.00' });
    const env = { DATABASE_URL: subject.database.url };
    const { code, stderr } = await runInProcess(service, env, 'migrate', '--recount');
    expect(code, stderr).toBe(0);
    expect(await subject.library.ask('GET', `expenses/claim?total=113.00`)).toMatchObject({ body: { total: 1 } });
  });
});
