import { expect, test } from 'vitest';

import { type Body, onEachEngine } from '../references/library.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { Claims, outcomeOf } from './claims.ts';

onEachEngine('records that their state locks', (subject) => {
  const claims = new Claims(() => subject.library);
  const batch = (...operations: readonly Body[]) => subject.library.ask('POST', 'batch', { operations });

  /** Expects that writes are refused, and that the claim and its items stay as they are. */
  async function refused(claim: string, writes: readonly (readonly [string, string, unknown?])[]): Promise<void> {
    const before = await claims.state(claim);
    for (const [method, path, body] of writes) {
      const answer = await subject.library.ask(method, path, body);
      expect(outcomeOf(answer), `${method} ${path} ${answer.text}`).toBe('locked');
      const one = await batch({ method, path: `/api/${path}`, ...(body !== undefined && { body }) });
      expect([outcomeOf(one), (one.body as Body)['operation']]).toEqual(['locked', 0]);
    }
    expect(await claims.state(claim)).toEqual(before);
  }

  test('no update, delete or write of a line item changes one', async () => {
    const { claim, item } = await claims.submitted();
    const { claim: open, item: other } = await claims.claim();
    await refused(claim, [
      ['PATCH', `expenses/claim/${claim}`, { title: 'Other' }],
      ['PATCH', `expenses/claim/${claim}`, { notes: 'x', title: 'Other' }],
      ['DELETE', `expenses/claim/${claim}`],
      ['POST', 'expenses/claim-item', { claim_id: claim, amount: '2.00' }],
      ['POST', 'expenses/claim-item', { claim_id: claim, amount: '2.00', idx: 7 }],
      ['PATCH', `expenses/claim-item/${item}`, { amount: '2.00' }],
      ['PATCH', `expenses/claim-item/${item}`, { claim_id: open }],
      ['PATCH', `expenses/claim-item/${other}`, { claim_id: claim }],
      ['DELETE', `expenses/claim-item/${item}`],
      ['POST', 'expenses/claim-item/reorder', { items: [{ id: item, idx: 5 }] }],
    ]);
    const problem = await subject.library.refused('DELETE', `expenses/claim/${claim}`);
    expect(problem.detail).toBe(`The claim ${claim} is locked: its status is "submitted".`);
    expect(await claims.outcome('PATCH', 'claim-item/claim_item_0', { amount: '2.00' })).toBe('not_found');
    expect(await claims.outcome('DELETE', 'claim/claim_0')).toBe('not_found');
  });

  test('what is sent back as it is, the fields of except and transitions pass', async () => {
    const { claim, item } = await claims.submitted();
    const before = await claims.done('GET', `claim/${claim}`);
    expect(await claims.done('PATCH', `claim/${claim}`, before)).toEqual(before);
    expect(await claims.outcome('PATCH', `claim/${claim}`, { ...before, notes: 'Paid.' })).toBe(200);
    expect(await claims.outcome('PATCH', `claim-item/${item}`, { amount: '1', claim_id: claim })).toBe(200);
    expect(await claims.outcome('POST', 'claim-item/reorder', { items: [{ id: item, idx: 1 }] })).toBe(200);
    await claims.done('POST', `claim/${claim}/reject`, { reason: 'No receipt' });
    expect(await claims.outcome('PATCH', `claim-item/${item}`, { amount: '3.00' })).toBe(200);
    expect(await claims.outcome('PATCH', `claim/${claim}`, { title: 'Less travel' })).toBe(200);
    await claims.done('POST', `claim/${claim}/submit`);
    await claims.done('PATCH', `claim/${claim}`, { cost_center: 'A', checker_id: await subject.library.author() });
    await claims.done('POST', `claim/${claim}/approve`);
    expect(await claims.outcome('DELETE', `claim/${claim}`)).toBe('locked');
  });

  test('closed states are set by transitions alone', async () => {
    const { library } = subject;
    const { claim } = await claims.claim();
    const errors = [{ pointer: '/status', code: 'read_only' }];
    for (const status of ['draft', 'submitted', null]) {
      const body = { title: 'A', status };
      expect(await library.refused('POST', 'expenses/claim', body)).toMatchObject({ code: 'invalid_body', errors });
    }
    const refusal = await library.refused('PATCH', `expenses/claim/${claim}`, { status: 'approved' });
    expect(refusal).toMatchObject({ status: 422, errors });
    expect(await claims.done('PATCH', `claim/${claim}`, { status: 'draft', title: 'B' })).toMatchObject({ title: 'B' });
    expect(await claims.done('POST', `claim/${claim}/submit`)).toMatchObject({ status: 'submitted' });
  });

  test('a batch locks a record for the writes behind its transition, and does nothing then', async () => {
    const { claim, item } = await claims.claim();
    const before = await claims.state(claim);
    const submit = { method: 'POST', path: `/api/expenses/claim/${claim}/submit` };
    const edit = { method: 'PATCH', path: `/api/expenses/claim-item/${item}`, body: { amount: '2.00' } };
    const refusal = await batch(submit, edit);
    expect([outcomeOf(refusal), (refusal.body as Body)['operation']]).toEqual(['locked', 1]);
    expect(await claims.state(claim)).toEqual(before);
    expect(outcomeOf(await batch(edit, submit))).toBe(200);
    const create = { method: 'POST', path: '/api/expenses/claim', body: { title: 'A' } };
    const submitNew = { method: 'POST', path: '/api/expenses/claim/{result:0}/submit' };
    const add = { method: 'POST', path: '/api/expenses/claim-item', body: { claim_id: { result: 0 }, amount: '1' } };
    const own = (await batch(create, submitNew, add)).body as Body;
    expect([own['code'], own['operation']]).toEqual(['locked', 2]);
    expect(own['detail']).toBe('The claim is locked: its status is "submitted".');
  });

  test('an undo changes none, and brings no line item back; that of its transition opens it again', async () => {
    const { claim, item } = await claims.claim();
    await claims.done('PATCH', `claim/${claim}`, { title: 'Other' });
    await claims.done('DELETE', `claim-item/${item}`);
    await claims.done('POST', `claim/${claim}/submit`, { comment: 'Please.' });
    await claims.done('PATCH', `claim/${claim}`, { notes: 'x' });
    const eventsOf = async (record: string, operation: string) => {
      const page = await subject.library.ask('GET', `events?record=${record}&operation=${operation}`);
      return (page.body as { data: { number: number }[] }).data.map(({ number }) => number);
    };
    const undo = async (number = 0, key?: string) =>
      outcomeOf(
        await subject.library.server.request('POST', `/api/events/${number}/undo`, undefined, {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        }),
      );
    expect(await undo((await eventsOf(claim, 'update')).at(-1))).toBe(200);
    const [deleted] = await eventsOf(item, 'delete');
    expect(await undo(deleted)).toBe('locked');
    const [submitted] = await eventsOf(claim, 'submit');
    const env = { DATABASE_URL: subject.database.url };
    const scopes = ['events:read', 'expenses/claim:read', 'expenses/claim:write'];
    const create = ['keys', 'create', '--name', 'writer', ...scopes.flatMap((scope) => ['--scope', scope])];
    const { stdout } = await runInProcess(service, env, ...create);
    expect(await undo(submitted, stdout.trim())).toBe('insufficient_scope');
    expect(await undo(submitted)).toBe(200);
    const open = { status: 'draft', submitted_at: null, submitted_by: null, comment: null, notes: null };
    expect(await claims.done('GET', `claim/${claim}`)).toMatchObject(open);
    expect(await undo(submitted)).toBe('changed_since');
    expect(await undo(deleted)).toBe(200);
  });

  test('a delete that would change or delete one, or a line item of it, is refused', async () => {
    const { library } = subject;
    for (const [of, rules] of [
      ['author', { claim: 'author_id', item: 'receipt_of_id' }],
      ['book', { claim: 'book_id', item: 'book_id' }],
    ] as const) {
      for (const [what, field] of Object.entries(rules)) {
        const named = of === 'author' ? await library.author() : await library.book();
        const { claim } = await claims.claim(what === 'claim' ? { [field]: named } : {});
        if (what === 'item') await claims.item(claim, { [field]: named });
        await claims.done('POST', `claim/${claim}/submit`);
        await refused(claim, [['DELETE', `library/${of}/${named}`]]);
        await claims.done('POST', `claim/${claim}/reject`, { reason: 'No receipt' });
        await library.delete(of, named);
        const gone = of === 'book' && what === 'claim';
        expect(await claims.outcome('GET', `claim/${claim}`)).toBe(gone ? 'not_found' : 200);
      }
    }
    const checker = await library.author();
    const { claim } = await claims.submitted({ checker_id: checker });
    await library.delete('author', checker);
    expect(await claims.done('GET', `claim/${claim}`)).toMatchObject({ checker_id: null });
  });

  test('a submit that races with writes of its items comes before or after each of them', async () => {
    for (let round = 0; round < 10; round++) {
      const { claim, item } = await claims.claim();
      const { claim: other, item: moved } = await claims.claim();
      const second = await claims.item(claim);
      const [submitted, ...answers] = await Promise.all([
        claims.ask('POST', `claim/${claim}/submit`),
        claims.ask('PATCH', `claim-item/${item}`, { amount: '2.00' }),
        claims.ask('POST', 'claim-item', { claim_id: claim, amount: '3.00', idx: 9 }),
        claims.ask('POST', 'claim-item', { claim_id: claim, amount: '4.00' }),
        claims.ask('DELETE', `claim-item/${second}`),
        claims.ask('PATCH', `claim-item/${moved}`, { claim_id: claim }),
        claims.ask('POST', 'claim-item/reorder', { items: [{ id: item, idx: 20 }] }),
        claims.ask('PATCH', `claim/${claim}`, { title: 'Other' }),
        claims.ask('PATCH', `claim-item/${moved}`, { amount: '5.00' }),
      ]);
      expect(submitted?.status, submitted?.text).toBe(200);
      for (const answer of answers) expect([200, 201, 'locked'], answer.text).toContain(outcomeOf(answer));
      const page = await subject.library.ask('GET', 'events?limit=1000&sort=-number');
      const events = (page.body as { data: Body[] }).data;
      const at = events.findIndex(({ record, operation }) => record === claim && operation === 'submit');
      const items = (await claims.state(claim)) as { items: readonly Body[] };
      const locked = new Set<unknown>([claim, ...items.items.map(({ id }) => id)]);
      const later = events.slice(0, at).filter(({ record }) => locked.has(record));
      expect(later, JSON.stringify({ claim, other, later })).toEqual([]);
    }
  });
});
