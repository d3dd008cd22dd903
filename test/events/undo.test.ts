import { expect, test } from 'vitest';

import { codeOf, type Event, onEachTrail } from './trail.ts';

onEachTrail('undo', (trail) => {
  const { ask, done, last } = trail;
  const undo = (event: Event) => ask('POST', `events/${event.number}/undo`);
  const order = { ordered_on: '2026-01-01', company: 'Acme', currency: 'EUR' };
  const withoutTime = (record: Readonly<Record<string, unknown>>) => ({ ...record, updated_at: '' });

  /** Undoes the newest event, and cannot do it again. */
  async function undone(): Promise<Event> {
    const event = await last();
    const answer = await undo(event);
    expect(answer.status, answer.text).toBe(200);
    expect(codeOf(await undo(event))).toBe('changed_since');
    return event;
  }

  test('an update and a transition are reversed, and then are as before', async () => {
    const before = await done('POST', 'sales/order', order);
    const path = `sales/order/${before.id}`;
    for (const [method, target, body] of [
      ['PATCH', path, { company: 'Other', total: 5 }],
      ['POST', `${path}/submit`],
    ] as const) {
      await done(method, target, body);
      const { operation } = await undone();
      expect(operation).toBe(method === 'PATCH' ? 'update' : 'submit');
      expect(withoutTime(await done('GET', path))).toEqual(withoutTime(before));
      expect(await last()).toMatchObject({ operation: 'update', record: before.id });
    }
    expect((await last()).version).toBe(5);
  });

  test('an update is reversed if others have changed other fields, and refused if they have changed its own', async () => {
    const { id } = await done('POST', 'sales/order', order);
    const path = `sales/order/${id}`;
    await done('PATCH', path, { company: 'Other' });
    const event = await last();
    await done('PATCH', path, { notes: 'x' });
    await done('PATCH', path, { company: 'Third' });
    expect(codeOf(await undo(event))).toBe('changed_since');
    await done('PATCH', path, { company: 'Other' });
    expect(await ask('POST', `events/${event.number}/undo`)).toMatchObject({ status: 200 });
    expect(await done('GET', path)).toMatchObject({ company: 'Acme', notes: 'x' });
  });

  test('a create is deleted, unless it was changed', async () => {
    const { id } = await done('POST', 'sales/order', order);
    const event = await undone();
    expect(await ask('GET', `sales/order/${id}`)).toMatchObject({ status: 404 });
    expect(await last()).toMatchObject({ operation: 'delete', record: id });
    const other = await done('POST', 'sales/order', order);
    const created = await last();
    expect(created.number).toBe(event.number + 2);
    await done('PATCH', `sales/order/${other.id}`, { notes: 'x' });
    expect(codeOf(await undo(created))).toBe('changed_since');
  });

  test('a create is not deleted with the line items and the records that it has got since', async () => {
    const { id: order_id } = await done('POST', 'sales/order', order);
    const created = await last();
    const line = await done('POST', 'sales/order-line', { order_id, article: 'x' });
    expect(codeOf(await undo(created))).toBe('changed_since');
    await done('DELETE', `sales/order-line/${line.id}`);
    expect(codeOf(await undo(created))).toBe('done');

    const author = await done('POST', 'library/author', { name: 'Ann' });
    const book = await done('POST', 'library/book', { title: 'x', author_id: author.id });
    const written = await last();
    const loan = await done('POST', 'library/loan', { book_id: book.id, borrower: 'Bob' });
    expect(codeOf(await undo(written))).toBe('changed_since');
    await done('DELETE', `library/loan/${loan.id}`);
    await done('PATCH', `library/author/${author.id}`, { favorite: book.id });
    expect(codeOf(await undo(written))).toBe('changed_since');
    expect(await done('GET', `library/author/${author.id}`)).toMatchObject({ favorite: book.id });
  });

  test('a delete is not restored with a part of its line items', async () => {
    const { id } = await done('POST', 'sales/order', order);
    for (const article of ['a', 'b']) await done('POST', 'sales/order-line', { order_id: id, article });
    await done('DELETE', `sales/order/${id}`);
    const { number } = await last();
    // As if so many others had been deleted with it.
    const move = (by: number): Promise<void> =>
      trail.database.execute(
        `update "_event" set "number" = "number" + ${by} where "number" in (${number}, ${number - by})`,
      );
    await move(10_000);
    expect(codeOf(await ask('POST', `events/${number - 2}/undo`))).toBe('body_too_large');
    expect(await ask('GET', `sales/order/${id}`)).toMatchObject({ status: 404 });
    await move(-10_000);
    expect(codeOf(await ask('POST', `events/${number - 2}/undo`))).toBe('done');
    expect((await done('GET', `sales/order-line?parent_id=${id}`))['total']).toBe(2);
  });

  test('a value is not stored in a field that has another type since', async () => {
    const { id } = await done('POST', 'sales/order', { ...order, total: 5, payment_days: 30 });
    await done('DELETE', `sales/order/${id}`);
    const event = await last();
    for (const [field, former, now] of [
      ['total', '"much"', '5'],
      ['payment_days', '30.5', '30'],
      ['company', '1', '"Acme"'],
    ] as const) {
      const replace = (from: string, to: string): Promise<void> =>
        trail.database.execute(
          `update "_event" set "changes" = replace("changes", '"${field}":[${from}', '"${field}":[${to}') where "number" = ${event.number}`,
        );
      await replace(now, former);
      expect(codeOf(await undo(event)), field).toBe('changed_since');
      await replace(former, now);
    }
    expect(codeOf(await undo(event))).toBe('done');
  });

  test('a delete is not restored if its line items are too long together', async () => {
    const { id } = await done('POST', 'sales/order', order);
    for (const article of ['a', 'b']) await done('POST', 'sales/order-line', { order_id: id, article });
    await done('DELETE', `sales/order/${id}`);
    const { number } = await last();
    const long = trail.engine.name === 'SQLite' ? 'hex(zeroblob(9000000))' : "repeat('x', 18000000)";
    await trail.database.execute(
      `update "_event" set "changes" = '{"order_id":["${id}",null],"idx":[1,null],"article":["' || ${long} || '",null]}' ` +
        `where "number" in (${number - 1}, ${number})`,
    );
    const answer = await ask('POST', `events/${number - 2}/undo`);
    expect(answer).toMatchObject({
      status: 413,
      body: { detail: 'The record had too many line items to be restored.' },
    });
    expect(await ask('GET', `sales/order/${id}`)).toMatchObject({ status: 404 });
  });

  test('a delete is restored with its id, its creation and its line items, each delete once', async () => {
    const before = await done('POST', 'sales/order', { ...order, total: 0.1 });
    const path = `sales/order/${before.id}`;
    const lines = [];
    for (const article of ['a', 'b', 'c']) {
      lines.push(await done('POST', 'sales/order-line', { order_id: before.id, article }));
    }
    const deletes: Event[] = [];
    for (let round = 0; round < 2; round++) {
      await done('DELETE', path);
      const [event] = await trail.events(`&record=${before.id}&operation=delete`, deletes.at(-1)?.number);
      deletes.push(event as Event);
      expect(codeOf(await undo(event as Event))).toBe('done');
      expect(withoutTime(await done('GET', path))).toEqual(withoutTime(before));
      expect(await done('GET', `sales/order-line?parent_id=${before.id}`)).toMatchObject({ data: lines, total: 3 });
      for (const one of deletes) expect(codeOf(await undo(one))).toBe('changed_since');
    }
    await done('DELETE', path);
    for (const one of deletes) expect(codeOf(await undo(one))).toBe('changed_since');
    const versions = (await trail.events(`&record=${before.id}`)).map(({ version }) => version);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('a delete of an item is restored if its parent is there', async () => {
    const { id: order_id } = await done('POST', 'sales/order', order);
    const line = await done('POST', 'sales/order-line', { order_id, article: 'x', quantity: 2.5 });
    await done('DELETE', `sales/order-line/${line.id}`);
    await undone();
    expect(await done('GET', `sales/order-line?parent_id=${order_id}`)).toMatchObject({ data: [line] });
    await done('DELETE', `sales/order-line/${line.id}`);
    const event = await last();
    await done('DELETE', `sales/order/${order_id}`);
    const answer = await undo(event);
    expect([answer.status, codeOf(answer)]).toEqual([409, 'parent_missing']);
    expect((answer.body as { detail: string }).detail).toContain(order_id);
  });

  test('a move and a reorder of items are reversed', async () => {
    const [one, two] = [await done('POST', 'sales/order', order), await done('POST', 'sales/order', order)];
    const line = await done('POST', 'sales/order-line', { order_id: one.id, article: 'x' });
    await done('PATCH', `sales/order-line/${line.id}`, { order_id: two.id });
    await undone();
    expect(await done('GET', `sales/order-line?parent_id=${one.id}`)).toMatchObject({ data: [line], total: 1 });
    expect(await done('GET', `sales/order-line?parent_id=${two.id}`)).toMatchObject({ data: [], total: 0 });
    await done('POST', 'sales/order-line/reorder', { items: [{ id: line.id, idx: 7 }] });
    expect((await undone()).operation).toBe('reorder');
    expect(await done('GET', `sales/order-line?parent_id=${one.id}`)).toMatchObject({ data: [line] });
  });

  test('an event of computed fields alone is not undone: its item is', async () => {
    const claim = await done('POST', 'expenses/claim', { title: 'Oslo' });
    const { id } = await done('POST', 'expenses/claim-item', { claim_id: claim.id, amount: '1.00' });
    expect(codeOf(await undo(await last(`&record=${claim.id}`)))).toBe('changed_since');
    expect(codeOf(await undo(await last(`&record=${id}`)))).toBe('done');
    expect(await done('GET', `expenses/claim/${claim.id}`)).toMatchObject({ item_count: 0, total: '0.00' });
  });

  test('an update of a singleton is reversed', async () => {
    const path = 'workshop/booking-settings';
    const { id } = await done('GET', path);
    const before = await done('PATCH', `${path}/${id}`, { holiday_list: 'a' });
    await done('PATCH', `${path}/${id}`, { holiday_list: 'b', number_of_bays: 3 });
    await undone();
    expect(withoutTime(await done('GET', path))).toEqual(withoutTime(before));
  });

  test('unique values and references that are gone refuse it as they refuse the write', async () => {
    const { id } = await done('POST', 'register/member', { name: 'Ann', card_number: 'k1' });
    await done('DELETE', `register/member/${id}`);
    const deleted = await last();
    const other = await done('POST', 'register/member', { name: 'Bob', card_number: 'k1' });
    expect((await undo(deleted)).body).toMatchObject({ code: 'not_unique', conflicting_id: other.id });
    await done('DELETE', `register/member/${other.id}`);
    expect(codeOf(await undo(deleted))).toBe('done');

    const author = await done('POST', 'library/author', { name: 'Ann' });
    const student = await done('POST', 'library/author', { name: 'Bob', mentor_id: author.id });
    await done('DELETE', `library/author/${author.id}`);
    const cleared = await last(`&record=${student.id}`);
    const answer = await undo(cleared);
    expect(codeOf(answer)).toBe('reference_missing');
    expect(answer.text).toContain(author.id);
    const gone = await last(`&record=${author.id}`);
    expect([codeOf(await undo(gone)), codeOf(await undo(cleared))]).toEqual(['done', 'done']);
    expect(await done('GET', `library/author/${student.id}`)).toMatchObject({ mentor_id: author.id });
  });

  test.each([
    ['sales/order', order],
    ['register/member', { name: 'Ann', card_number: 'k2' }],
    ['register/member', { name: 'Ann' }],
  ])('of many undos of one delete of %s at once one succeeds', async (path, body) => {
    for (let round = 0; round < 5; round++) {
      const before = await done('POST', path, body);
      await done('DELETE', `${path}/${before.id}`);
      const event = await last();
      const codes = (await Promise.all(Array.from({ length: 8 }, () => undo(event)))).map(codeOf);
      expect(codes.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'changed_since'), 'done']);
      expect(withoutTime(await done('GET', `${path}/${before.id}`))).toEqual(withoutTime(before));
      await done('DELETE', `${path}/${before.id}`);
    }
  });

  test('it needs the scope of the write, and that of reading the resource', async () => {
    const { id } = await done('POST', 'sales/order', order);
    await done('POST', `sales/order/${id}/submit`);
    const event = await last();
    const asked = async (...scopes: string[]): Promise<string> =>
      codeOf(await ask('POST', `events/${event.number}/undo`, undefined, await trail.key('main', ...scopes)));
    for (const scopes of [['sales/order:read'], ['sales/order:read', 'sales/order:write', 'events']]) {
      expect(await asked(...scopes), scopes.join()).toBe('insufficient_scope');
    }
    // They are not told what the event is about, nor can they undo the writes of others one after the other.
    for (const scope of ['sales/order:write', 'sales/order:transition', 'events', 'crm']) {
      expect(await asked(scope), scope).toBe('not_found');
    }
    expect(await asked('sales/order:read', 'sales/order:transition')).toBe('done');
  });

  test('that of an undo of a transition needs the scope of the transition, too, if no update sets its fields', async () => {
    const key = (...actions: string[]) =>
      trail.key('main', ...['expenses/claim', 'sales/order'].flatMap((path) => actions.map((one) => `${path}:${one}`)));
    const [writer, mover, both] = [
      await key('read', 'write'),
      await key('read', 'transition'),
      await key('read', 'write', 'transition'),
    ];
    const asked = async (headers: Record<string, string>, { number }: Event): Promise<string> =>
      codeOf(await ask('POST', `events/${number}/undo`, undefined, headers));
    const { id } = await done('POST', 'expenses/claim', { title: 'Oslo' });
    const path = `expenses/claim/${id}`;
    const submitted = await done('POST', `${path}/submit`);
    expect(await asked(mover, await last())).toBe('done');
    const undoing = await last();
    expect(undoing).toMatchObject({ operation: 'update', changes: { status: ['submitted', 'draft'] } });
    for (const headers of [writer, mover]) expect(await asked(headers, undoing)).toBe('insufficient_scope');
    expect(await done('GET', path)).toMatchObject({ status: 'draft' });
    expect(await asked(both, undoing)).toBe('done');
    expect(await done('GET', path)).toMatchObject({ status: 'submitted', submitted_at: submitted['submitted_at'] });
    // A transition that keeps the state sets read-only fields alone.
    await done('POST', `${path}/remind`, { until: '2030-01-31' });
    expect(await asked(mover, await last())).toBe('done');
    const taking = await last();
    for (const headers of [writer, mover]) expect(await asked(headers, taking)).toBe('insufficient_scope');
    expect(await asked(both, taking)).toBe('locked');
    await done('PATCH', path, { notes: 'x' });
    expect(await asked(writer, await last())).toBe('done');
    // An update sets this state as well.
    const { id: other } = await done('POST', 'sales/order', order);
    await done('POST', `sales/order/${other}/submit`);
    expect(await asked(mover, await last())).toBe('done');
    expect(await asked(writer, await last())).toBe('done');
    expect(await done('GET', `sales/order/${other}`)).toMatchObject({ status: 'submitted' });
  });

  test.each(['0', '-1', '01', '1.0', '1e3', 'x', '%00', '9'.repeat(15), '9'.repeat(40), '1?a=b'])(
    'events/%s/undo is refused',
    async (number) => {
      const answer = await ask('POST', `events/${number.replace('?', '/undo?')}${number.includes('?') ? '' : '/undo'}`);
      expect(codeOf(answer)).toBe(number.includes('?') ? 'invalid_query' : 'not_found');
    },
  );
});
