import { beforeAll, expect, test } from 'vitest';

import { type Answer, TestServer, testKey } from '../support/server.ts';
import { expectProblem } from '../support/problem.ts';
import type { Stored } from '../support/records.ts';
import { codeOf, type Event, onEachTrail, otherKey } from './trail.ts';

onEachTrail('Idempotency-Key', (trail) => {
  const { ask, done, last } = trail;
  const order = { ordered_on: '2026-01-01', company: 'Acme', currency: 'EUR' };
  const member = { name: 'Ann' };
  const orders = async (): Promise<unknown> => (await done('GET', 'sales/order?limit=1'))['total'];

  type Request = readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>];

  const send = ([method, path, body, headers]: Request, key: string): Promise<Answer> =>
    ask(method, path, body, { ...headers, 'idempotency-key': key });

  const isReplay = ({ headers }: Answer): boolean => headers.get('idempotency-replayed') === 'true';

  // The first event.
  beforeAll(() => done('POST', 'crm/competitor', { competitor_name: 'x' }));

  /** Makes what a request is about. */
  const made: Readonly<Record<string, () => Promise<Request>>> = {
    create: async () => ['POST', 'sales/order', order],
    'create of a unique record': async () => ['POST', 'register/member', { ...member, card_number: 'once' }],
    async 'create of an item'() {
      const { id } = await done('POST', 'sales/order', order);
      return ['POST', 'sales/order-line', { order_id: id, article: 'x' }];
    },
    async 'update with If-Match'() {
      const { id } = await done('POST', 'sales/order', order);
      return ['PATCH', `sales/order/${id}`, { total: 1 }, { 'if-match': '"1"' }];
    },
    async delete() {
      const { id } = await done('POST', 'sales/order', order);
      await done('POST', 'sales/order-line', { order_id: id, article: 'x' });
      return ['DELETE', `sales/order/${id}`];
    },
    async transition() {
      const { id } = await done('POST', 'sales/order', order);
      return ['POST', `sales/order/${id}/submit`];
    },
    async reorder() {
      const { id: order_id } = await done('POST', 'sales/order', order);
      const { id } = await done('POST', 'sales/order-line', { order_id, article: 'x' });
      await done('POST', 'sales/order-line', { order_id, article: 'y' });
      return ['POST', 'sales/order-line/reorder', { items: [{ id, idx: 9 }] }];
    },
    batch: async () => [
      'POST',
      'batch',
      {
        operations: [
          { method: 'POST', path: '/api/sales/order', body: order },
          { method: 'POST', path: '/api/sales/order-line', body: { order_id: { result: 0 }, article: 'x' } },
          { method: 'DELETE', path: '/api/sales/order/{result:0}' },
        ],
      },
    ],
    async undo() {
      const { id } = await done('POST', 'sales/order', order);
      await done('DELETE', `sales/order/${id}`);
      return ['POST', `events/${(await last()).number}/undo`];
    },
  };

  test.each(Object.keys(made))(
    '%s: of many requests with one key at once, one is done and all have its answer',
    async (name) => {
      const request = await (made[name] as () => Promise<Request>)();
      const key = name.replaceAll(' ', '-');
      const { number } = await last();
      const before = await orders();
      const answers = await Promise.all(Array.from({ length: name === 'create' ? 200 : 30 }, () => send(request, key)));
      for (const { status, text } of answers) expect(status, text).toBeLessThan(300);
      expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(new Set(answers.map(({ headers }) => `${headers.get('etag')} ${headers.get('location')}`)).size).toBe(1);
      expect(answers.filter((answer) => !isReplay(answer))).toHaveLength(1);
      const events = await trail.events('', number);
      expect(new Set(events.map(({ request_id: id }) => id)).size).toBe(1);
      expect(events).toHaveLength({ batch: 4, delete: 2 }[name] ?? 1);
      const added = { create: 1, delete: -1, undo: 1 }[name] ?? 0;
      expect(await orders()).toBe(Number(before) + added);
      for (const other of [
        ['POST', 'sales/order', { ...order, notes: 'x' }],
        ['POST', 'crm/competitor', { competitor_name: 'x' }],
        ['PATCH', 'sales/order/none', {}],
      ] as const) {
        expectProblem(await send(other, key), 422, 'idempotency_key_reused');
      }
      expect(await trail.events('', events.at(-1)?.number)).toEqual([]);
    },
  );

  test('requests that fail are not stored', async () => {
    const { id } = await done('POST', 'sales/order', order);
    const submit = (): Promise<Answer> => send(['POST', `sales/order/${id}/cancel`], 'failed');
    expect(codeOf(await submit())).toBe('wrong_state');
    await done('POST', `sales/order/${id}/submit`);
    const answers = [await submit(), await submit()];
    expect(answers.map(codeOf)).toEqual(['done', 'done']);
    expect(answers.map(isReplay)).toEqual([false, true]);
    expect(codeOf(await send(['POST', 'sales/order', {}], 'invalid'))).toBe('invalid_body');
    expect(isReplay(await send(['POST', 'sales/order', order], 'invalid'))).toBe(false);
    const batch = (path: string): Request => [
      'POST',
      'batch',
      {
        operations: [
          { method: 'POST', path: '/api/sales/order', body: order },
          { method: 'DELETE', path },
        ],
      },
    ];
    const before = await orders();
    expect(codeOf(await send(batch('/api/sales/order/none'), 'batch-fails'))).toBe('not_found');
    expect(await orders()).toBe(before);
    expect(codeOf(await send(batch('/api/sales/order/{result:0}'), 'batch-fails'))).toBe('done');
  });

  test.runIf(trail.engine.name === 'PostgreSQL')(
    'the second waits while the first is under way, but not for long',
    async () => {
      const { id } = await done('POST', 'sales/order', order, { 'idempotency-key': 'waits-0' });
      const { number } = await last();
      const { database } = trail;
      const columns = '"owner", "_organization", "digest", "answer", "time"';
      const claims = (name: string): string =>
        `begin; insert into "_answer" ("key", ${columns}) select '${name}', ${columns} from "_answer" where "key" = 'waits-0'`;
      await database.execute(claims('waits'));
      try {
        const options = encodeURIComponent('-c lock_timeout=300');
        const env = { DATABASE_URL: `${database.url}?options=${options}`, API_KEYS: testKey };
        await using impatient = new TestServer({ env });
        await impatient.start();
        for (const [method, path] of [
          ['POST', 'sales/order'],
          ['PATCH', `sales/order/${String(id)}`],
        ] as const) {
          const refused = await impatient.request(method, `/api/${path}`, order, { 'idempotency-key': 'waits' });
          expectProblem(refused, 409, 'idempotency_key_in_use');
          expect(refused.headers.get('retry-after')).toBe('1');
        }
        const waiting = send(['POST', 'sales/order', order], 'waits');
        const waiters = `select 1 from pg_locks where not granted and pid <> pg_backend_pid()`;
        await expect.poll(() => database.query(waiters)).toHaveLength(1);
        await database.execute('rollback');
        expect(isReplay(await waiting)).toBe(false);
        expect(await trail.events('', number)).toHaveLength(1);
      } finally {
        await database.execute('rollback');
      }
    },
  );

  test('keys of two API keys do not meet', async () => {
    const other = { authorization: `Bearer ${otherKey}` };
    const first = await send(['POST', 'sales/order', order], 'shared');
    const second = await send(['POST', 'sales/order', order, other], 'shared');
    expect([first, second].map(isReplay)).toEqual([false, false]);
    expect(first.text).not.toBe(second.text);
    expect((await send(['POST', 'sales/order', order, other], 'shared')).text).toBe(second.text);
    expect((await send(['POST', 'sales/order', order], '"shared"')).text).toBe(first.text);
  });

  test('the members of a body may be in another order, and a record may be gone since', async () => {
    const first = await send(['POST', 'sales/order', order], 'order');
    await done('DELETE', `sales/order/${(first.body as { id: string }).id}`);
    const reversed = Object.fromEntries(Object.entries(order).toReversed());
    const again = await send(['POST', 'sales/order', reversed], 'order');
    expect([again.text, again.headers.get('etag')]).toEqual([first.text, first.headers.get('etag')]);
  });

  test('a repetition gets the first answer, whatever was done to the records since', async () => {
    const firsts: (readonly [Request, key: string, Answer])[] = [];
    const first = async (...request: Request): Promise<Stored & { readonly results: readonly { body: Stored }[] }> => {
      const key = `first-${firsts.length}`;
      const answer = await send(request, key);
      expect(answer.status, answer.text).toBeLessThan(300);
      firsts.push([request, key, answer]);
      return answer.body as Stored & { readonly results: readonly { body: Stored }[] };
    };
    const repeat = async (): Promise<void> => {
      for (const [request, key, { status, text, headers }] of firsts) {
        const again = await send(request, key);
        expect([again.status, again.text]).toEqual([status, text]);
        for (const name of ['etag', 'location']) expect(again.headers.get(name)).toBe(headers.get(name));
        expect(isReplay(again)).toBe(true);
      }
    };

    const { id } = await first('POST', 'sales/order', { ...order, notes: 'a "quoted" \u0001 ünïcode', total: 1.5e-7 });
    const path = `sales/order/${id}`;
    await first('PATCH', path, { notes: null, total: 2.5 });
    const item = await first('POST', 'sales/order-line', { order_id: id, article: 'x' });
    const linePath = `sales/order-line/${item.id}`;
    await first('PATCH', linePath, { article: 'y' });
    const { results } = await first('POST', 'batch', {
      operations: [
        { method: 'POST', path: '/api/sales/order-line', body: { order_id: id, article: 'z' } },
        { method: 'PATCH', path: `/api/${path}`, body: { notes: 'once' } },
        { method: 'PATCH', path: `/api/${path}`, body: { notes: 'twice' } },
      ],
    });
    await repeat();
    await first('POST', 'sales/order-line/reorder', { items: [{ id: item.id, idx: 9 }] });
    await done('PATCH', linePath, { article: 'later' });
    await done('DELETE', `sales/order-line/${results[0]?.body.id}`);
    await done('PATCH', path, { notes: 'later' });
    await repeat();
    await done('DELETE', path);
    await repeat();
    const { number } = (await trail.events(`&operation=delete&record=${id}`))[0] as Event;
    await first('POST', `events/${number}/undo`);
    for (let i = 0; i < 120; i++) await done('PATCH', path, { notes: `${i}` });
    await repeat();
    await first('POST', `${path}/submit`);
    await done('POST', `${path}/cancel`);
    await done('DELETE', path);
    await repeat();
  });

  test('the first answer is found soon behind thousands of events, and refused if one of them is not there', async () => {
    const { database } = trail;
    const { id } = await done('POST', 'sales/order', order);
    const path = `sales/order/${id}`;
    const operations = Array.from({ length: 100 }, (_, i) => ({
      method: 'PATCH',
      path: `/api/${path}`,
      body: { notes: `first ${i}` },
    }));
    const request: Request = ['POST', 'batch', { operations }];
    const first = await send(request, 'many');
    expect(first.status, first.text).toBe(200);
    const { number, version } = await last();
    const later = 5_000;
    await database.execute(
      `insert into "_event" ("_organization", "number", "time", "operation", "resource", "record", "version", "changes")
       with recursive later(n) as (select 1 union all select n + 1 from later where n < ${later})
       select 1, ${number} + n, '', 'update', 'sales/order', '${id}', ${version} + n,
         '{"notes":["' || case when n = 1 then 'first 99' else cast(n - 1 as text) end || '","' || n || '"]}' from later`,
    );
    // As a server writes whose resource has no events.
    const change = (versions: number, notes: string): Promise<unknown> =>
      database.execute(
        `update "order" set "_version" = "_version" + ${versions}, "notes" = '${notes}' where "id" = '${id}'`,
      );
    await change(later, `${later}`);
    // As autovacuum does a minute later.
    if (trail.engine.name !== 'SQLite') await database.execute('analyze "_event"');
    const start = performance.now();
    const again = await send(request, 'many');
    expect(performance.now() - start).toBeLessThan(2_500);
    expect([again.text, isReplay(again)]).toEqual([first.text, true]);

    const refused = (answer: Answer): void =>
      expect(expectProblem(answer, 503, 'unavailable').detail).toBe(
        `The response to the first request is gone: events of ${id} are not there.`,
      );
    await change(1, 'unseen');
    refused(await send(request, 'many'));
    const patch: Request = ['PATCH', path, { notes: 'seen' }];
    const { text } = await send(patch, 'patch');
    await done('PATCH', path, { notes: 'later' });
    expect((await send(patch, 'patch')).text).toBe(text);
    refused(await send(request, 'many'));
    await database.execute(`delete from "order" where "id" = '${id}'`);
    refused(await send(patch, 'patch'));
  });

  test('the answers to creates take hardly any room beside the records', async () => {
    const { number } = await last();
    const body = { ...order, notes: 'x'.repeat(50_000) };
    const key = (i: number): string => `long-${i}`;
    for (let i = 0; i < 10; i++) await send(['POST', 'sales/order', body], key(i));
    const lengths = (
      await trail.database.query(`select length("answer") as "n" from "_answer" where "key" like 'long-%'`)
    ).map(({ n }) => Number(n));
    expect(lengths).toHaveLength(10);
    expect(Math.max(...lengths)).toBeLessThan(300);
    expect(await trail.events('', number)).toHaveLength(10);
  });

  test.each(['', ' ', 'a b', '"a b"', 'é', 'x'.repeat(256), `"${'x'.repeat(256)}"`, '""', 'a, b'])(
    'the key %j is refused, and nothing is done',
    async (key) => {
      const { number } = await last();
      expectProblem(await send(['POST', 'sales/order', order], key), 400, 'invalid_header');
      expect(await trail.events('', number)).toEqual([]);
    },
  );

  test('255 visible characters are a key', async () => {
    const key = `${String.fromCharCode(...Array.from({ length: 94 }, (_, n) => 0x21 + n))}${'x'.repeat(161)}`;
    const answers = [await send(['POST', 'sales/order', order], key), await send(['POST', 'sales/order', order], key)];
    expect(answers.map(isReplay)).toEqual([false, true]);
  });
});
