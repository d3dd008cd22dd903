import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';

import type { Copy } from '../generator/copy.ts';
import { projectRoot } from '../support/server.ts';

/** Tests of the kernel, and the features that they use, too. */
const kernelTests: Readonly<Record<string, readonly string[]>> = {
  'http/assets': [],
  'http/codings': [],
  'http/json': [],
  'http/query': ['search', 'projection'],
  'migrate/backfill': ['search'],
  'migrate/long-names': [],
  'store/batch': ['batch'],
  'store/job-queue': [],
  'store/lists': ['line-items'],
  'store/model': ['batch', 'line-items', 'projection', 'search'],
  'store/numbers': [],
  'store/writes': ['batch', 'line-items'],
};

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const run = promisify(execFile);

/** Runs the tests of the kernel in a copy that lacks some features. @returns those that fail */
export async function failuresWithout({ root }: Copy, removed: ReadonlySet<string>): Promise<string[]> {
  const files = Object.entries(kernelTests).filter(([, needs]) => !needs.some((name) => removed.has(name)));
  for (const folder of ['support', ...new Set(files.map(([name]) => name.split('/', 1)[0] as string))]) {
    cpSync(join(projectRoot, 'test', folder), join(root, 'test', folder), { recursive: true });
  }
  const include = files.map(([name]) => `test/${name}.test.ts`);
  const options = { include, globalSetup: 'teardown.ts', isolate: false, pool: 'threads', testTimeout: 120_000 };
  writeFileSync(
    join(root, 'teardown.ts'),
    "export { dropDatabases as teardown } from './test/support/postgres-databases.ts';\n",
  );
  writeFileSync(join(root, 'vitest.config.ts'), `export default { test: ${JSON.stringify(options)} };\n`);
  const vitest = join(projectRoot, 'node_modules/vitest/vitest.mjs');
  const report = join(root, 'report.json');
  // As many rounds as `npm test` has.
  const env = { ...process.env, TEST_LONG: undefined };
  await run(process.execPath, [vitest, 'run', '--reporter=json', `--outputFile=${report}`], { cwd: root, env }).catch(
    () => {},
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  expect(testResults).toHaveLength(files.length);
  return testResults.flatMap(({ name, message, assertionResults }) => [
    ...(assertionResults.some(({ status }) => status === 'passed') ? [] : [`${name}: no test of it ran`]),
    ...(message === '' ? [] : [`${name}: ${message}`]),
    ...assertionResults.flatMap(({ status, fullName }) => (status === 'failed' ? [fullName] : [])),
  ]);
}
