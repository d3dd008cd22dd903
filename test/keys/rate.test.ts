import { expect, test } from 'vitest';

import { defaultRate, parseRate, TokenBucket } from '../../runtime/features/keys/rate.ts';

test('a rate is a number and a unit, or off', () => {
  expect(parseRate('5/s')).toEqual({ requests: 5, seconds: 1 });
  expect(parseRate('600/m')).toEqual({ requests: 600, seconds: 60 });
  expect(parseRate('1000000000/d')).toEqual({ requests: 1e9, seconds: 86_400 });
  expect(parseRate(defaultRate)).toEqual({ requests: 60_000, seconds: 60 });
  expect(parseRate('off')).toBeNull();
});

test.each(['', '5', '5/', '/s', '0/s', '05/s', '-5/s', '5.5/s', '5/y', '5 /s', '1000000001/s', 'OFF', '5/S'])(
  'the rate %j is refused',
  (text) => {
    expect(parseRate(text)).toBeUndefined();
  },
);

test('a bucket lets through what it holds, and then as many as come in', () => {
  const bucket = new TokenBucket({ requests: 6, seconds: 60 }, 0);
  const taken = (now: number): boolean => bucket.tryAcquire(now);
  expect([0, 0, 0, 0, 0, 0, 0].map(taken)).toEqual([true, true, true, true, true, true, false]);
  expect(bucket).toMatchObject({ remaining: 0, secondsToNext: 10 });
  expect(taken(9_000)).toBe(false);
  expect(bucket.secondsToNext).toBe(1);
  expect([10_000, 10_000].map(taken)).toEqual([true, false]);
  // However long it was left alone.
  expect(Array.from({ length: 7 }, () => taken(1e9)).filter(Boolean)).toHaveLength(6);
});

test('what is left and when there is more is said as of the last request', () => {
  const bucket = new TokenBucket({ requests: 100, seconds: 1 }, 0);
  bucket.tryAcquire(0);
  expect(bucket).toMatchObject({ remaining: 99, secondsToNext: 1 });
  for (let n = 0; n < 49; n++) bucket.tryAcquire(0);
  expect(bucket.remaining).toBe(50);
  bucket.tryAcquire(100);
  expect(bucket.remaining).toBe(59);
});

test('within a period, at most twice its requests are let through', () => {
  const bucket = new TokenBucket({ requests: 50, seconds: 1 }, 0);
  let through = 0;
  for (let now = 0; now < 1_000; now++) for (let n = 0; n < 5; n++) if (bucket.tryAcquire(now)) through++;
  expect(through).toBeGreaterThanOrEqual(99);
  expect(through).toBeLessThanOrEqual(100);
});
