import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { projectRoot } from '../support/server.ts';

const lock = join(projectRoot, 'node_modules/.cache/packing');

/** Milliseconds after which a lock is that of a run that was killed. */
const longestPack = 300_000;

function isTaken(): boolean {
  try {
    mkdirSync(lock);
    return false;
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - since > longestPack) rmSync(lock, { recursive: true, force: true });
    return true;
  }
}

/** Packs the project into a folder. One packs at a time: each builds `dist/` anew. */
export async function pack(folder: string): Promise<void> {
  while (isTaken()) await sleep(100);
  try {
    await promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd: projectRoot });
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
