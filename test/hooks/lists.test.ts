import { afterAll, beforeAll, expect, test } from 'vitest';

import { createKey } from '../../runtime/features/keys/administration.ts';
import { administer, organizationOf } from '../organizations/administer.ts';
import { type Body, Library } from '../references/library.ts';
import { Claims, outcomeOf } from '../states/claims.ts';
import { service } from '../service/generated/app.ts';
import { citus, describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { type Answer, TestServer } from '../support/server.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { Lending, outcomes } from './lending.ts';

/** The values of a field of records. */
const column = (records: unknown, name: string): unknown[] =>
  (records as readonly Body[]).map((record) => record[name]);

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'hooks that list and move', () => {
    let database: TestDatabase;
    let audit: Receiver;
    let server: TestServer;
    const library = (): Library => new Library(server);
    const lending = new Lending(library);
    const claims = new Claims(library);

    beforeAll(async () => {
      database = await engine.create(service.tables);
      audit = await Receiver.open();
      server = new TestServer({ env: { DATABASE_URL: database.url, LENDING_AUDIT: audit.url } });
      await server.start();
      await lending.done('PATCH', `lending-settings/${(await lending.done('GET', 'lending-settings')).id}`, {
        most_checkouts: 100_000,
      });
    }, 120_000);
    afterAll(async () => {
      await server?.close();
      await audit?.[Symbol.asyncDispose]();
      await database?.[Symbol.asyncDispose]();
    }, 60_000);

    /** Requests of several people at once. */
    const race = async (count: number, tool: string): Promise<Answer[]> => {
      const patrons = await Promise.all(Array.from({ length: count }, () => lending.patron()));
      return Promise.all(patrons.map((patron) => lending.borrow(patron, { tool })));
    };

    test('of many that find no other record at once, exactly one commits', async () => {
      for (const tool of ['single saw', 'single drill', 'single axe']) {
        expect(outcomes(await race(20, tool))).toEqual({ 201: 1, blocked_tool: 19 });
        expect(await lending.done('GET', `checkout?tool=${encodeURIComponent(tool)}`)).toMatchObject({ total: 1 });
      }
      expect(outcomes(await race(20, 'triple saw'))).toEqual({ 201: 3, blocked_tool: 17 });
    });

    test('those of two servers are counted as well', async () => {
      await using other = new TestServer({ env: { DATABASE_URL: database.url, LENDING_AUDIT: audit.url } });
      await other.start();
      const elsewhere = new Lending(() => new Library(other));
      const patrons = await Promise.all(Array.from({ length: 20 }, () => lending.patron()));
      const both = patrons.map((patron, i) =>
        (i % 2 === 0 ? lending : elsewhere).borrow(patron, { tool: 'triple axe' }),
      );
      expect(outcomes(await Promise.all(both))).toEqual({ 201: 3, blocked_tool: 17 });
    });

    test('a list is of the organization of the request', async () => {
      const tool = 'single of each';
      await organizationOf(database, service.tables, 'acme');
      const options = { organization: 'acme', name: 'test', rate: 'off', lifetime: null, scopes: '*' } as const;
      const { key } = await administer(database, (connection) => createKey(connection, options));
      const elsewhere = new Lending(() => new Library(server, key));
      for (const one of [lending, elsewhere]) {
        const patron = await one.patron();
        await one.borrowed(patron, { tool });
        expect(outcomeOf(await one.borrow(patron, { tool }))).toBe('blocked_tool');
      }
    });

    test('a list shows the operations before it in a batch', async () => {
      const patron = await lending.patron();
      const borrow = (tool: string): [string, string, Body] => ['POST', 'checkout', { patron_id: patron, tool }];
      const twice = await lending.batch([borrow('single hammer'), borrow('drill'), borrow('single hammer')]);
      expect(expectProblem(twice, 422, 'blocked_tool')).toMatchObject({
        operation: 2,
        errors: [{ pointer: '/operations/2/body/tool' }],
      });
      const again = await lending.batch([
        borrow('single hammer'),
        ['POST', 'checkout/{result:0}/return'],
        borrow('single hammer'),
        ['DELETE', 'checkout/{result:2}'],
        borrow('single hammer'),
        ...Array.from({ length: 3 }, () => borrow('triple hammer')),
      ]);
      expect(again.status, again.text).toBe(200);
      expect(outcomeOf(await lending.borrow(patron, { tool: 'triple hammer' }))).toBe('blocked_tool');
      const { total } = await lending.done('GET', 'checkout?limit=1');
      const counted = await lending.batch([
        borrow('drill'),
        borrow('counted'),
        ['DELETE', 'checkout/{result:0}'],
        borrow('counted'),
      ]);
      const { results } = counted.body as { results: readonly { body: Body }[] };
      expect(results.map(({ body }) => body['days_late'])).toEqual([
        null,
        Number(total) + 1,
        undefined,
        Number(total) + 1,
      ]);
      const parts = await lending.batch([borrow('first part'), borrow('second part')]);
      expect(parts.status, parts.text).toBe(200);
      // A write that fails before it is that of the response.
      const missing = await lending.batch([['PATCH', 'checkout/checkout_0', {}], borrow('single saw')]);
      expect(expectProblem(missing, 404, 'not_found')).toMatchObject({ operation: 0 });
      const batchOf = async (): Promise<Answer> => {
        const body = { patron_id: await lending.patron() };
        return lending.batch(['drill', 'single nail', 'drill'].map((tool) => ['POST', 'checkout', { ...body, tool }]));
      };
      const racing = await Promise.all(Array.from({ length: 10 }, batchOf));
      expect(outcomes(racing)).toEqual({ 200: 1, blocked_tool: 9 });
    });

    test('a list that changes before the commit is read again', async () => {
      const patron = await lending.patron();
      const first = await lending.borrowed(patron, { tool: 'first', due_on: '2030-01-01' });
      const late = await lending.borrowed(patron, { tool: 'late', due_on: '2031-01-01' });
      const changes: [string, () => Promise<unknown>, string[]][] = [
        ['a new record', () => lending.borrowed(patron, { tool: 'second', due_on: '2030-02-01' }), ['second', 'first']],
        [
          'a record that begins to match',
          () => lending.done('PATCH', `checkout/${late}`, { due_on: '2029-01-01' }),
          ['second', 'first', 'late'],
        ],
        [
          'another order',
          () => lending.done('PATCH', `checkout/${first}`, { due_on: '2028-01-01' }),
          ['second', 'late', 'first'],
        ],
        ['a record that is gone', () => lending.done('DELETE', `checkout/${late}`), ['second', 'first']],
      ];
      for (const [what, change, listed] of changes) {
        let calls = 0;
        audit.respond = (_, response) => {
          if (calls++ > 0) return 204;
          void change().finally(() => response.writeHead(204).end());
          return undefined;
        };
        const id = await lending.borrowed(patron, { tool: `listed ${calls}`, due_on: '2030-06-01' });
        const { tags } = (await lending.done('GET', `checkout/${id}`)) as Body;
        expect((tags as string[]).slice(0, -1), what).toEqual(listed);
        expect(calls, what).toBe(2);
        await lending.done('DELETE', `checkout/${id}`);
      }
    });

    test('one reads its line items as the request leaves them', async () => {
      const patron = await lending.patron();
      const id = await lending.borrowed(patron, { tool: 'deposit' });
      const [deposit] = await lending.penalties(id);
      const returned = await lending.batch([
        ['POST', 'penalty', { checkout_id: id, amount: '1.00', idx: 5 }],
        ['POST', 'penalty', { checkout_id: id, amount: '2.00' }],
        ['POST', `checkout/${id}/return`, { remark: 'itemized' }],
        ['PATCH', 'penalty/{result:0}', { amount: '3.00' }],
        ['POST', 'penalty', { checkout_id: id, amount: '4.00', idx: 2 }],
        ['DELETE', `penalty/${String(deposit?.['id'])}`],
      ]);
      expect(returned.status, returned.text).toBe(200);
      const { tags, days_late: before } = await lending.done('GET', `checkout/${id}`);
      expect(before, 'those that it counts are there before it').toBe(3);
      expect(tags).toEqual(['4.00', '3.00', '2.00']);
      expect(column(await lending.penalties(id), 'amount')).toEqual(tags);
    });

    test('a wrong list is a fault of the hook, an empty one of values finds nothing', async () => {
      const patron = await lending.patron();
      const none = await lending.borrow(patron, { tool: 'none of none' });
      expect(none.body).toMatchObject({ tags: ['0 0', expect.anything()] });
      for (const [tool, logged] of [
        ['wrong list', `list('lending/checkout'): The query parameter \\"note\\" filters by a field`],
        ['null list', `list('lending/checkout'): the filter tool is null; nulls are found by 'tool[null]': true.`],
        ['long list', `list('lending/checkout'): the limit is at most 100, not 101.`],
      ] as const) {
        expectProblem(await lending.borrow(patron, { tool }), 500, 'internal');
        await expect.poll(() => server.output).toContain(logged);
      }
    });

    test('a move checks what a request checks, in the state that locks the record', async () => {
      const patron = await lending.patron();
      const borrow = (tool: string): Promise<Answer> => lending.borrow(patron, { tool });
      const { claim } = await claims.claim();
      expectProblem(await borrow(`approve ${claim}`), 409, 'wrong_state');
      expect(outcomeOf(await borrow(`submit ${claim}`))).toBe(201);
      expect(await claims.done('GET', `claim/${claim}`)).toMatchObject({
        status: 'submitted',
        submitted_by: expect.any(String),
        submitted_at: expect.any(String),
      });
      const lacking = expectProblem(await borrow(`approve ${claim}`), 422, 'invalid_body');
      expect(lacking).toMatchObject({
        errors: ['cost_center', 'checker_id'].map((field) => ({
          pointer: '',
          code: 'null_not_allowed',
          message: `${field} must have a value to approve`,
        })),
      });
      const short = await lending.batch([['POST', 'checkout', { patron_id: patron, tool: `reject ${claim} x` }]]);
      expect(expectProblem(short, 422, 'invalid_body')).toMatchObject({
        operation: 0,
        errors: [{ pointer: '/operations/0/body', code: 'too_short', message: expect.stringMatching(/^reason must/) }],
      });
      // Its `that` compares the checker that the same batch gives the claim.
      const author = await library().author();
      const path = '/api/expenses/claim';
      const approve = (checker: string | null): Promise<Answer> =>
        lending.ask('POST', '../batch', {
          operations: [
            { method: 'PATCH', path: `${path}/${claim}`, body: { cost_center: 'A1', checker_id: checker } },
            { method: 'POST', path: '/api/lending/checkout', body: { patron_id: patron, tool: `approve ${claim}` } },
          ],
        });
      expect(outcomeOf(await approve(null))).toBe('invalid_body');
      expect(outcomeOf(await approve(author))).toBe(200);
      const events = await lending.done('GET', `../events?record=${claim}&sort=number`);
      expect(column(events['data'], 'operation').slice(-3)).toEqual(['submit', 'update', 'approve']);
      const { data } = await lending.done('GET', `../events?record=${claim}&sort=-number&limit=1`);
      const undone = await lending.ask('POST', `../events/${String(column(data, 'number')[0])}/undo`);
      expect(undone.body, undone.text).toMatchObject({ id: claim, status: 'submitted', approved_on: null });

      // A verb that keeps the locked state.
      expect(outcomeOf(await borrow(`remind ${claim} 2030-01-31`))).toBe(201);
      expect(await claims.done('GET', `claim/${claim}`)).toMatchObject({ status: 'submitted', due_on: '2030-01-31' });
      expectProblem(await borrow(`remind ${claim} tomorrow`), 422, 'invalid_body');

      expectProblem(await borrow(`close ${claim}`), 500, 'internal');
      await expect.poll(() => server.output).toContain(`update('expenses/claim') cannot set status`);
      expectProblem(await borrow(`count ${claim}`), 500, 'internal');
      await expect.poll(() => server.output).toContain(`update('expenses/claim') cannot set total, which is computed`);
      expectProblem(await borrow(`submit claim_0`), 500, 'internal');
    });

    test('a hook sees its moves, which come in their order', async () => {
      const patron = await lending.patron();
      const { claim } = await claims.claim({
        author_id: await library().author(),
        checker_id: await library().author(),
      });
      const settled = await lending.borrow(patron, { tool: `settle ${claim}` });
      expect(settled.body, settled.text).toMatchObject({ tags: ['approved', 'by a hook', expect.anything()] });
      expect(await claims.done('GET', `claim/${claim}`)).toMatchObject({ status: 'approved', comment: 'by a hook' });
      // The author checks: a rule of the transition.
      const author = await library().author();
      const { claim: own } = await claims.claim({ author_id: author, checker_id: author });
      const broken = expectProblem(await lending.borrow(patron, { tool: `settle ${own}` }), 422, 'rule_violated');
      expect((broken as { errors?: readonly Body[] }).errors?.every(({ pointer }) => pointer === '')).toBe(true);
      expect(await claims.done('GET', `claim/${own}`)).toMatchObject({ status: 'draft', cost_center: null });
    });

    test('an undo runs the hook that lists, and a repetition does not', async () => {
      const [patron, tool] = [await lending.patron(), 'single ladder'];
      const headers = { 'idempotency-key': 'ladder' };
      const first = await lending.borrow(patron, { tool }, headers);
      expect(outcomeOf(await lending.borrow(patron, { tool }, headers))).toBe(201);
      const { id } = first.body as { id: string };
      await lending.done('DELETE', `checkout/${id}`);
      const { data } = await lending.done('GET', `../events?record=${id}&sort=-number&limit=1`);
      const undo = (): Promise<Answer> => lending.ask('POST', `../events/${String(column(data, 'number')[0])}/undo`);
      const second = await lending.borrowed(patron, { tool });
      expect(outcomeOf(await undo())).toBe('blocked_tool');
      await lending.done('POST', `checkout/${second}/return`);
      expect(outcomeOf(await undo())).toBe(200);
    });
  });
}
