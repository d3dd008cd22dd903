import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

import { reasonAgainst } from './disk.ts';

const source = fileURLToPath(new URL('./fsync.c', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'records-fsync-'));
const library = join(folder, 'fsync.so');

/** Why the fsync of a server cannot be replaced here. */
export const fsyncMissing =
  process.platform === 'linux'
    ? reasonAgainst(() => execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source], { stdio: 'pipe' }))
    : 'LD_PRELOAD is one of Linux';

/** The environment of a server whose fsync is that of fsync.c. */
export const fsyncShim = (settings: { FSYNC_FAILS?: string; FSYNC_LOG?: string }): Record<string, string> => ({
  LD_PRELOAD: library,
  ...settings,
});

afterAll(() => rmSync(folder, { recursive: true }));
