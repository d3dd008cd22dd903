import { expect, test } from 'vitest';

import { type Body, onEachEngine } from '../references/library.ts';
import { outcomeOf } from '../states/claims.ts';
import { expectProblem } from '../support/problem.ts';
import { Lending, outcomes } from './lending.ts';

onEachEngine('hooks before writes', (subject) => {
  const lending = new Lending(() => subject.library);

  test('a hook changes the record, changes and creates others, and is not called with its own writes', async () => {
    const patron = await lending.patron();
    const answer = await lending.borrow(patron, { tool: 'deposit', tags: ['new'] });
    expect(answer.body).toMatchObject({ status: 'open', tags: ['new', expect.stringMatching(/^by /)] });
    const { id } = answer.body as { id: string };
    expect(answer.headers.get('location')).toBe(`/api/lending/checkout/${id}`);
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(await lending.penalties(id)).toMatchObject([{ amount: '5.00', idx: 1 }]);
    expect(await lending.open(patron)).toEqual({ counted: 1, found: 1 });

    const due = await lending.done('PATCH', `checkout/${id}`, { due_on: '2020-01-01' });
    expect(due['tags']).toEqual(['new', expect.anything(), 'extended']);
    // A client can send back the record that it has read.
    expect(await lending.done('PATCH', `checkout/${id}`, due)).toEqual(due);
    const returned = await lending.done('POST', `checkout/${id}/return`);
    expect(returned).toMatchObject({ status: 'returned', days_late: expect.any(Number), tags: due['tags'] });
    const amount = (Number(returned['days_late']) * 0.2).toFixed(2);
    expect(await lending.penalties(id)).toMatchObject([{ amount: '5.00' }, { amount, idx: 2 }]);
    expect(await lending.open(patron)).toEqual({ counted: 0, found: 0 });
    // The writes of a request are events of the same request, in one transaction.
    const { data } = await lending.done('GET', '../events?limit=3&sort=-number');
    const events = data as readonly Body[];
    expect(events.map(({ resource, operation }) => `${resource} ${operation}`).toSorted()).toEqual([
      'lending/checkout return',
      'lending/patron update',
      'lending/penalty create',
    ]);
    expect(new Set(events.map((event) => event['request_id'])).size).toBe(1);

    await lending.done('DELETE', `checkout/${await lending.borrowed(patron)}`);
    expect(await lending.open(patron)).toEqual({ counted: 0, found: 0 });
  });

  test('a refusal has a code of its own, and a page', async () => {
    const patron = await lending.patron();
    const saw = expectProblem(await lending.borrow(patron, { tool: 'saw' }), 422, 'blocked_tool');
    const error = { pointer: '/tool', code: 'refused', message: 'Nobody borrows the saw.' };
    expect(saw).toMatchObject({ title: 'Refused', detail: error.message, errors: [error] });
    const id = await lending.borrowed(patron);
    const exchange = await lending.ask('PATCH', `checkout/${id}`, { tool: 'hammer' });
    expect(outcomeOf(exchange)).toBe('blocked_tool');
    const batch = await lending.batch([
      ['PATCH', `checkout/${id}`, { due_on: '2030-01-01' }],
      ['PATCH', `checkout/${id}`, { tool: 'hammer' }],
    ]);
    expect(expectProblem(batch, 422, 'blocked_tool')).toMatchObject({
      operation: 1,
      errors: [{ pointer: '/operations/1/body/tool' }],
    });
    expect(await lending.done('GET', `checkout/${id}`)).toMatchObject({ tool: 'drill', due_on: null });
    const broken = { remark: 'broken' };
    const refused = expectProblem(await lending.ask('POST', `checkout/${id}/return`, broken), 422, 'blocked_tool');
    expect(refused, 'the field has another name in the body').toMatchObject({ errors: [{ pointer: '/remark' }] });
    const returns = await lending.batch([['POST', `checkout/${id}/return`, broken]]);
    expect(returns.body).toMatchObject({ errors: [{ pointer: '/operations/0/body/remark' }] });
    expect(await lending.done('POST', `checkout/${id}/return`, { remark: 'new' })).toMatchObject({ note: 'new' });
    const page = await subject.library.server.request('GET', saw.type);
    expect(page.status).toBe(200);
    expect(page.text).toContain('The tool cannot be borrowed.');
  });

  test('a hook that fails, hangs or writes what cannot be stored does nothing', async () => {
    const patron = await lending.patron();
    const { server } = subject.library;
    for (const [tool, status, code, logged] of [
      ['broken', 500, 'internal', 'The hook is broken.'],
      ['thrown', 500, 'internal', 'The hook throws what is no error.'],
      ['thrown bare', 500, 'internal', '[Object: null prototype] {}'],
      [
        'new code',
        500,
        'internal',
        String.raw`beforeCreate of lending/checkout has refused with \"sold_out\", which its codes lack`,
      ],
      ['slow', 503, 'overloaded', 'The hook beforeCreate of lending/checkout takes longer than 2 s'],
      ['endless', 503, 'overloaded', 'The hook beforeCreate of lending/checkout takes longer than 2 s'],
      ['wrong value', 500, 'internal', String.raw`beforeCreate of lending/checkout sets due_on to \"tomorrow\"`],
      ['lost patron', 500, 'internal', 'A write of beforeCreate of lending/checkout failed: No patron has the id'],
      ['itself', 500, 'internal', 'beforeCreate of lending/checkout updates its own record'],
      ['lost checkout', 409, 'parent_missing', ''],
    ] as const) {
      expectProblem(await lending.borrow(patron, { tool }), status, code);
      await expect.poll(() => server.output).toContain(logged);
      if (status === 503) continue;
      const batch = await lending.batch([
        ['POST', 'checkout', { patron_id: patron, tool: 'drill' }],
        ['POST', 'checkout', { patron_id: patron, tool }],
      ]);
      expectProblem(batch, status, code);
    }
    expect(await lending.open(patron)).toEqual({ counted: 0, found: 0 });
    const id = await lending.borrowed(patron);
    expectProblem(await lending.ask('PATCH', `checkout/${id}`, { due_on: '2001-01-01' }), 500, 'internal');
    await expect.poll(() => server.output).toContain('beforeUpdate of lending/checkout updates its own record');
    expect(await lending.done('GET', `checkout/${id}`)).toMatchObject({ due_on: null });
  });

  test('a hook sees what a create copies, and may change it', async () => {
    const { id: patron } = await lending.done('POST', 'patron', { name: 'Bob', email: 'bob@example.com' });
    const id = await lending.borrowed(patron, { tool: 'copied' });
    const copies = { contact: 'bob@example.com', daily_penalty: '0.20' };
    expect(await lending.done('GET', `checkout/${id}`)).toMatchObject({
      ...copies,
      tags: [copies.contact, copies.daily_penalty, '0.20', expect.stringMatching(/^by /)],
    });
    expect(await lending.done('GET', `penalty?parent_id=${id}`)).toMatchObject({ data: [{ amount: '0.20' }] });
    const free = await lending.borrowed(patron, { tool: 'lent for free' });
    expect(await lending.done('GET', `checkout/${free}`)).toMatchObject({ ...copies, daily_penalty: '0.00' });
    const { body, text } = await lending.batch([
      ['POST', 'patron', { name: 'Cem', email: 'cem@example.com' }],
      ['POST', 'checkout', { patron_id: { result: 0 }, tool: 'copied' }],
      ['PATCH', `patron/${patron}`, { email: null }],
      ['POST', 'checkout', { patron_id: patron, tool: 'copied' }],
    ]);
    expect(body, text).toMatchObject({
      results: [
        {},
        { body: { tags: ['cem@example.com', '0.20', '0.20', expect.anything()], contact: 'cem@example.com' } },
        {},
        { body: { tags: ['null', '0.20', '0.20', expect.anything()], contact: null } },
      ],
    });
  });

  test('the errors of the write itself are as without a hook', async () => {
    const id = await lending.borrowed(await lending.patron());
    const outcome = async (method: string, path: string, body?: Body, headers = {}) =>
      outcomeOf(await lending.ask(method, path, body, headers));
    expect(outcomeOf(await lending.borrow('patron_0'))).toBe('reference_missing');
    expect(outcomeOf(await lending.borrow('\0'))).toBe('invalid_body');
    expect(await outcome('PATCH', 'checkout/checkout_0', { due_on: '2030-01-01' })).toBe('not_found');
    expect(await outcome('PATCH', `checkout/${id}`, { patron_id: 'other' })).toBe('invalid_body');
    for (const change of [{ due_on: '2030-01-01' }, { tool: 'hammer' }])
      expect(await outcome('PATCH', `checkout/${id}`, change, { 'if-match': '"9"' })).toBe('stale');
    expect(await outcome('PATCH', `checkout/${id}`, { tool: 'hammer' }, { 'if-match': '"1"' })).toBe('blocked_tool');
    await lending.done('POST', `checkout/${id}/return`);
    expect(await outcome('POST', `checkout/${id}/return`)).toBe('wrong_state');
    expect(await outcome('DELETE', `checkout/${id}`, undefined, { 'if-match': '"9"' })).toBe('stale');
  });

  test('of a hundred at once, exactly five borrow', async () => {
    const patron = await lending.patron();
    const answers = await Promise.all(Array.from({ length: 100 }, () => lending.borrow(patron)));
    expect(outcomes(answers)).toEqual({ 201: 5, too_many_checkouts: 95 });
    expect(await lending.open(patron)).toEqual({ counted: 5, found: 5 });
  });

  test('a record that many change at once is changed by all of them', async () => {
    const patrons = await Promise.all(Array.from({ length: 5 }, () => lending.patron()));
    const { id: settings } = await lending.done('GET', 'lending-settings');
    await lending.done('PATCH', `lending-settings/${settings}`, { most_checkouts: 100 });
    try {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => lending.borrow(patrons[i % 5] as string)));
      expect(outcomes(answers)).toEqual({ 201: 50 });
      for (const patron of patrons) expect(await lending.open(patron)).toEqual({ counted: 10, found: 10 });
    } finally {
      await lending.done('PATCH', `lending-settings/${settings}`, { most_checkouts: 5 });
    }
  });

  test('in a batch, a hook sees what the operations before it write', async () => {
    const borrow = (patron: unknown): [string, string, Body] => [
      'POST',
      'checkout',
      { patron_id: patron, tool: 'drill' },
    ];
    const patron = await lending.patron();
    const six = await lending.batch(Array.from({ length: 6 }, () => borrow(patron)));
    expect(expectProblem(six, 422, 'too_many_checkouts')).toMatchObject({ operation: 5 });
    expect(await lending.open(patron)).toEqual({ counted: 0, found: 0 });

    const created = await lending.batch([
      ['POST', 'patron', { name: 'Bob' }],
      borrow({ result: 0 }),
      ['POST', 'checkout/{result:1}/return'],
      ...Array.from({ length: 5 }, () => borrow({ result: 0 })),
      ['PATCH', 'checkout/{result:1}', { due_on: '2030-01-01' }],
    ]);
    expect(created.status, created.text).toBe(200);
    const { results } = created.body as { results: readonly { body: Body }[] };
    expect(results.map(({ body }) => body['id'])).toHaveLength(9);
    expect(results[8]?.body).toMatchObject({ status: 'returned', tags: [expect.anything(), 'extended'] });
    // The version that an earlier operation makes is known to the commit alone: the hook runs.
    const path = `/api/lending/checkout/${String(results[3]?.body['id'])}`;
    const twice = (if_match: string, due_on: string) => ({ method: 'PATCH', path, body: { due_on }, if_match });
    const operations = [twice('"1"', '2030-01-01'), twice('"2"', '2031-01-01')];
    const guarded = await lending.ask('POST', '../batch', { operations });
    expect(guarded.body, guarded.text).toMatchObject({
      results: [{}, { etag: '"3"', body: { tags: [expect.anything(), 'extended', 'extended'] } }],
    });
    expect(await lending.open(String(results[0]?.body['id']))).toEqual({ counted: 5, found: 5 });
  });

  test('a repetition gets the first answer, also if a hook would refuse it now', async () => {
    const patron = await lending.patron();
    for (let n = 0; n < 4; n++) await lending.borrowed(patron);
    const headers = { 'idempotency-key': 'fifth' };
    const first = await lending.borrow(patron, {}, headers);
    expect(outcomeOf(await lending.borrow(patron))).toBe('too_many_checkouts');
    const again = await lending.borrow(patron, {}, headers);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await lending.borrow(patron, { tool: 'saw' }, headers);
    expect(outcomeOf(other)).toBe('idempotency_key_reused');

    await lending.done('DELETE', `checkout/${(first.body as { id: string }).id}`);
    const batch = () => lending.batch([['POST', 'checkout', { patron_id: patron, tool: 'drill' }]], headers1);
    const headers1 = { 'idempotency-key': 'batch' };
    const one = await batch();
    expect(one.status, one.text).toBe(200);
    expect((await batch()).text).toBe(one.text);
    expect(await lending.open(patron)).toEqual({ counted: 5, found: 5 });
  });

  test('an undo runs the hooks of the write that it is', async () => {
    const patron = await lending.patron();
    const undo = async (): Promise<number | string> => {
      const { data } = await lending.done('GET', '../events?resource=lending/checkout&sort=-number&limit=1');
      const [{ number }] = data as [{ number: number }];
      return outcomeOf(await lending.ask('POST', `../events/${number}/undo`));
    };
    const id = await lending.borrowed(patron);
    expect(await undo()).toBe(200);
    expect(await lending.open(patron)).toEqual({ counted: 0, found: 0 });
    expect(await undo()).toBe(200);
    expect(await lending.open(patron)).toEqual({ counted: 1, found: 1 });
    await lending.done('POST', `checkout/${id}/return`);
    expect(await undo()).toBe(200);
    expect(await lending.open(patron)).toEqual({ counted: 1, found: 1 });
    expect(await undo()).toBe(200);
    expect(await lending.open(patron)).toEqual({ counted: 0, found: 0 });
    expect(await undo()).toBe(200);
    expect(await lending.open(patron)).toEqual({ counted: 1, found: 1 });
    for (let n = 0; n < 4; n++) await lending.borrowed(patron);
    await lending.done('DELETE', `checkout/${id}`);
    const { data } = await lending.done('GET', `../events?record=${id}&sort=-number&limit=1`);
    await lending.borrowed(patron);
    const [{ number }] = data as [{ number: number }];
    const refused = await lending.ask('POST', `../events/${number}/undo`);
    expect(expectProblem(refused, 422, 'too_many_checkouts')).not.toHaveProperty('operation');
  });
});
