import { execFileSync } from 'node:child_process';

/** Generates the code of the tests' own service, which is not committed, before any test imports it. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'generate:test'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
