/**
 * Code of a user of the client, with the mistakes that the compiler must refuse. It is compiled as a part of this project
 * and, by types.test.ts, as in a browser's project: without Node's types, with those of the DOM.
 */
import {
  ApiFailure,
  type ClientOptions,
  createClient,
  type Lead,
  type Order,
  type Problem,
} from '../service/generated/client.ts';
import type { Tagged } from '../../runtime/client/types.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const expectType = <A, B>(_same: Same<A, B>): void => undefined;

export async function useOf(options: ClientOptions): Promise<void> {
  const api = createClient({ ...options, fetch: (url, init) => fetch(url, init) });

  const lead = await api.crm.lead.create({ lead_name: 'Ann', annual_revenue: 1e6 });
  expectType<typeof lead, Tagged<Lead>>(true);
  expectType<typeof lead.etag, string>(true);
  await api.crm.lead.update(lead.id, { ...lead, city: 'Oslo' }, { ifMatch: lead.etag, timeout: 1 });
  await api.crm.lead.delete(lead.id, { ifMatch: lead.etag });
  // @ts-expect-error a create has no record to compare
  await api.crm.lead.create({}, { ifMatch: lead.etag });
  expectType<Tagged<{ readonly etag: number }>, { readonly etag: number }>(true);
  expectType<Lead['annual_revenue'], number | null>(true);
  // @ts-expect-error a number is no text
  await api.crm.lead.create({ lead_name: 1 });
  // @ts-expect-error there is no such field
  await api.crm.lead.create({ lead_nam: 'Ann' });
  // @ts-expect-error a required field is missing
  await api.crm.competitor.create({});
  // @ts-expect-error the service sets the id itself
  await api.crm.lead.create({ id: 'lead_1' });
  // @ts-expect-error a required field cannot be null
  await api.sales.order.update('order_1', { company: null });
  await api.sales.order.update('order_1', { notes: null });
  // @ts-expect-error the id of a record does not change
  lead.id = 'lead_2';

  const page = await api.crm.lead.list({
    fields: ['lead_name'],
    sort: ['-lead_name', 'id'],
    filter: { status: 'Lead' },
  });
  expectType<(typeof page.data)[number], Pick<Lead, 'id' | 'lead_name'>>(true);
  // @ts-expect-error a record of a list has no ETag
  await api.crm.lead.update('lead_1', {}, { ifMatch: page.data[0]?.etag });
  // @ts-expect-error nor has a part of a record
  console.log((await api.crm.lead.retrieve('lead_1', { fields: ['city'] })).etag);
  expectType<Awaited<ReturnType<typeof api.crm.lead.retrieve>>, Tagged<Lead>>(true);
  // @ts-expect-error a list cannot be filtered by it
  await api.crm.lead.list({ filter: { city: 'Oslo' } });
  // @ts-expect-error a number has no prefix
  await api.crm.lead.list({ filter: { annual_revenue: { prefix: '1' } } });
  // @ts-expect-error a list cannot be sorted by it
  await api.crm.lead.list({ sort: 'city' });
  // @ts-expect-error there is no such field
  await api.crm.lead.list({ fields: ['cities'] });
  // @ts-expect-error leads have no line items
  await api.crm.lead.list({ expand: ['order_line'] });
  await api.crm.lead.list({ q: 'ann' });
  // @ts-expect-error competitors are not searched
  await api.crm.competitor.list({ q: 'ann' });
  // @ts-expect-error line items are those of a parent
  await api.sales.orderLine.list();
  // @ts-expect-error an order has no such transition
  await api.sales.order.approve('order_1');

  const order = await api.sales.order.retrieve('order_1', { expand: ['order_line'] });
  expectType<(typeof order.order_line.data)[number]['article'], string>(true);
  for await (const { company } of api.sales.order.each({ filter: { total: { gte: 10 } } })) {
    expectType<typeof company, string>(true);
  }

  await api.expenses.claim.submit('claim_1');
  await api.expenses.claim.submit('claim_1', { comment: 'First' }, { ifMatch: lead.etag, timeout: 1 });
  const rejected = await api.expenses.claim.reject('claim_1', { reason: 'No receipt', due_on: null });
  expectType<typeof rejected.reason, string | null>(true);
  // @ts-expect-error a required input is missing
  await api.expenses.claim.reject('claim_1');
  // @ts-expect-error an input is no option
  await api.expenses.claim.submit('claim_1', { ifMatch: lead.etag });
  // @ts-expect-error a required input cannot be null
  await api.expenses.claim.reject('claim_1', { reason: null });

  const [made, submitted] = await api.batch((queue) => {
    const first = queue.sales.order.create({ company: 'Acme', currency: 'EUR', ordered_on: '2026-11-22' });
    // @ts-expect-error what is read has no place in a batch
    queue.sales.order.list();
    // @ts-expect-error a batch has options, its writes have none
    queue.crm.lead.create({}, { timeout: 1 });
    // @ts-expect-error a create has no record to compare
    queue.crm.lead.create({}, { ifMatch: lead.etag });
    queue.crm.lead.update(lead.id, { city: 'Oslo' }, { ifMatch: lead.etag });
    // @ts-expect-error of the options, a write has the condition alone
    queue.crm.lead.delete(lead.id, { ifMatch: lead.etag, timeout: 1 });
    queue.expenses.claim.reject('claim_1', { reason: 'No receipt' }, { ifMatch: lead.etag });
    return [first, queue.sales.order.submit(first.id)] as const;
  });
  expectType<typeof made, Tagged<Order>>(true);
  expectType<typeof submitted, Tagged<Order>>(true);
}

/** Every case of a problem is told apart by its code, and has what belongs to it. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiFailure)) throw error;
  const problem: Problem = error.problem;
  switch (problem.code) {
    case 'invalid_body':
      return problem.errors.map(({ pointer, message }) => pointer + message).join();
    case 'not_found':
      expectType<typeof problem.status, 404>(true);
      return problem.request_id;
    case 'too_many_checkouts':
      expectType<typeof problem.status, 422>(true);
      return problem.errors?.[0]?.pointer ?? problem.detail;
    case 'network_error':
    case 'timed_out':
      // @ts-expect-error there was no answer, and so no status
      return problem.detail + problem.status;
    // @ts-expect-error there is no such code
    case 'no_such_code':
      return '';
    default:
      return `${problem.status}`;
  }
}
