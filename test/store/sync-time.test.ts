import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { isSyncSlow } from '../../runtime/engines/sqlite/sync-time.ts';

test.each([
  { name: 'if each one takes over 5 ms', syncs: [8, 6, 8], isSlow: true },
  { name: 'unless one is quick: the others may have waited', syncs: [8, 5, 8], isSlow: false },
])('an fsync is slow $name', ({ syncs, isSlow }) => {
  const folder = mkdtempSync(join(tmpdir(), 'records-sync-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let time = 0;
  const sync = (): void => void (time += syncs.shift() ?? 0);
  expect(isSyncSlow(join(folder, 'records.db'), sync, () => time)).toBe(isSlow);
  expect(syncs).toEqual([]);
  expect(readdirSync(folder)).toEqual([]);
});

test('a disk that cannot be written is not slow: the first write finds that', () => {
  expect(isSyncSlow(join(tmpdir(), 'no-such-folder', 'records.db'))).toBe(false);
});
