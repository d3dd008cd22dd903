import type { ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { removeOld } from '../../runtime/features/trail/retention.ts';
import { administer } from '../organizations/administer.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, type Row, sampledEngines, type TestDatabase } from '../support/databases.ts';
import { TestServer } from '../support/server.ts';
import { createWebhook, webhooks } from './command.ts';
import { isSigned, Receiver } from './receiver.ts';
import { features } from '../../runtime/features.ts';

const countTransactions = `select "xact_commit" as "count" from pg_stat_database where "datname" = current_database()`;
const arrival = { timeout: 20_000, interval: 50 };

for (const engine of sampledEngines) {
  describeEngine(engine, 'webhooks', () => {
    let database: TestDatabase;
    let server: TestServer;

    const run = async (...args: string[]): Promise<string> => (await webhooks(database.url, ...args)).stdout;
    const create = (url: string, events = 'crm/lead'): Promise<{ id: string; secret: string }> =>
      createWebhook(database.url, '--url', url, '--events', events);
    const write = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const answer = await server.request(method, `/api/${path}`, body);
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body as Record<string, unknown>;
    };
    const stateOf = async (id: string): Promise<Row | undefined> =>
      (await database.query(`select * from "_webhook" where "id" = '${id}'`))[0];
    const deliveriesOf = (id: string): Promise<Row[]> =>
      database.query(`select * from "_delivery" where "webhook" = '${id}' order by "event"`);

    beforeAll(async () => {
      database = await engine.create(service.tables);
      await (await database.open(service.tables)).close();
      // A server looks for the first webhook only every ten seconds.
      const { id } = await create('http://127.0.0.1:9/', 'crm/competitor');
      await run('pause', id);
      server = new TestServer({ env: { DATABASE_URL: database.url, WEBHOOK_PRIVATE: 'on', METRICS_PORT: '0' } });
      await server.start();
    });
    afterAll(async () => {
      await server?.close();
      await database?.[Symbol.asyncDispose]();
    });

    test('send the events that they ask for, signed', async () => {
      await using receiver = await Receiver.open();
      const { id, secret } = await create(receiver.url, 'crm/lead:create,crm/lead:update');
      const { id: lead } = await write('POST', 'crm/lead', { lead_name: 'Ann “Ünï”' });
      await write('PATCH', `crm/lead/${String(lead)}`, { lead_name: 'Anna' });
      await write('DELETE', `crm/lead/${String(lead)}`);
      await write('POST', 'crm/competitor', { competitor_name: 'Other' });
      await vi.waitUntil(() => receiver.messages.length >= 2, arrival);
      expect(receiver.messages.map(({ type }) => type)).toEqual(['crm/lead.create', 'crm/lead.update']);
      const [message] = receiver.messages;
      expect(message).toMatchObject({
        headers: { 'content-type': 'application/json', 'webhook-id': `${id}_${message?.data.number}` },
        data: {
          resource: 'crm/lead',
          operation: 'create',
          record: lead,
          version: 1,
          changes: { lead_name: [null, 'Ann “Ünï”'] },
        },
      });
      expect(message?.timestamp).toBe(message?.data.time);
      for (const one of receiver.messages) {
        expect(isSigned(one, secret)).toBe(true);
        expect(isSigned({ ...one, text: `${one.text} ` }, secret)).toBe(false);
      }
      await run('remove', id);
      expect([await stateOf(id), await deliveriesOf(id)]).toEqual([undefined, []]);
    });

    test('send again what has failed, and what follows of the record only then', async () => {
      await using receiver = await Receiver.open();
      const { id, secret } = await create(receiver.url);
      // The first attempt of the first event, by a redirect, which is not followed.
      receiver.respond = (_, response) => {
        if (receiver.messages.length > 0) return 200;
        response.writeHead(307, { location: receiver.url }).end();
        return undefined;
      };
      const { id: first } = await write('POST', 'crm/lead', { lead_name: 'First' });
      await vi.waitUntil(() => receiver.messages.length === 1, arrival);
      await write('PATCH', `crm/lead/${String(first)}`, { lead_name: 'Changed' });
      const { id: second } = await write('POST', 'crm/lead', { lead_name: 'Second' });
      await vi.waitUntil(() => receiver.messages.length === 4, arrival);
      expect(receiver.messages.map(({ data }) => [data.record, data.operation])).toEqual([
        [first, 'create'],
        [second, 'create'],
        [first, 'create'],
        [first, 'update'],
      ]);
      const [failed, , retried] = receiver.messages;
      expect(retried?.headers['webhook-id']).toBe(failed?.headers['webhook-id']);
      expect(retried?.text).toBe(failed?.text);
      expect(receiver.messages.every((message) => isSigned(message, secret))).toBe(true);
      await vi.waitUntil(async () => (await deliveriesOf(id)).every(({ state }) => state === 'delivered'), arrival);
      expect((await deliveriesOf(id)).map(({ attempts, answer }) => [Number(attempts), answer])).toEqual([
        [2, '200'],
        [1, '200'],
        [1, '200'],
      ]);
      await run('remove', id);
    });

    test('hold one long message at a time, and no short one for it', async () => {
      await using receiver = await Receiver.open();
      const { id } = await create(receiver.url, 'files/attachment,crm/lead');
      const held: ServerResponse[] = [];
      receiver.respond = (_, response) => (held.push(response) > 2 ? 204 : undefined);
      const attachment = { order_id: 'x', data: 'x'.repeat(300_000) };
      const [first, second] = [
        await write('POST', 'files/attachment', attachment),
        await write('POST', 'files/attachment', attachment),
      ];
      const lead = await write('POST', 'crm/lead', { lead_name: 'Short' });
      const arrived = (): unknown[] => receiver.messages.map(({ data }) => data.record);
      await vi.waitUntil(() => arrived().length === 2, arrival);
      expect(arrived().toSorted()).toEqual([first['id'], lead['id']].toSorted());
      for (const response of held) response.writeHead(204).end();
      await vi.waitUntil(() => arrived().length === 3, arrival);
      expect(arrived()[2]).toBe(second['id']);
      await run('remove', id);
    });

    test('pause, and go on where they were; a delivery is sent again', async () => {
      await using receiver = await Receiver.open();
      await using other = await Receiver.open();
      const [{ id }, { id: going }] = [await create(receiver.url), await create(other.url)];
      await write('POST', 'crm/lead', { lead_name: 'Before' });
      await vi.waitUntil(async () => (await deliveriesOf(id))[0]?.['state'] === 'delivered', arrival);
      expect(await run('pause', id)).toContain('is paused');
      const { id: paused } = await write('POST', 'crm/lead', { lead_name: 'Meanwhile' });
      await vi.waitUntil(() => other.messages.length === 2, arrival);
      expect(receiver.messages).toHaveLength(1);
      await run('remove', going);
      expect(await run('list')).toMatch(new RegExp(`^${id} .*crm/lead .* paused$`, 'm'));
      await run('resume', id);
      await vi.waitUntil(() => receiver.messages.length === 2, arrival);
      expect(receiver.messages[1]?.data.record).toBe(paused);
      const { number } = receiver.messages[0]!.data;
      await run('redeliver', id, String(number));
      await vi.waitUntil(() => receiver.messages.length === 3, arrival);
      expect(receiver.messages[2]?.text).toBe(receiver.messages[0]?.text);
      await vi.waitUntil(async () => (await run('deliveries', id)).match(/ delivered /g)?.length === 2, arrival);
      await run('remove', id);
    });

    test('go on with the oldest event that is there if those before were removed, which is said', async () => {
      await using receiver = await Receiver.open();
      const { id } = await create(receiver.url);
      await run('pause', id);
      for (const name of ['Removed', 'Removed', 'Kept', 'New']) await write('POST', 'crm/lead', { lead_name: name });
      const { body } = await server.request('GET', '/api/events?sort=-number&limit=2');
      const [last, kept] = (body as { data: { number: number; record: string }[] }).data;
      const date = (hours: number, condition: string): Promise<void> => {
        const time = new Date(Date.now() - hours * 3_600_000).toISOString();
        return database.execute(`update "_event" set "time" = '${time}' where "number" ${condition}`);
      };
      await date(51, `< ${kept?.number}`);
      await date(25, `= ${kept?.number}`);
      const warnings: string[] = [];
      await administer(database, (connection) =>
        removeOld(features.list, connection, 1, Date.now(), (warning) => warnings.push(warning)),
      );
      const removed = Number(kept?.number) - 1;
      expect(warnings).toContain(`Events up to ${removed} were removed before the webhook ${id} got them.`);
      expect(await stateOf(id)).toMatchObject({ position: expect.toSatisfy((value) => Number(value) === removed) });
      await run('resume', id);
      await vi.waitUntil(() => receiver.messages.length === 2, arrival);
      expect(receiver.messages.map(({ data }) => data.record)).toEqual([kept?.record, last?.record]);
      await run('remove', id);
    });

    test('are off after three days, say so, and go on with all when they are resumed', async () => {
      await using receiver = await Receiver.open();
      const { id } = await create(receiver.url);
      receiver.respond = () => 503;
      const { id: lead } = await write('POST', 'crm/lead', { lead_name: 'Late' });
      await vi.waitUntil(async () => Number((await deliveriesOf(id))[0]?.['attempts']) > 0, arrival);
      await write('PATCH', `crm/lead/${String(lead)}`, { lead_name: 'Later' });
      // As if all pauses but the last one were over.
      await database.execute(
        `update "_delivery" set "attempts" = 24, "at" = 1 where "webhook" = '${id}' and "attempts" > 0`,
      );
      await vi.waitUntil(async () => (await stateOf(id))?.['state'] === 'off', arrival);
      expect(await run('list')).toMatch(/ off: event \d+ was not delivered in 25 attempts, the last one: 503$/m);
      await vi.waitUntil(() => server.output.includes(`The webhook ${id} is off: event `), arrival);
      receiver.respond = () => 200;
      await run('resume', id);
      await vi.waitUntil(() => receiver.taken.length === 2, arrival);
      expect(receiver.taken.map(({ data }) => data.operation)).toEqual(['create', 'update']);
      await run('remove', id);
    });

    test('are asked for together while there is nothing to send', async () => {
      await using receiver = await Receiver.open();
      const { id } = await create(receiver.url, 'crm/contact');
      const copies = Array.from(
        { length: 100 },
        (_, n) =>
          `insert into "_webhook" select '${id}_${n}', "_organization", "url", "secret", "filter", "state", null, "position", '' ` +
          `from "_webhook" where "id" = '${id}'`,
      );
      await database.execute(copies.join('; '));
      await write('POST', 'crm/contact', { full_name: 'Ann' });
      await vi.waitUntil(() => receiver.taken.length === 101, arrival);
      if (engine.name === 'PostgreSQL') {
        const transactions = async (): Promise<number> =>
          Number((await database.query(countTransactions))[0]?.['count']);
        const inFourSeconds = async (): Promise<number> => {
          const before = await transactions();
          await pause(4_000);
          return (await transactions()) - before;
        };
        // The numbers of a connection are shown up to ten seconds later, also those of the deliveries.
        await expect.poll(inFourSeconds, { timeout: 40_000 }).toBeLessThan(100);
      }
    });

    // It takes 15 seconds, whatever the engine.
    const onceInAll = engine.name === 'SQLite' ? test : () => undefined;
    onceInAll('give up a receiver that does not respond, and leave others alone', async () => {
      await using slow = await Receiver.open();
      await using quick = await Receiver.open();
      const { id: one } = await create(slow.url);
      const { id: other } = await create(quick.url);
      slow.respond = () => undefined;
      await write('POST', 'crm/lead', { lead_name: 'One' });
      await vi.waitUntil(() => slow.messages.length === 1 && quick.messages.length === 1, arrival);
      await write('POST', 'crm/lead', { lead_name: 'Two' });
      await vi.waitUntil(() => quick.messages.length === 2, arrival);
      await vi.waitUntil(async () => (await deliveriesOf(one))[0]?.['answer'] === 'no response within 15 s', arrival);
      await run('remove', one);
      await run('remove', other);
    });

    test('are counted', async () => {
      const url = /http:\S+\/metrics/.exec(server.output)?.[0] as string;
      const text = await (await fetch(url)).text();
      expect(Number(/^webhook_deliveries_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
      expect(Number(/^webhook_failures_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
      for (const name of ['webhook_waiting', 'webhook_lag_seconds']) expect(text).toMatch(new RegExp(`^${name} `, 'm'));
    });
  });

  describeEngine(engine, 'webhooks to private addresses', () => {
    test('are not sent, also if only their DNS says so', async () => {
      await using database = await engine.create(service.tables);
      await (await database.open(service.tables)).close();
      await using receiver = await Receiver.open();
      const { port } = new URL(receiver.url);
      const ids: string[] = [];
      for (const host of ['127.0.0.1', '[::1]', 'localhost', hostname()]) {
        ids.push((await createWebhook(database.url, '--url', `https://${host}:${port}/`, '--events', 'crm/lead')).id);
      }
      await using server = new TestServer({ env: { DATABASE_URL: database.url } });
      await server.start();
      expect((await server.request('POST', '/api/crm/lead', { lead_name: 'Ann' })).status).toBe(201);
      const answers = (): Promise<Row[]> => database.query(`select "answer" from "_delivery" where "attempts" > 0`);
      await vi.waitUntil(async () => (await answers()).length === ids.length, arrival);
      for (const { answer } of await answers()) expect(answer).toMatch(/is not a public address$/);
      expect(receiver.messages).toEqual([]);
    });
  });
}
