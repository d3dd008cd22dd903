import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { onEachEngine } from '../references/library.ts';
import { Claims } from '../states/claims.ts';
import { Files, run } from '../transfer/run.ts';
import { exportFile } from '../transfer/steps.ts';

onEachEngine('computed fields of a service', (subject) => {
  const claims = new Claims(() => subject.library);
  const ask = (method: string, path: string, body?: unknown) => subject.library.ask(method, path, body);
  const read = (claim: string) => claims.done('GET', `claim/${claim}`);
  const none = { item_count: 0, total: '0.00', largest: null, to_pay: '0.00' };

  test('they follow creates, updates, moves, reorders, deletes and their undo', async () => {
    const { id } = await claims.done('POST', 'claim', { title: 'Rome' });
    const { id: other } = await claims.done('POST', 'claim', { title: 'Oslo' });
    expect(await read(id)).toMatchObject(none);
    const first = await claims.item(id, { amount: '10.50' });
    expect(await read(id)).toMatchObject({ item_count: 1, total: '10.50', largest: '10.50', to_pay: '10.50' });
    const second = await claims.item(id, { amount: '0.05' });
    await claims.done('PATCH', `claim/${id}`, { advance: '1.00', total: '10.55' });
    const all = { item_count: 2, total: '10.55', largest: '10.50', to_pay: '9.55' };
    expect(await read(id)).toMatchObject(all);
    expect(await claims.done('PATCH', `claim-item/${second}`, { amount: '2.00' })).toMatchObject({ tax: '0.38' });
    expect(await read(id)).toMatchObject({ total: '12.50', to_pay: '11.50' });
    await claims.done('POST', 'claim-item/reorder', { items: [{ id: second, idx: 0 }] });
    await claims.done('PATCH', `claim-item/${second}`, { claim_id: other });
    expect(await read(id)).toMatchObject({ item_count: 1, total: '10.50' });
    expect(await read(other)).toMatchObject({ item_count: 1, total: '2.00' });
    await claims.done('PATCH', `claim/${id}`, { advance: null });
    await claims.done('DELETE', `claim-item/${first}`);
    expect(await read(id)).toMatchObject(none);
    const { body } = await ask('GET', `events?record=${first}&operation=delete`);
    const [{ number } = { number: 0 }] = (body as { data: readonly { number: number }[] }).data;
    expect((await ask('POST', `events/${number}/undo`)).status).toBe(200);
    expect(await read(id)).toMatchObject({ item_count: 1, total: '10.50' });
  });

  test('they are read-only, and found and sorted as other fields', async () => {
    const amounts = ['700.00', '71.00', '8.00'];
    const ids: string[] = [];
    for (const amount of amounts) {
      const { id } = await claims.done('POST', 'claim', { title: 'Sorted', notes: null });
      await claims.item(id, { amount });
      ids.push(id);
    }
    expect(await claims.outcome('POST', 'claim', { title: 'x', total: '1.00' })).toBe('invalid_body');
    expect(await claims.outcome('PATCH', `claim/${ids[0]}`, { total: '1.00' })).toBe('invalid_body');
    const found = await claims.done('GET', 'claim?total[gte]=8.00&total[lt]=700.01&item_count=1&sort=-total');
    const list = (found['data'] as unknown as readonly { id: string }[]).map(({ id }) => id);
    expect(list.filter((id) => ids.includes(id))).toEqual(ids);
  });

  test('days are a number, found and sorted as one', async () => {
    const journey = { title: 'Days', starts_on: '2026-03-28', ends_on: '2026-03-30' };
    const made = await claims.done('POST', 'claim', journey);
    expect(made).toMatchObject({ nights: 2 });
    const later = { starts_on: '2026-03-30', ends_on: '2026-04-30' };
    expect(await claims.done('PATCH', `claim/${made.id}`, { ends_on: null })).toMatchObject({ nights: null });
    expect(await claims.done('PATCH', `claim/${made.id}`, later)).toMatchObject({ nights: 31 });
    const { id } = await claims.done('POST', 'claim', journey);
    const found = await claims.done('GET', 'claim?nights[gt]=1&sort=-nights');
    expect((found['data'] as unknown as readonly { id: string }[]).map((claim) => claim.id)).toEqual([made.id, id]);
  });

  test('a batch sees them after each operation, and refuses the one that breaks a rule of the parent', async () => {
    const { claim, item } = await claims.claim();
    const path = '/api/expenses/claim-item';
    const create = (amount: string) => ({ method: 'POST', path, body: { claim_id: claim, amount } });
    const advance = { method: 'PATCH', path: `/api/expenses/claim/${claim}`, body: { advance: '6.00' } };
    const done = await ask('POST', 'batch', { operations: [create('5.00'), advance, create('1.00')] });
    expect(done.body).toMatchObject({ results: [{}, { body: { total: '6.00', to_pay: '0.00' } }, {}] });
    const remove = { method: 'DELETE', path: `${path}/${item}` };
    expect(await ask('POST', 'batch', { operations: [remove, remove] })).toMatchObject({
      status: 404,
      body: { operation: 1 },
    });
    const refused = await ask('POST', 'batch', { operations: [remove, create('-0.01')] });
    const message = 'The advance is at most the total.';
    expect(refused).toMatchObject({
      status: 422,
      body: { operation: 1, errors: [{ pointer: '/operations/1/body', code: 'rule_violated', message }] },
    });
    expect(await read(claim)).toMatchObject({ item_count: 3, total: '7.00', advance: '6.00' });
  });

  test('a delete that breaks a rule of the parent, or makes a total too large, is 422', async () => {
    const { claim, item } = await claims.claim({ notes: 'x' });
    const last = await claims.item(claim, { amount: '0.50' });
    await claims.done('PATCH', `claim/${claim}`, { advance: '1.50' });
    expect(await ask('DELETE', `expenses/claim-item/${last}`)).toMatchObject({
      status: 422,
      body: { code: 'rule_violated', errors: [{ pointer: '', message: 'The advance is at most the total.' }] },
    });
    await claims.done('PATCH', `claim/${claim}`, { advance: null });
    await claims.item(claim, { amount: '900000.00' });
    const less = await claims.item(claim, { amount: '-900000.00' });
    await claims.item(claim, { amount: '999000.00' });
    const { status, body } = await ask('DELETE', `expenses/claim-item/${less}`);
    const detail = 'The total cannot be computed: a value is too large, or divided by zero.';
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'rule_violated', detail } });
    expect(await read(claim)).toMatchObject({ item_count: 5, total: '999001.50' });
    await claims.done('DELETE', `claim-item/${item}`);
  });

  test('an import refuses the rows that break rules, and an export has the computed fields', async () => {
    using files = new Files();
    const { server } = subject.library;
    const { id } = await claims.done('POST', 'claim', { title: 'Imported' });
    const rows = ['claim_id,amount', `${id},3.00`, `${id},2.50`, `${id},0.00`, `${id},-8.00`];
    const file = files.write('items.csv', rows.join('\n'));
    const rejects = files.path('rejects.csv');
    const imported = await run(server, files, 'import', 'expenses/claim-item', file, '--rejects', rejects);
    expect(imported.stderr).toContain('An expense has an amount.');
    expect(imported.stderr).toContain('The advance is at most the total.');
    expect(readFileSync(rejects, 'utf8')).toContain('-8.00');
    expect(await read(id)).toMatchObject({ item_count: 2, total: '5.50' });
    const exported = await exportFile(server.url, 'expenses/claim', files.path('claims.csv'));
    const [names = [], ...records] = exported.split('\n').map((line) => line.split(','));
    const record = records.find((cells) => cells.includes(id)) ?? [];
    expect([record[names.indexOf('total')], record[names.indexOf('item_count')]]).toEqual(['5.50', '2']);
  });
});
