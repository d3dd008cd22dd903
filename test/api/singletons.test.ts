import { describe, expect, test } from 'vitest';

import { expectProblem, expectRefused } from '../support/problem.ts';
import { type Stored, storedIn, update } from '../support/records.ts';
import { fieldsAfter, fullBody, idPattern, keysOf, timestampPattern } from '../support/samples.ts';
import type { TestServer } from '../support/server.ts';
import { singletonNamed, singletons } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const settings = async (path: string, from: TestServer = server): Promise<Stored> =>
  storedIn(await from.request('GET', path));

describe.each(singletons)('$name', (singleton) => {
  const { name, path } = singleton;

  test('is there from the start, with its defaults, and null elsewhere', async () => {
    const stored = await settings(path);
    expect(Object.keys(stored)).toEqual(keysOf(singleton));
    expect(stored).toEqual({
      ...fieldsAfter(singleton, {}),
      id: expect.stringMatching(idPattern(singleton)),
      created_at: expect.stringMatching(timestampPattern),
      updated_at: expect.stringMatching(timestampPattern),
    });
    expect(await settings(path)).toEqual(stored);
  });

  test('is updated by its id', async () => {
    const before = await settings(path);
    for (const seed of [0, 1]) {
      const body = fullBody(singleton, undefined, seed);
      const updated = await update(server, path, before.id, body);
      expect(updated).toEqual({ ...before, ...body, updated_at: updated['updated_at'] });
      expect(updated['updated_at']! >= before['updated_at']!).toBe(true);
      expect(Object.keys(updated)).toEqual(keysOf(singleton));
      expect(await settings(path)).toEqual(updated);
    }
  });

  test('an update with nothing in it or nothing new changes nothing', async () => {
    const { id } = await settings(path);
    const before = await update(server, path, id, fullBody(singleton));
    for (const patch of [{}, fullBody(singleton), before]) {
      expect(await update(server, path, id, patch)).toEqual(before);
    }
  });

  test('another id is not found', async () => {
    const before = await settings(path);
    const other = await settings(singletons.find((one) => one !== singleton)!.path);
    for (const id of [`${name}_0`, 'x', other.id, '%00']) {
      expectProblem(await server.request('PATCH', `${path}/${id}`, fullBody(singleton)), 404, 'not_found');
    }
    expect(await settings(path)).toEqual(before);
  });

  test('is neither created nor deleted, nor retrieved by its id', async () => {
    const before = await settings(path);
    for (const [method, suffix, allowed, hint] of [
      ['POST', '', 'GET'],
      ['DELETE', '', 'GET'],
      ['PATCH', '', 'GET', `PATCH is at ${path}/{id}.`],
      ['POST', `/${before.id}`, 'PATCH'],
      ['DELETE', `/${before.id}`, 'PATCH'],
      ['GET', `/${before.id}`, 'PATCH', `GET is at ${path}.`],
    ] as const) {
      const answer = await server.request(method, path + suffix);
      const { detail } = expectProblem(answer, 405, 'method_not_allowed');
      if (hint) expect(detail).toContain(hint);
      else expect(detail).not.toContain(' is at ');
      expect(answer.headers.get('allow')?.split(/, */)).toContain(allowed);
    }
    expect(await settings(path)).toEqual(before);
  });
});

describe('a service of its own', () => {
  const other = sharedServer();
  const booking = singletonNamed('appointment_booking_settings').path;

  test('has settings of its own', async () => {
    for (const { path } of singletons) expect((await settings(path, other)).id).not.toBe((await settings(path)).id);
  });

  test('has no holiday list until it is set, and never again none', async () => {
    const { id, holiday_list } = await settings(booking, other);
    expect(holiday_list).toBeNull();
    const refuseNull = async () =>
      expectRefused(await other.request('PATCH', `${booking}/${id}`, { holiday_list: null }), '/holiday_list');
    await refuseNull();
    const without = await update(other, booking, id, { number_of_agents: 3 });
    expect(without).toMatchObject({ number_of_agents: 3, holiday_list: null });
    expect(await update(other, booking, id, { holiday_list: 'Summer' })).toMatchObject({ holiday_list: 'Summer' });
    await refuseNull();
    expect(await update(other, booking, id, { number_of_agents: 4 })).toMatchObject({ holiday_list: 'Summer' });
  });

  test('keeps them, and their ids, over a stop and over a crash', async () => {
    const read = () => Promise.all(singletons.map(({ path }) => settings(path, other)));
    const before = await read();
    expect(await other.stop()).toBe(0);
    await other.restart();
    expect(await read()).toEqual(before);
    await other.kill();
    await other.restart();
    expect(await read()).toEqual(before);
  });
});
