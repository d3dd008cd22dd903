import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { projectRoot } from '../support/server.ts';

const init = join(projectRoot, 'generator/cli/init.ts');

test.each<[string, (folder: string) => void]>([
  ['this one', (folder) => copyFileSync(join(projectRoot, '.gitignore'), join(folder, '.gitignore'))],
  ['one that init makes', (cwd) => execFileSync(process.execPath, [init, 'library'], { cwd })],
])('databases, backups and packages are not committed in a project like %s', (_, make) => {
  const cwd = mkdtempSync(join(tmpdir(), 'records-ignored-'));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  execFileSync('git', ['init', '-q'], { cwd });
  make(cwd);
  const files = [
    '.env',
    'data/records.db',
    'backup.db',
    'a/b.db',
    'a/b.db-wal',
    'a/b.db-shm',
    'library-1.0.0.tgz',
    'spec/db.yaml',
    'a/db',
    '.env.example',
  ];
  const { stdout } = spawnSync('git', ['check-ignore', ...files], { cwd, encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual(files.slice(0, 7));
});
