import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';

import { projectRoot } from '../support/server.ts';

const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), 'own-spec-'));
const clone = join(folder, 'clone');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('with another spec in the place of this one, and without test/api, everything is checked as before', async () => {
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
  });
  for (const path of stdout.split('\0')) {
    const isReplaced = /^(?:spec|generated|test\/api)\//.test(path);
    if (path !== '' && !isReplaced && existsSync(join(projectRoot, path)))
      cpSync(join(projectRoot, path), join(clone, path));
  }
  cpSync(join(projectRoot, 'docs/library/spec'), join(clone, 'spec'), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(clone, 'node_modules'));
  // Formatting the unchanged files takes half of the time.
  const settings = join(clone, 'package.json');
  const all = '--log-level warn . ';
  const text = readFileSync(settings, 'utf8');
  expect(text).toContain(all);
  writeFileSync(settings, text.replace(all, '--log-level warn generated spec '));
  const generated = await run('npm', ['run', '--silent', 'generate'], { cwd: clone });
  expect(generated.stdout).toContain('wrote    generated/catalogue/book.schema.ts');
  const faults = await run('npm', ['run', '--silent', 'check'], { cwd: clone }).then(
    () => '',
    (error: Error & { stdout: string; stderr: string }) => [error.message, error.stdout, error.stderr].join('\n'),
  );
  expect(faults).toBe('');
});
