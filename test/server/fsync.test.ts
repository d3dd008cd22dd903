import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect } from 'vitest';

import { testUnless } from '../support/disk.ts';
import { fsyncMissing, fsyncShim } from '../support/fsync.ts';
import { create, listAll } from '../support/records.ts';
import { startServer } from '../support/server.ts';
import { Folder } from './command.ts';

const attachments = '/api/files/attachment';

/** The ids that a start would find if the server were killed now. */
function idsAfterCrash(folder: Folder): unknown[] {
  using copy = new Folder();
  for (const end of ['', '-wal']) copyFileSync(folder.file(`records.db${end}`), copy.file(`records.db${end}`));
  using database = new DatabaseSync(copy.file('records.db'));
  return database
    .prepare('select "id" from "attachment" order by "id" desc')
    .all()
    .map(({ id }) => id);
}

describe('an fsync that fails', () => {
  // A long write is committed on the worker thread.
  for (const [thread, length] of [
    ['main', 1],
    ['worker', 1_100_000],
  ] as const) {
    testUnless(
      fsyncMissing,
      `on the ${thread} thread leaves open whether the write was done, until the next one`,
      async () => {
        using folder = new Folder();
        const FSYNC_FAILS = folder.file('fails');
        await using server = await startServer({ folder: folder.path, env: fsyncShim({ FSYNC_FAILS }) });
        const { id } = await create(server, attachments, { order_id: 'o', data: 'x' });
        writeFileSync(FSYNC_FAILS, '');
        const answer = await server.request('POST', attachments, { order_id: 'o', data: 'x'.repeat(length) });
        expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
        const { detail } = answer.body as { detail: string };
        expect(detail).toContain('may have been done or not');
        expect(detail).not.toMatch(/try again/i);
        expect(await listAll(server, attachments)).toHaveLength(1);

        rmSync(FSYNC_FAILS);
        // It takes the place of what the failed commit has left in the log.
        const after = await create(server, attachments, { order_id: 'o', data: 'after' });
        expect(idsAfterCrash(folder)).toEqual([after.id, id]);
      },
    );
  }
});

testUnless(
  fsyncMissing,
  'the folders that a first start makes are on the disk, and so are the names in them',
  async () => {
    using folder = new Folder();
    const FSYNC_LOG = folder.file('log');
    const DATABASE_URL = `sqlite:${folder.file('one/two/three/records.db')}`;
    await using _ = await startServer({
      folder: folder.path,
      env: { ...fsyncShim({ FSYNC_LOG }), DATABASE_URL, API_KEYS: '' },
    });
    const synced = new Set(readFileSync(FSYNC_LOG, 'utf8').split('\n'));
    for (const path of ['', 'one', 'one/two', 'one/two/three']) expect(synced).toContain(join(folder.path, path));
  },
);
