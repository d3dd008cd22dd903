import { execFileSync } from 'node:child_process';

import { dropDatabases } from './postgres-databases.ts';

/** Generates the code of the tests' own service, which is not committed, before any test imports it. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'generate:test'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

export const teardown = dropDatabases;
