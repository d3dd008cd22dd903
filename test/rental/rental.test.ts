import { expect, test } from 'vitest';

import { outcomes } from '../hooks/lending.ts';
import { expectProblem } from '../support/problem.ts';
import type { Stored } from '../support/records.ts';
import { countsOf, generateRental, onEachEngine } from './rental.ts';

onEachEngine(await generateRental(), 'a rental service', (rental) => {
  const orders = 'rental/order';
  const invoices = 'billing/invoice';

  /** The events of a record, the oldest first. */
  const eventsOf = async ({ id }: Stored): Promise<{ number: number; operation: string; version: number }[]> =>
    (await rental.done('GET', `events?record=${id}&sort=number`))['data'] as never;

  const undo = async (record: Stored): Promise<Stored> =>
    rental.done('POST', `events/${(await eventsOf(record)).at(-1)!.number}/undo`);

  test('no two orders have an item on one day, also of 20 that are made at once', async () => {
    const customer = await rental.customer();
    const [drill, saw, crane] = [await rental.tool(), await rental.tool(), await rental.tool()];
    await rental.order([drill, saw], '2027-03-01', '2027-03-05');
    const ordering = (starts_on: string, ends_on: string, tool = drill) =>
      rental.batch(rental.ordering(customer, [crane, tool], starts_on, ends_on));
    for (const [starts_on, ends_on] of [
      ['2027-03-05', '2027-03-09'],
      ['2027-02-01', '2027-03-01'],
      ['2027-03-02', '2027-03-03'],
      ['2027-02-01', '2027-04-01'],
    ] as const) {
      const problem = expectProblem(await ordering(starts_on, ends_on), 422, 'item_taken');
      expect(problem.detail).toContain(`has ${drill.id} until 2027-03-05`);
    }
    const later = await rental.order([drill], '2027-03-06', '2027-03-09');
    await rental.done('POST', `${orders}/${later.id}/cancel`);
    await rental.order([drill], '2027-03-06', '2027-03-06');

    const races = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ordering(`2027-05-${10 + n}`, '2027-05-31', saw)),
    );
    expect(outcomes(races)).toEqual({ 200: 1, item_taken: 19 });
    expect(await rental.done('GET', `${orders}?item_ids[has]=${crane.id}`)).toMatchObject({ total: 1 });
  });

  test('to hand out an order moves its items, to return it moves them back, and so does an undo', async () => {
    const tools = [await rental.tool(), await rental.tool()];
    const states = () => Promise.all(tools.map((tool) => rental.stateOf('rental/item', tool)));
    const order = await rental.order(tools, '2027-03-01', '2027-03-05');
    expect(await states()).toEqual(['available', 'available']);
    await rental.done('POST', `${orders}/${order.id}/hand-out`);
    expect(await states()).toEqual(['rented', 'rented']);
    await rental.done('POST', `${orders}/${order.id}/return`);
    expect(await states()).toEqual(['available', 'available']);
    expect(await undo(order)).toMatchObject({ status: 'handed_out' });
    expect(await states()).toEqual(['rented', 'rented']);
    await rental.done('POST', `${orders}/${order.id}/return`);
    expect((await eventsOf(tools[0]!)).map(({ operation }) => operation)).toEqual([
      'create',
      'hand-out',
      'take-back',
      'hand-out',
      'take-back',
    ]);

    // One that is in repair keeps all of them here.
    const next = await rental.order(tools, '2027-04-01', '2027-04-05');
    await rental.done('POST', `rental/item/${tools[1]!.id}/send-to-repair`);
    expect(await rental.outcome('POST', `${orders}/${next.id}/hand-out`)).toBe('wrong_state');
    expect(await states()).toEqual(['available', 'in_repair']);
    expect(await rental.stateOf(orders, next)).toBe('confirmed');
  });

  test('an order costs its days, the first and the last of them, times the rates of its items', async () => {
    const order = await rental.order(
      [await rental.tool('12.50'), await rental.tool('0.99')],
      '2028-02-27',
      '2028-03-01',
    );
    expect(order).toMatchObject({ days: 4, day_rate: '13.49', amount: '53.96', item_ids: { length: 2 } });
    const empty = { customer_id: order['customer_id'], starts_on: '2027-03-02', ends_on: '2027-03-01' };
    expectProblem(await rental.ask('POST', orders, empty), 422, 'rule_violated');
  });

  test('an invoice has the amount of its order, and the tax of the settings at its time, unless it says otherwise', async () => {
    const order = await rental.order([await rental.tool('33.33')], '2027-03-01', '2027-03-01');
    const settings = await rental.done('GET', 'setup/rental-settings');
    const invoice = await rental.done('POST', invoices, { order_id: order.id });
    expect(invoice).toMatchObject({ net: '33.33', tax_rate: '19.00', tax: '6.33', total: '39.66', balance: '39.66' });
    await rental.done('PATCH', `setup/rental-settings/${settings.id}`, { tax_rate: '7' });
    expect(await rental.done('POST', invoices, { order_id: order.id })).toMatchObject({ tax: '2.33', total: '35.66' });
    expect(await rental.done('GET', `${invoices}/${invoice.id}`)).toEqual(invoice);
    await rental.done('PATCH', `setup/rental-settings/${settings.id}`, { tax_rate: '19' });
    const deposit = await rental.done('POST', invoices, { order_id: order.id, net: '5', tax_rate: '0' });
    expect(deposit).toMatchObject({ net: '5.00', total: '5.00' });
  });

  test('the payment of the balance moves an invoice to paid, parts of it do not', async () => {
    const order = await rental.order([await rental.tool('100')], '2027-03-01', '2027-03-01');
    const invoice = await rental.done('POST', invoices, { order_id: order.id });
    const pay = (amount: string) => rental.outcome('POST', 'billing/payment', { invoice_id: invoice.id, amount });
    const now = () => rental.done('GET', `${invoices}/${invoice.id}`);
    expect(await pay('19.01')).toBe(201);
    expect(await now()).toMatchObject({ status: 'open', paid: '19.01', balance: '99.99', paid_on: null });
    expect(await pay('100.00')).toBe('rule_violated');
    expect(await rental.outcome('POST', `${invoices}/${invoice.id}/settle`)).toBe('rule_violated');
    expect(await rental.outcome('POST', `${invoices}/${invoice.id}/cancel`)).toBe('rule_violated');
    // Two would be too much.
    const racing = await Promise.all(Array.from({ length: 10 }, () => pay('99.99')));
    expect(racing.toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 'rule_violated')]);
    expect(await now()).toMatchObject({ status: 'paid', paid: '119.00', balance: '0.00', paid_on: expect.any(String) });
    expect(await pay('0.01')).toBe('rule_violated');
    expect(await rental.outcome('PATCH', `${invoices}/${invoice.id}`, { order_id: order.id })).toBe(200);
    expect(await rental.outcome('DELETE', `${invoices}/${invoice.id}`)).toBe('locked');
    const shown = await rental.done('GET', `${invoices}/${invoice.id}?expand=payments,order_id`);
    expect(shown).toMatchObject({ payments: { total: 2 }, order: { number: order['number'] } });
  });

  test('invoices are numbered without gaps, also 20 that are made at once and some that are refused', async () => {
    const order = await rental.order([await rental.tool()], '2027-03-01', '2027-03-01');
    const before = countsOf(await rental.column(`${invoices}?limit=1000`, 'number')).length;
    const invoice = (n: number) => rental.ask('POST', invoices, { order_id: n % 5 === 4 ? 'order_0' : order.id });
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => invoice(n)));
    expect(outcomes(answers)).toEqual({ 201: 20, reference_missing: 5 });
    const counts = countsOf(await rental.column(`${invoices}?limit=1000`, 'number'));
    expect(counts).toEqual(Array.from({ length: before + 20 }, (_, n) => n + 1));
  });

  test('an order is extended if its items are free, which is an event, a new version and can be undone', async () => {
    const tool = await rental.tool();
    const order = await rental.order([tool], '2027-03-01', '2027-03-05');
    await rental.order([tool], '2027-03-10', '2027-03-12');
    await rental.done('POST', `${orders}/${order.id}/hand-out`);
    const extend = (until: string) => rental.ask('POST', `${orders}/${order.id}/extend`, { until });
    expectProblem(await extend('2027-03-10'), 422, 'item_taken');
    const extended = await extend('2027-03-09');
    expect(extended.body).toMatchObject({ status: 'handed_out', ends_on: '2027-03-09', days: 9, amount: '90.00' });
    const [event] = (await eventsOf(order)).slice(-1);
    expect(event).toMatchObject({ operation: 'extend', changes: { ends_on: ['2027-03-05', '2027-03-09'] } });
    expect(extended.headers.get('etag')).toBe(`"${event!.version}"`);
    expectProblem(await rental.ask('PATCH', `${orders}/${order.id}`, { ends_on: '2027-03-08' }), 409, 'locked');
    expect(await undo(order)).toMatchObject({ status: 'handed_out', ends_on: '2027-03-05', days: 5, amount: '50.00' });
    // Its days are free again.
    await rental.order([tool], '2027-03-06', '2027-03-09');
    expectProblem(await extend('2027-03-06'), 422, 'item_taken');
  });

  test('who is late is reminded, again and again', async () => {
    const tool = await rental.tool();
    const [late, early] = [
      await rental.order([tool], '2020-03-01', '2020-03-05'),
      await rental.order([await rental.tool()], '2027-03-01', '2099-03-05'),
    ];
    const remind = ({ id }: Stored) => rental.outcome('POST', `${orders}/${id}/remind`);
    expect(await remind(late)).toBe('wrong_state');
    for (const { id } of [late, early]) await rental.done('POST', `${orders}/${id}/hand-out`);
    expect(await remind(early)).toBe('rule_violated');
    expect([await remind(late), await remind(late)]).toEqual([200, 200]);
    const events = await eventsOf(late);
    expect(events.slice(-2).map(({ operation }) => operation)).toEqual(['remind', 'remind']);
    expect(events.at(-1)!.version).toBe(events.at(-2)!.version + 1);
    expect(await rental.done('GET', `${orders}/${late.id}`)).toMatchObject({
      status: 'handed_out',
      reminded_by: expect.stringMatching(/^API_KEYS /),
    });
  });

  test('a customer with orders is archived, shows them, and orders no more', async () => {
    const order = await rental.order([await rental.tool()], '2027-03-01', '2027-03-01');
    const path = `rental/customer/${String(order['customer_id'])}`;
    expect(await rental.outcome('DELETE', path)).toBe('still_referenced');
    await rental.done('POST', `${path}/archive`);
    expect(await rental.done('GET', `${path}?expand=orders`)).toMatchObject({ orders: { data: [{ id: order.id }] } });
    const { customer_id, starts_on, ends_on } = order;
    const refused = await rental.ask('POST', orders, { customer_id, starts_on, ends_on });
    expect(expectProblem(refused, 422, 'rule_violated').errors).toMatchObject([{ pointer: '/customer_id' }]);
    await rental.done('POST', `${orders}/${order.id}/hand-out`);
  });
});
