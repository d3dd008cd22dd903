import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const program = `
import { readSync } from 'node:fs';
import { createServer } from 'node:http';
import { processesOf } from ${JSON.stringify(new URL('../../runtime/features/workers/workers.ts', import.meta.url).href)};
// No event tells this process that its parent has gone.
readSync(0, Buffer.alloc(1));
processesOf(1).serve(createServer(), async () => 0);
`;

test('a worker whose main process goes while it starts ends without an error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'records-worker-'));
  try {
    await writeFile(join(folder, 'worker.mjs'), program);
    const worker = fork(join(folder, 'worker.mjs'), { stdio: ['pipe', 'ignore', 'pipe', 'ipc'] });
    const ended = Promise.all([once(worker, 'exit'), text(worker.stderr as NonNullable<typeof worker.stderr>)]);
    const gone = once(worker, 'disconnect');
    worker.disconnect();
    await gone;
    worker.stdin?.end('x');
    expect(await ended).toEqual([[0, null], '']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
