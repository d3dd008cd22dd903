import { expect, test } from 'vitest';

import { maxWaitingSearches, PageFinder } from '../../runtime/sqlite/page-finder.ts';
import type { FoundPage } from '../../runtime/sqlite/page-reader.ts';

const page = { limit: 1, offset: 0 };
const foundIn = (table: string): FoundPage => ({ total: 1, hasMore: false, ids: [table], rowids: [1] });

/** A finder whose pages are found when the test says, and those that were begun. */
class Bench {
  readonly begun: string[] = [];
  finish: () => void = () => undefined;
  readonly finder: PageFinder;

  constructor(maxDuration: number) {
    const findPage = (_: number, table: string): Promise<FoundPage> => {
      this.begun.push(table);
      return new Promise((resolve) => (this.finish = () => resolve(foundIn(table))));
    };
    this.finder = new PageFinder(findPage, maxDuration);
  }

  find(table: string, organization = 1): Promise<FoundPage | undefined> {
    return this.finder.find(organization, table, page);
  }
}

test('pages are found one after the other, and no more may wait than are worth it', async () => {
  const bench = new Bench(60_000);
  const pages = Array.from({ length: maxWaitingSearches + 1 }, (_, n) => bench.find(`${n}`));
  await expect(bench.find('one too many')).rejects.toMatchObject({ code: 'overloaded' });
  for (const [n, found] of pages.entries()) {
    expect(bench.begun).toHaveLength(n + 1);
    bench.finish();
    expect(await found).toEqual(foundIn(`${n}`));
    await new Promise(setImmediate);
  }
});

test('one that takes too long is given up; one that waits for it as well, and is never begun', async () => {
  const bench = new Bench(100);
  const pages = [bench.find('slow'), bench.find('waiting')];
  for (const end of await Promise.allSettled(pages)) expect(end).toMatchObject({ reason: { code: 'overloaded' } });
  bench.finish();
  await new Promise(setImmediate);
  const next = bench.find('next');
  bench.finish();
  expect(await next).toEqual(foundIn('next'));
  expect(bench.begun).toEqual(['slow', 'next']);
});

test('organizations take turns', async () => {
  const bench = new Bench(60_000);
  const pages = [
    ...Array.from({ length: maxWaitingSearches }, (_, n) => bench.find(`one ${n}`)),
    ...['two 0', 'two 1'].map((table) => bench.find(table, 2)),
    bench.find('three 0', 3),
  ];
  for (let n = 0; n < 5; n++) {
    bench.finish();
    await new Promise(setImmediate);
  }
  expect(bench.begun).toEqual(['one 0', 'one 1', 'two 0', 'three 0', 'one 2', 'two 1']);
  for (let n = 5; n < pages.length; n++) {
    bench.finish();
    await new Promise(setImmediate);
  }
  expect(await Promise.all(pages)).toHaveLength(maxWaitingSearches + 3);
});
