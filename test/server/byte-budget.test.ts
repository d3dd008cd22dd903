import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { ByteBudget, maxWait, type Reservation } from '../../runtime/api/byte-budget.ts';
import { TestCaller } from '../support/caller.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Reserves what must fit at once. */
function granted(budget: ByteBudget, client: string, bytes: number): Reservation {
  const reservation = budget.reserve(new TestCaller(client), bytes);
  if (reservation instanceof Promise) throw new Error(`${client} has to wait for ${bytes} bytes`);
  return reservation;
}

/** Reserves what must wait; says who got it, and what became of it. */
async function waits(
  budget: ByteBudget,
  client: string,
  bytes: number,
  log: string[],
  caller = new TestCaller(client),
): Promise<void> {
  const reservation = budget.reserve(caller, bytes);
  expect(reservation).toBeInstanceOf(Promise);
  const outcome = (): unknown => log.push(client);
  await Promise.resolve(reservation).then(outcome, ({ code }: { code: string }) => log.push(`${client} ${code}`));
}

describe('a share', () => {
  test('of one client is half of the budget', () => {
    const budget = new ByteBudget(100);
    for (let n = 0; n < 5; n++) granted(budget, 'a', 10);
    expect(budget.fits('a', 1)).toBe(false);
    expect(budget.held).toBe(50);
  });

  test('of several clients is the same for all, and leaves one for a newcomer', () => {
    const budget = new ByteBudget(120);
    const take = (client: string): number => {
      let count = 0;
      for (; budget.fits(client, 1); count++) granted(budget, client, 1);
      return count;
    };
    expect(take('a')).toBe(60);
    expect(take('b')).toBe(30);
    expect(take('c')).toBe(15);
    expect(budget.fits('a', 1)).toBe(false);
    expect(budget.fits('d', 7)).toBe(true);
  });

  test('that is longer than the budget is granted alone', () => {
    const budget = new ByteBudget(100);
    const all = granted(budget, 'a', 1_000);
    expect(budget.fits('b', 1)).toBe(false);
    all.release();
    expect(budget.held).toBe(0);
    granted(budget, 'b', 1_000);
  });

  test('longer than the budget is granted to who alone holds something', async () => {
    const budget = new ByteBudget(100);
    granted(budget, 'a', 60);
    expect(budget.reserve(new TestCaller('a'), 1_000, 60)).not.toBeInstanceOf(Promise);
    const other = new ByteBudget(100);
    granted(other, 'a', 10);
    const held = granted(other, 'a', 10);
    const more = other.reserve(new TestCaller('a'), 1_000, 10);
    expect(more).toBeInstanceOf(Promise);
    held.release();
    expect((await more).bytes).toBe(1_000);
  });

  test('is what a reservation was corrected to', () => {
    const budget = new ByteBudget(100);
    const reservation = granted(budget, 'a', 50);
    reservation.resize(20);
    expect(budget.held).toBe(20);
    reservation.resize(200);
    expect(budget.held).toBe(200);
    reservation.release();
    reservation.release();
    expect(budget.held).toBe(0);
  });
});

describe('what does not fit', () => {
  test('waits until it does, one client after the other', async () => {
    const budget = new ByteBudget(100);
    const first = granted(budget, 'a', 1_000);
    const log: string[] = [];
    const all = ['a', 'a', 'a', 'b', 'b', 'c'].map((client) => waits(budget, client, 5, log));
    first.release();
    await Promise.all(all);
    expect(log).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
    expect(budget.held).toBe(30);
  });

  test('is not overtaken by the same client', async () => {
    const budget = new ByteBudget(100);
    const held = granted(budget, 'a', 40);
    const log: string[] = [];
    const large = waits(budget, 'a', 20, log);
    const small = waits(budget, 'a', 1, log);
    expect(budget.fits('b', 10)).toBe(true);
    held.release();
    await Promise.all([large, small]);
    expect(budget.held).toBe(21);
  });

  test('is refused after a while, and then what waits behind it may fit', async () => {
    const budget = new ByteBudget(100);
    granted(budget, 'a', 40);
    const log: string[] = [];
    const large = waits(budget, 'a', 20, log);
    vi.advanceTimersByTime(maxWait / 2);
    const small = waits(budget, 'a', 1, log);
    vi.advanceTimersByTime(maxWait / 2 - 1);
    await Promise.resolve();
    expect(log).toEqual([]);
    vi.advanceTimersByTime(1);
    await Promise.all([large, small]);
    expect(log.toSorted()).toEqual(['a', 'a overloaded']);
    expect(budget.held).toBe(41);
  });

  test('waits no longer than its caller has patience', async () => {
    const budget = new ByteBudget(100);
    granted(budget, 'a', 40);
    const log: string[] = [];
    const patient = waits(budget, 'a', 20, log);
    const impatient = waits(budget, 'a', 20, log, new TestCaller('a', maxWait / 2));
    vi.advanceTimersByTime(maxWait / 2);
    await impatient;
    expect(log).toEqual(['a overloaded']);
    vi.advanceTimersByTime(maxWait / 2);
    await patient;
    expect(log).toEqual(['a overloaded', 'a overloaded']);
  });

  test('leaves its place when its connection closes', async () => {
    const budget = new ByteBudget(100);
    const held = granted(budget, 'a', 40);
    const log: string[] = [];
    const caller = new TestCaller('a');
    const large = waits(budget, 'a', 20, log, caller);
    const small = waits(budget, 'a', 1, log);
    caller.leave();
    await Promise.all([large, small]);
    expect(log.toSorted()).toEqual(['a', 'a bad_request']);
    held.release();
    expect(budget.held).toBe(1);
  });

  test('is called or gives up, and not both, where its own connection makes the room as it closes', async () => {
    const budget = new ByteBudget(100);
    const held = granted(budget, 'a', 50);
    const caller = new TestCaller('a');
    // As a request that holds some bytes and waits for more.
    caller.outgoing.once('close', () => held.release());
    const log: string[] = [];
    const all = [waits(budget, 'a', 40, log, caller), waits(budget, 'a', 40, log)];
    caller.leave();
    await Promise.resolve();
    expect(log).toEqual(['a']);
    vi.advanceTimersByTime(maxWait);
    await Promise.all(all);
    expect(log).toEqual(['a', 'a overloaded']);
  });
});
