import { format } from 'node:util';

import { main } from '../../runtime/index.ts';
import type { Service } from '../../runtime/kernel/api/service.ts';
import type { End } from './command.ts';

/** One after the other: they print, and take their settings, where this process has only one place for it. */
let last: Promise<unknown> = Promise.resolve();

/** Runs a command of a service as `node generated/server.ts` does, but in this process. @returns what it says and how it ends */
export function runInProcess(service: Service, env: Readonly<Record<string, string>>, ...args: string[]): Promise<End> {
  const run = last.then(() => runNow(service, env, args));
  last = run.catch(() => undefined);
  return run;
}

async function runNow(service: Service, env: Readonly<Record<string, string>>, args: readonly string[]): Promise<End> {
  const said = { stdout: '', stderr: '' };
  const former = { env: process.env, argv: process.argv, log: console.log, error: console.error };
  process.env = { ...process.env, ...env };
  process.argv = [...process.argv.slice(0, 2), ...args];
  console.log = (...words) => (said.stdout += `${format(...words)}\n`);
  console.error = (...words) => (said.stderr += `${format(...words)}\n`);
  try {
    await main(service);
    return { code: Number(process.exitCode ?? 0), signal: null, ...said };
  } finally {
    process.exitCode = undefined;
    const { env: formerEnv, argv, ...formerConsole } = former;
    Object.assign(process, { env: formerEnv, argv });
    Object.assign(console, formerConsole);
  }
}
