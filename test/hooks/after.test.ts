import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { createKey } from '../../runtime/features/keys/administration.ts';
import { deleteOrganization, findOrganization } from '../../runtime/features/organizations/organizations.ts';
import { administer } from '../organizations/administer.ts';
import { type Body, Library } from '../references/library.ts';
import { serverCommand } from '../server/command.ts';
import { service } from '../service/generated/app.ts';
import { Claims } from '../states/claims.ts';
import { describeEngine, sampledEngines, type TestDatabase } from '../support/databases.ts';
import { startServer, TestServer } from '../support/server.ts';
import { createWebhook, webhooks } from '../webhooks/command.ts';
import { type Message, Receiver } from '../webhooks/receiver.ts';
import { Lending } from './lending.ts';
import { features } from '../../runtime/features.ts';

const arrival = { timeout: 30_000, interval: 50 };

/** The records that a desk was told of, and how. */
const told = (messages: readonly Message[]): string[] =>
  messages.map(({ data: { record, operation }, status }) => `${record} ${operation} ${status}`);

const pidOf = ({ data }: Message): unknown => (data as unknown as Body)['pid'];

for (const engine of sampledEngines) {
  describeEngine(engine, 'hooks after writes', () => {
    let database: TestDatabase;
    let desk: Receiver;
    let server: TestServer;
    let env: Record<string, string>;
    const lending = new Lending(() => new Library(server));

    beforeAll(async () => {
      database = await engine.create(service.tables);
      desk = await Receiver.open();
      env = { DATABASE_URL: database.url, LENDING_DESK: desk.url };
      server = new TestServer({ env });
      await server.start();
    });
    afterAll(async () => {
      await server?.close();
      await desk?.[Symbol.asyncDispose]();
      await database?.[Symbol.asyncDispose]();
    });

    /** Begins to collect what the desk is told, which it takes from now on as `respond` says. */
    const listen = (respond: Receiver['respond'] = () => 204): void => {
      desk.messages.length = 0;
      desk.respond = respond;
    };
    const delivered = (): Promise<unknown> =>
      vi.waitUntil(async () => {
        const states = await database.query(
          `select distinct "state" from "_delivery" where "webhook" = 'hooks_1_checkout'`,
        );
        return states.length === 1 && states[0]?.['state'] === 'delivered';
      }, arrival);
    const messages = (count: number): Promise<unknown> => vi.waitUntil(() => desk.messages.length >= count, arrival);
    /** Like `messages`, as if pauses after failures were over. */
    const repeated = (count: number): Promise<unknown> =>
      vi.waitUntil(async () => {
        await database.execute(
          `update "_delivery" set "at" = 1 where "state" = 'waiting' and "attempts" between 1 and 24`,
        );
        return desk.messages.length >= count;
      }, arrival);

    test('one that fails is called again, before those of later events of the record', async () => {
      const patron = await lending.patron();
      let failures = 0;
      listen((number) =>
        (number === desk.messages[0]?.data.number || desk.messages.length === 0) && failures++ < 2 ? 503 : 204,
      );
      const first = await lending.borrowed(patron);
      await lending.done('PATCH', `checkout/${first}`, { due_on: '2030-01-01' });
      await messages(1);
      const second = await lending.borrowed(patron);
      await messages(2);
      await repeated(5);
      const ofFirst = told(desk.messages).filter((line) => line.startsWith(first));
      expect(ofFirst).toEqual([
        ...['503', '503', '204'].map((status) => `${first} create ${status}`),
        `${first} update 204`,
      ]);
      expect(told(desk.messages)[1]).toBe(`${second} create 204`);
      expect(desk.messages.at(-1)?.data).toMatchObject({ due_on: '2030-01-01' });
      const { number } = desk.messages[0]!.data;
      const line = `The hook after create of lending/checkout has failed for event ${number}, and is called again.`;
      await expect.poll(() => server.output.split(line)).toHaveLength(3);
      await expect.poll(() => server.output).toContain(`The desk does not take event ${number}.`);

      const { stdout } = await webhooks(database.url, 'list');
      expect(stdout).toMatch(
        /^hooks_1_checkout +main +after-hooks:lending\/checkout +lending\/checkout:create,\S*lending\/checkout:return .* on$/m,
      );
      await delivered();
    });

    test('one may change its own record, and that change has a hook, too', async () => {
      listen();
      const id = await lending.borrowed(await lending.patron());
      await lending.done('POST', `checkout/${id}/return`, { remark: 'late' });
      await messages(3);
      expect(told(desk.messages)).toEqual(['create', 'return', 'update'].map((operation) => `${id} ${operation} 204`));
      expect(await lending.done('GET', `checkout/${id}`)).toMatchObject({ status: 'returned', due_on: '2030-01-01' });
      await delivered();
    });

    test('what it writes is done once, with the actor and the request of the event', async () => {
      listen();
      const patron = await lending.patron();
      const id = await lending.borrowed(patron);
      await messages(1);
      let isFirst = true;
      listen(() => (isFirst ? ((isFirst = false), 500) : 204));
      const { headers } = await lending.ask('POST', `checkout/${id}/return`);
      await repeated(2);
      expect(told(desk.messages)).toEqual([`${id} return 500`, `${id} return 204`]);
      const returns = async (): Promise<unknown> => (await lending.done('GET', `patron/${patron}`))['returns'];
      await expect.poll(returns, arrival).toBe(1);
      // Until then, it is not sent again, but still.
      await delivered();
      await webhooks(database.url, 'redeliver', 'hooks_1_checkout', String(desk.messages[0]?.data.number));
      await messages(3);
      await delivered();
      expect(await returns()).toBe(1);
      const { data } = await lending.done('GET', `../events?record=${patron}&sort=-number&limit=1`);
      expect(data).toMatchObject([
        { operation: 'update', request_id: headers.get('x-request-id'), changes: { returns: [0, 1] } },
      ]);
    });

    test('it is called after a start if the server was killed before', async () => {
      const patron = await lending.patron();
      await desk.stop();
      const id = await lending.borrowed(patron);
      await server.kill();
      // As if the lease of the killed server had ended.
      await database.execute('delete from "_lease"');
      listen();
      await desk.start();
      await server.start();
      await vi.waitUntil(() => told(desk.messages).includes(`${id} create 204`), arrival);
    });

    test('one of several servers calls it, and another one if that is killed', async () => {
      await using other = await startServer({ env });
      const elsewhere = new Lending(() => new Library(other));
      listen();
      const borrowed: string[] = [];
      for (const place of [lending, elsewhere, lending, elsewhere])
        borrowed.push(await place.borrowed(await place.patron()));
      await messages(4);
      expect(desk.messages.map(({ data }) => data.record).toSorted()).toEqual(borrowed.toSorted());
      expect(new Set(desk.messages.map(pidOf))).toEqual(new Set([server.process.pid]));
      await server.kill();
      // As if the lease of the killed server had ended.
      await database.execute('delete from "_lease"');
      const last = await elsewhere.borrowed(await elsewhere.patron());
      await vi.waitUntil(() => told(desk.messages).includes(`${last} create 204`), arrival);
      expect(pidOf(desk.messages.at(-1)!)).toBe(other.process.pid);
      await server.start();
    });

    test('a new organization has them from its first event on, a deleted one gets nothing from one that ran meanwhile', async () => {
      await using command = serverCommand({ env }, 'organizations', 'create', 'acme');
      expect(await command.ended).toMatchObject({ code: 0 });
      const rows = await database.query('select "position", "filter" from "_webhook" where "id" like \'hooks_2%\'');
      expect(rows.map(({ position }) => Number(position))).toEqual([0, 0]);
      await using without = await engine.create(service.tables);
      await (await without.open(service.tables)).close();
      expect(await without.query('select * from "_webhook"')).toEqual([]);

      const { id: organization } = await administer(database, (connection) => findOrganization(connection, 'acme'));
      const options = { organization: 'acme', name: 'test', rate: 'off', lifetime: null, scopes: '*' } as const;
      const { key } = await administer(database, (connection) => createKey(connection, options));
      const elsewhere = new Lending(() => new Library(server, key));
      const called = Promise.withResolvers<ServerResponse>();
      listen((_, response) => void called.resolve(response));
      await elsewhere.done('DELETE', `patron/${await elsewhere.patron()}`);
      const response = await called.promise;
      await administer(database, (connection) => deleteOrganization(features.list, connection, 'acme', 0));
      response.writeHead(204).end();
      await expect.poll(() => server.output, arrival).toContain('The event was removed, perhaps with its organization');
      for (const table of ['patron', '_event', '_row_counter', '_answer', '_webhook']) {
        expect(await database.query(`select 1 from "${table}" where "_organization" = ${organization}`)).toEqual([]);
      }
    });

    test('one that throws what is no error has failed, too', async () => {
      await lending.borrowed(await lending.patron(), { tool: 'thrown later' });
      await expect
        .poll(() => server.output, arrival)
        .toMatch(/has failed for event \d+.*\[Object: null prototype\] \{\}/s);
      expect((await lending.ask('GET', 'patron')).status).toBe(200);
    });

    test('a server without them leaves them to others, and does not count what waits for them', async () => {
      listen(() => 503);
      const patron = await lending.patron();
      const id = await lending.borrowed(patron);
      await messages(1);
      await server.stop();
      // It is never sent, and counted.
      const { id: other } = await createWebhook(
        database.url,
        '--url',
        'https://192.0.2.1/',
        '--events',
        'lending/patron',
      );
      {
        await using without = await startServer({ env: { DATABASE_URL: database.url, METRICS_PORT: '0' } });
        await new Lending(() => new Library(without)).patron();
        listen();
        const url = /http:\S+\/metrics/.exec(without.output)?.[0] as string;
        const waiting = async (): Promise<unknown> =>
          /^webhook_waiting (\d+)$/m.exec(await (await fetch(url)).text())?.[1];
        await expect.poll(waiting, arrival).toBe('1');
        expect(desk.messages).toEqual([]);
      }
      await webhooks(database.url, 'remove', other);
      await server.start();
      await vi.waitUntil(() => told(desk.messages).includes(`${id} create 204`), arrival);
    });

    test('one lists and moves, too', async () => {
      listen();
      const claims = new Claims(() => new Library(server));
      const { claim } = await claims.claim();
      const { id } = await lending.done('POST', 'patron', { name: 'Owner of the claims' });
      const { headers } = await lending.ask('DELETE', `patron/${id}`);
      const submitted = { status: 'submitted', comment: '1 claims' };
      await expect.poll(() => claims.done('GET', `claim/${claim}`), arrival).toMatchObject(submitted);
      const { data } = await lending.done('GET', `../events?record=${claim}&sort=-number&limit=1`);
      expect(data).toMatchObject([{ operation: 'submit', request_id: headers.get('x-request-id') }]);
    });

    test('one that hangs holds up those of no other resource', async () => {
      const { id: leaving } = await lending.done('POST', 'patron', { name: 'Bob' });
      // As many as are called at once.
      listen(() => (desk.messages.length < 16 ? undefined : 204));
      for (let n = 0; n < 20; n++) await lending.borrowed(await lending.patron());
      await messages(16);
      await lending.done('DELETE', `patron/${leaving}`);
      await messages(17);
      expect(told(desk.messages)[16]).toBe(`${leaving} delete 204`);
    });

    // It takes 15 seconds, whatever the engine.
    const onceInAll = engine.name === 'SQLite' ? test : () => undefined;
    onceInAll('one that takes too long has failed', async () => {
      const patron = await lending.patron();
      listen(() => undefined);
      await lending.borrowed(patron);
      await expect
        .poll(() => server.output, arrival)
        .toContain('The hook afterCreate of lending/checkout takes longer than 15 s');
    });
  });
}
