import { expect, test } from 'vitest';

import { maxWaitingPages, PageTurns } from '../../runtime/sqlite/page-turns.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Reads as long as a page that takes all of a turn. */
function readLong(): string {
  const end = performance.now() + 8;
  while (performance.now() < end);
  return 'long';
}

test('pages are read at once until they have taken their share of a turn; then others have theirs in between', async () => {
  const turns = new PageTurns(60_000);
  const read: string[] = [];
  expect(turns.run(readLong, readLong)).toBe('long');
  const pages = ['second', 'third'].map((name) =>
    turns.run(readLong, () => {
      read.push(name);
      return readLong();
    }),
  );
  // Nothing else is begun in this turn.
  expect(read).toEqual([]);
  let turnsBetween = 0;
  const counted = (async () => {
    while (read.length < 2) {
      await turn();
      turnsBetween++;
    }
  })();
  expect(await Promise.all(pages)).toEqual(['long', 'long']);
  await counted;
  expect(read).toEqual(['second', 'third']);
  expect(turnsBetween).toBeGreaterThanOrEqual(2);
  await turn();
  expect(turns.run(readLong, readLong)).toBe('long');
});

test('a page that waits too long is given up, and one that is being answered is not', async () => {
  const turns = new PageTurns(0);
  turns.run(readLong, readLong);
  const more = turns.continue(() => 'more');
  const late = turns.run(readLong, () => 'late') as Promise<string>;
  await expect(late).rejects.toMatchObject({ code: 'overloaded' });
  expect(await more).toBe('more');
});

test('what a page throws is what its caller gets, and the next one is read', async () => {
  const turns = new PageTurns(60_000);
  turns.run(readLong, readLong);
  const failed = turns.run(readLong, () => {
    throw new Error('the disk is gone');
  }) as Promise<string>;
  const next = turns.run(readLong, () => 'next');
  await expect(failed).rejects.toThrow('the disk is gone');
  expect(await next).toBe('next');
});

test('more pages than may wait are refused', async () => {
  const turns = new PageTurns(60_000);
  turns.run(readLong, readLong);
  const waiting = Array.from({ length: maxWaitingPages }, (_, n) => turns.run(readLong, () => `${n}`));
  expect(() => turns.run(readLong, readLong)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  expect(await Promise.all(waiting)).toEqual(waiting.map((_, n) => `${n}`));
});
