import { connect } from 'node:net';
import { afterEach, beforeAll, expect, test } from 'vitest';

import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { testKey } from '../support/server.ts';
import { RawStream } from './raw-stream.ts';
import { onEachTrail, otherKey } from './trail.ts';

/** Streams of one key, and of all keys of one organization that is alone. */
const [ofKey, ofOrganization] = [50, 100];

onEachTrail('streams of events', (trail) => {
  let open: RawStream[] = [];
  let number = 0;
  const stream = (key = testKey, headers: Record<string, string | number> = {}, query = ''): RawStream => {
    const made = new RawStream(trail.servers[0]!.port, key, { 'Last-Event-ID': number, ...headers }, query);
    open.push(made);
    return made;
  };
  const streams = async (count: number, key?: string): Promise<RawStream[]> => {
    const made: RawStream[] = [];
    // In the order in which the server has opened them.
    for (let n = 0; n < count; n++) {
      made.push(stream(key));
      expect(await made.at(-1)?.status()).toBe(200);
    }
    return made;
  };
  const write = async (): Promise<void> => {
    await trail.done('POST', 'crm/lead', { lead_name: 'a' });
    ({ number } = await trail.last());
  };

  beforeAll(write);
  afterEach(() => {
    for (const { socket } of open) socket.destroy();
    open = [];
  });

  test('end as soon as the client ends its side, so that a client that comes again and again has one', async () => {
    for (let round = 0; round < 3 * ofKey; round++) {
      const one = stream();
      expect(await one.status()).toBe(200);
      one.socket.end();
      await one.ended();
    }
    const others = await streams(ofKey);
    await write();
    await Promise.all(others.map((other) => other.until(() => other.ids.length > 0)));
    expect(others.map(({ ids }) => ids)).toEqual(others.map(() => [number]));
  });

  test('show each client what its filter and its scopes let it see, whether it is written before or behind the beginning', async () => {
    const { authorization } = await trail.key('main', 'events:read', 'crm/competitor:read');
    const { id: lead } = await trail.done('POST', 'crm/lead', { lead_name: 'a' });
    const before = number;
    const all = [
      stream(),
      stream(testKey, {}, '?resource=crm/lead'),
      stream(testKey, {}, '?operation=update'),
      stream(testKey, {}, `?record=${lead}`),
      stream(testKey, {}, '?actor=nobody'),
      stream(authorization.slice('Bearer '.length)),
    ];
    for (const one of all) await one.status();
    await trail.done('PATCH', `crm/lead/${lead}`, { lead_name: 'b' });
    await trail.done('POST', 'crm/competitor', { competitor_name: 'x' });
    await write();
    await all[0]!.until(() => all[0]!.ids.includes(number));
    await all[1]!.until(() => all[1]!.ids.includes(number));
    const [created, updated, other, last] = [1, 2, 3, 4].map((n) => before + n);
    expect(all[0]!.ids).toEqual([created, updated, other, last]);
    expect(all[1]!.ids).toEqual([created, updated, last]);
    await all[2]!.until(() => all[2]!.ids.length > 0);
    await all[3]!.until(() => all[3]!.ids.length > 1);
    await all[5]!.until(() => all[5]!.ids.length > 0);
    expect(all.slice(2).map(({ ids }) => ids)).toEqual([[updated], [created, updated], [], [other]]);
  });

  test('are not begun for a client that has ended its side with the request; any other request has its response', async () => {
    const one = stream();
    one.socket.end();
    await one.ended();
    const socket = connect({ port: trail.servers[0]!.port, host: '127.0.0.1', allowHalfOpen: true });
    socket.end(`GET /api/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n\r\n`);
    let text = '';
    for await (const part of socket) text += String(part);
    expect(text).toContain('HTTP/1.1 200');
    expect(text).toContain('"has_more":false}');
  });

  test('of a key that opens more than its share: the oldest one ends, and the others go on', async () => {
    const [first, ...others] = await streams(ofKey + 1);
    await first!.ended();
    expect(first!.hasEnded).toBe(true);
    await write();
    await Promise.all(others.map((other) => other.until(() => other.ids.length > 0)));
    expect(others.map(({ ids }) => ids)).toEqual(others.map(() => [number]));
  });

  test('of one organization leave half of them to others', async () => {
    const env = { DATABASE_URL: trail.database.url };
    expect(await runInProcess(service, env, 'organizations', 'create', 'acme')).toMatchObject({ code: 0 });
    const keyOf = async (organization: string): Promise<string> =>
      (await trail.key(organization, '*')).authorization.slice('Bearer '.length);
    const [third, acme] = [await keyOf('main'), await keyOf('acme')];
    const all = [...(await streams(ofKey, testKey)), ...(await streams(ofKey, otherKey))];
    // The third key has none that could end: the oldest of its organization does.
    const [last] = await streams(1, third);
    await all[0]!.ended();
    expect(all[0]!.hasEnded).toBe(true);
    expect(await streams(ofOrganization / 2, acme)).toHaveLength(ofOrganization / 2);
    await write();
    const rest = [...all.slice(1), last!];
    await Promise.all(rest.map((one) => one.until(() => one.ids.length > 0)));
    expect(rest.map(({ ids }) => ids)).toEqual(rest.map(() => [number]));
  });
});
