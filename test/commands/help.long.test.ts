import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { projectRoot } from '../support/server.ts';

const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The scripts that are programs of this project; the others run those of packages. */
const programs = Object.keys(scripts).filter((name) => /^(?:exec )?(?:env \S+ )?node /.test(scripts[name] ?? ''));

/** Runs a script as npm does; npm itself would take half of the time. */
const run = (name: string, option: string) =>
  spawnSync('sh', ['-c', `${scripts[name]} ${option}`], {
    cwd: projectRoot,
    env: { ...process.env, PATH: `node_modules/.bin:${process.env['PATH']}` },
    encoding: 'utf8',
  });

test('npm hands options on', () => {
  const options = { cwd: projectRoot, encoding: 'utf8' } as const;
  const { stdout } = spawnSync('npm', ['run', '--silent', 'keys', '--', '--help'], options);
  expect(stdout).toContain('Usage:');
});

test.each(programs)('the script %s has help, and refuses an option that it does not know', (name) => {
  const help = run(name, '--help');
  expect({ status: help.status, stderr: help.stderr }).toEqual({ status: 0, stderr: '' });
  expect(help.stdout).toMatch(/^[A-Z][^]+\n\nUsage:\s+npm [^]+\nOptions:\n[^]+\nExit codes:\n/);
  const refused = run(name, '--hepl');
  expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /(?:Unknown option '--hepl'; did you mean "--help"\?|A command is missing|There is no command)/,
  );
});
