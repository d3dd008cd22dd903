import { afterAll, beforeAll, expect, test } from 'vitest';

import { actorOf, projectRoot, TestServer, testKey } from '../support/server.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { TestAgent, type Json, type Shown } from '../mcp/agent.ts';

const discounting = {
  posting_date: '2026-11-02',
  company: 'Alder Foods B.V.',
  short_term_loan: 'Loans',
  bank_account: 'Bank',
  bank_charges_account: 'Charges',
  accounts_receivable_credit: 'Credit',
  accounts_receivable_discounted: 'Discounted',
  accounts_receivable_unpaid: 'Unpaid',
};

interface List {
  readonly data: readonly (Json & { readonly id: string })[];
  readonly has_more: boolean;
  readonly total: number;
  readonly after?: string;
}

interface History {
  readonly data: readonly {
    readonly number: number;
    readonly actor: string;
    readonly operation: string;
    readonly changes: Readonly<Record<string, readonly unknown[]>>;
  }[];
}

/** The days' work of an agent in the business records. */
const tasksOf = (agentOf: (server: TestServer) => Promise<TestAgent>, database?: (typeof engines)[number]): void => {
  const server = new TestServer({ project: projectRoot, ...(database && { database: () => database.create([]) }) });
  let agent: TestAgent;

  const create = (resource: string, values: object): Promise<Shown> => agent.done('create', { resource, values });

  beforeAll(async () => {
    await server.start();
    agent = await agentOf(server);
  });
  afterAll(async () => {
    await agent?.[Symbol.asyncDispose]();
    await server.close();
  });

  test('finds a lead by its name, and qualifies it', async () => {
    const { record } = await create('crm/lead', { lead_name: 'Ada Quill', company_name: 'Quill & Sons' });
    await create('crm/lead', { lead_name: 'Bert Other' });
    const found = await agent.done<List>('list', { resource: 'crm/lead', q: 'quill', fields: ['lead_name'] });
    expect(found).toEqual({ data: [{ id: record.id, lead_name: 'Ada Quill' }], total: 1, has_more: false });
    const { etag } = await agent.done<Shown>('get', { resource: 'crm/lead', id: record.id });
    const values = { qualification_status: 'Qualified', qualified_by: 'agent' };
    const after = await agent.done<Shown>('update', { resource: 'crm/lead', id: record.id, values, if_match: etag });
    expect(after).toMatchObject({ record: { ...values, lead_name: 'Ada Quill' }, etag: '"2"' });
    const answer = await server.request('GET', `/api/crm/lead/${record.id}`);
    expect(answer.body).toEqual(after.record);
  });

  test('creates a discounting of three invoices in one batch', async () => {
    const item = (sales_invoice: string) => ({
      tool: 'create',
      resource: 'accounts/discounted-invoice',
      values: { invoice_discounting_id: { result: 0 }, sales_invoice, outstanding_amount: 100 },
    });
    const operations = [
      { tool: 'create', resource: 'accounts/invoice-discounting', values: discounting },
      ...['A', 'B', 'C'].map(item),
      { tool: 'update', resource: 'accounts/invoice-discounting', id: { result: 0 }, values: { total_amount: 300 } },
    ];
    const { results } = await agent.done<{ results: { status: number; body: { id: string } }[] }>('batch', {
      operations,
    });
    expect(results.map(({ status }) => status)).toEqual([201, 201, 201, 201, 200]);
    const id = results[0]!.body.id;
    const items = await agent.done<List>('list', {
      resource: 'accounts/discounted-invoice',
      filter: { parent_id: id },
    });
    expect(items.data.map((invoice) => invoice['sales_invoice'])).toEqual(['A', 'B', 'C']);
    const { record } = await agent.done<Shown>('get', {
      resource: 'accounts/invoice-discounting',
      id,
      expand: ['discounted-invoice'],
    });
    expect(record).toMatchObject({ total_amount: 300, discounted_invoice: { total: 3 } });

    // The pointers of a problem name the arguments of the tool.
    const wrong = [...operations.slice(0, 1), { ...item('D'), values: { invoice_discounting_id: { result: 7 } } }];
    expect(await agent.fails('batch', { operations: wrong })).toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '/operations/1/values/invoice_discounting_id', code: 'no_earlier_create' }],
    });
    const { total } = await agent.done<List>('list', { resource: 'accounts/invoice-discounting' });
    expect(total).toBe(1);
  });

  test('mends a wrong date from the error alone', async () => {
    const wrong = { ...discounting, posting_date: '31.1.2026' };
    const problem = await agent.fails('create', { resource: 'accounts/invoice-discounting', values: wrong });
    expect(problem).toMatchObject({ code: 'invalid_body', status: 422, remedy: expect.stringContaining('errors') });
    const [error] = problem['errors'] as { pointer: string; message: string }[];
    expect(error).toMatchObject({ pointer: '/values/posting_date' });
    expect(error?.message).toContain('YYYY-MM-DD');
    const mended = { ...wrong, [error!.pointer.slice('/values/'.length)]: '2026-01-31' };
    expect((await create('accounts/invoice-discounting', mended)).record).toMatchObject({ posting_date: '2026-01-31' });
  });

  test('repeats an update that was stale, with the new ETag', async () => {
    const resource = 'crm/lead';
    const { record, etag } = await create(resource, { lead_name: 'Stale' });
    await server.request('PATCH', `/api/crm/lead/${record.id}`, { city: 'Ghent' });
    const change = { resource, id: record.id, values: { status: 'Open' } };
    const problem = await agent.fails('update', { ...change, if_match: etag });
    expect(problem).toMatchObject({ code: 'stale', status: 412, remedy: expect.stringContaining('Read the record') });
    const now = await agent.done<Shown>('get', { resource, id: record.id });
    const after = await agent.done<Shown>('update', { ...change, if_match: now.etag });
    expect(after.record).toMatchObject({ status: 'Open', city: 'Ghent' });
    // The quotes of an ETag are easily lost.
    expect(await agent.fails('update', { ...change, if_match: '1' })).toMatchObject({ code: 'stale' });
  });

  test('says who changed the amount, and undoes it', async () => {
    const resource = 'crm/lead';
    const { record } = await create(resource, { lead_name: 'Rich', annual_revenue: 10 });
    await agent.done('update', { resource, id: record.id, values: { annual_revenue: 20 } });
    const { data } = await agent.done<History>('history', { record: record.id });
    expect(data.map(({ operation }) => operation)).toEqual(['update', 'create']);
    expect(data[0]).toMatchObject({ actor: actorOf(testKey), changes: { annual_revenue: [10, 20] } });
    const undone = await agent.done<Shown>('undo', { event: data[0]!.number });
    expect(undone).toMatchObject({ record: { annual_revenue: 10 }, etag: '"3"' });
    expect(await agent.fails('undo', { event: data[0]!.number })).toMatchObject({ code: 'changed_since' });
    const { record: other } = await create(resource, { lead_name: 'Gone' });
    const [created] = (await agent.done<History>('history', { record: other.id })).data;
    expect(await agent.done('undo', { event: created!.number })).toEqual({ id: other.id, deleted: true });
  });

  test('reads 200 leads page by page', async () => {
    const resource = 'crm/lead';
    const lead = (n: number) => ({
      tool: 'create',
      resource,
      values: { lead_name: `Page ${n}`, status: 'Paged', request_type: 'x'.repeat(n % 10 === 0 ? 9_000 : 10) },
    });
    for (const start of [0, 50, 100, 150])
      await agent.done('batch', { operations: Array.from({ length: 50 }, (_, n) => lead(start + n)) });
    const ids = new Set<string>();
    let after: string | undefined;
    let calls = 0;
    do {
      const page: List = await agent.done('list', { resource, filter: { status: 'Paged' }, after, limit: 50 });
      expect(page.total).toBe(200);
      expect(JSON.stringify(page.data).length).toBeLessThanOrEqual(65_536);
      for (const { id } of page.data) ids.add(id);
      expect(page.has_more).toBe(ids.size < 200);
      after = page.after;
      calls++;
    } while (after !== undefined);
    expect(ids.size).toBe(200);
    // Pages of 50 such leads have no room in a result.
    expect(calls).toBeGreaterThan(4);
  });

  test('submits and cancels', async () => {
    const resource = 'accounts/invoice-discounting';
    const { record } = await create(resource, discounting);
    const act = (verb: string) => agent.done<Shown>('act', { resource, id: record.id, verb });
    expect((await act('submit')).record).toMatchObject({ status: 'submitted' });
    expect(await agent.fails('act', { resource, id: record.id, verb: 'submit' })).toMatchObject({
      code: 'wrong_state',
    });
    const operations = [{ tool: 'act', resource, id: record.id, verb: 'cancel' }];
    const wrong = { tool: 'update', resource, id: record.id, values: { posting_date: 'never' } };
    expect(await agent.fails('batch', { operations: [...operations, wrong] })).toMatchObject({
      errors: [{ pointer: '/operations/1/values/posting_date' }],
    });
    expect((await act('cancel')).record).toMatchObject({ status: 'cancelled' });
    expect(await agent.fails('act', { resource, id: record.id, verb: 'cancle' })).toMatchObject({
      detail: expect.stringMatching(/^There is no verb "cancle".*"cancel"/),
    });
  });

  test('puts line items in order, and deletes them with their parent', async () => {
    const { record } = await create('accounts/invoice-discounting', discounting);
    const resource = 'accounts/discounted-invoice';
    const made: Shown[] = [];
    for (const sales_invoice of ['A', 'B'])
      made.push(await create(resource, { invoice_discounting_id: record.id, sales_invoice }));
    const items = made.map(({ record: { id } }, at) => ({ id, idx: 2 - at }));
    const { data } = await agent.done<List>('act', { resource, verb: 'reorder', input: { items } });
    expect(data.map((item) => item['sales_invoice'])).toEqual(['B', 'A']);
    const id = record.id;
    expect(await agent.done('delete', { resource: 'accounts/invoice-discounting', id })).toEqual({ id, deleted: true });
    expect(await agent.fails('get', { resource: 'accounts/invoice-discounting', id })).toMatchObject({
      code: 'not_found',
    });
  });

  test('does a call once that it repeats with its key', async () => {
    const call = { resource: 'crm/competitor', values: { competitor_name: 'Once' }, idempotency_key: 'agent-1' };
    const first = await agent.done('create', call);
    expect(await agent.done('create', call)).toEqual(first);
    const { total } = await agent.done<List>('list', { resource: 'crm/competitor' });
    expect(total).toBe(1);
  });

  test('reads and changes settings', async () => {
    const resource = 'crm/appointment-booking-settings';
    const { record } = await agent.done<Shown>('get', { resource });
    const values = { number_of_agents: 3 };
    const after = await agent.done<Shown>('update', { resource, id: record.id, values });
    expect(after.record).toMatchObject(values);
    expect((await agent.done<Shown>('update', { resource, values: { number_of_agents: 4 } })).record).toMatchObject({
      id: record.id,
      number_of_agents: 4,
    });
  });
};

for (const engine of engines) {
  describeEngine(engine, 'an agent', () => tasksOf((server) => TestAgent.overHttp(server), engine));
  describeEngine(engine, 'an agent of a desktop client', () =>
    tasksOf((server) => TestAgent.overStdio(server), engine),
  );
}

describeEngine(engines[0]!, 'an agent that speaks the revision of 2026', () =>
  tasksOf((server) => TestAgent.overHttp(server, testKey, 'auto')),
);
