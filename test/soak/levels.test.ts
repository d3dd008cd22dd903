import { expect, test } from 'vitest';

import { Random } from '../support/random.ts';
import { growthOf, levels, type Sample } from './levels.ts';

const allowance = levels.find(({ name }) => name === 'live memory')?.allowance as number;

/** Samples of 45 seconds: 21 MiB, up to 6 more in a request under way, and what leaks each second. */
function samplesOf(leak: number): Sample[] {
  const random = new Random(1);
  return Array.from({ length: 45 }, (_, second) => ({
    minute: (30 + second) / 60,
    value: 21 + random.below(7) + second * leak,
  }));
}

test.each([
  { name: 'a server that keeps nothing is flat', leak: 0, grows: false },
  { name: 'a leak of 0.3 MiB a second is found', leak: 0.3, grows: true },
])('$name', ({ leak, grows }) => {
  expect(growthOf(samplesOf(leak)) > allowance).toBe(grows);
});

test('without samples nothing grows', () => {
  expect([growthOf([]), growthOf([{ minute: 1, value: 5 }])]).toEqual([0, 0]);
});
