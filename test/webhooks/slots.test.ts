import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { Slots } from '../../runtime/features/delivery/slots.ts';

test('so many things are done at once, and others begin in their order, also after one that fails', async () => {
  const slots = new Slots(2);
  const begun: number[] = [];
  const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
  const all = ends.map(({ promise }, n) =>
    slots.run(() => {
      begun.push(n);
      return promise;
    }),
  );
  await nextTurn();
  expect(begun).toEqual([0, 1]);
  ends[1]?.reject(new Error('failed'));
  await expect(all[1]).rejects.toThrow('failed');
  expect(begun).toEqual([0, 1, 2]);
  for (const [n, { resolve }] of ends.entries()) resolve(n);
  expect(await Promise.all(all.toSpliced(1, 1))).toEqual([0, 2, 3, 4]);
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});
