import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { Folder } from '../server/command.ts';
import { projectRoot } from '../support/server.ts';
import { skip } from '../support/skip.ts';

/** Exposures that `systemd-analyze security` calls OK are below 5, well confined services below 2. */
const mostExposed = 2;

test('systemd finds nothing wrong with the unit, and little exposed', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).error !== undefined) return skip(context, 'systemd is not installed');
  using folder = new Folder();
  const unit = readFileSync(join(projectRoot, 'docs/deployment/records.service'), 'utf8');
  const file = folder.file('records.service');
  // This machine's Node is elsewhere.
  writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' });
  const [, exposure = ''] = /Overall exposure level for records\.service: ([\d.]+)/.exec(stdout) ?? [];
  expect(exposure).not.toBe('');
  expect(Number(exposure)).toBeLessThan(mostExposed);
});
