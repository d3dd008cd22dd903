import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { openSqlite } from '../support/main-store.ts';
import { serviceName } from '../support/databases.ts';
import { company, insertOf } from './contract.ts';

test('the write-ahead log stays short while two servers write', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'records-wal-'));
  const file = join(folder, 'records.db');
  const stores = [await openSqlite(file, [company], serviceName), await openSqlite(file, [company], serviceName)];
  // A third of what is written, at most: a checkpoint may miss the end of the log for a while.
  let largest = 0;
  try {
    for (let round = 0; round < 600; round++) {
      const writes = stores.flatMap((store) =>
        Array.from({ length: 32 }, () => store.write(insertOf(company, { name: 'x'.repeat(2_000) }))),
      );
      await Promise.all(writes);
      largest = Math.max(largest, statSync(`${file}-wal`).size);
    }
  } finally {
    for (const store of stores) await store.close();
    rmSync(folder, { recursive: true });
  }
  expect(largest).toBeLessThan(64 * 1024 * 1024);
});
