import { isMainThread } from 'node:worker_threads';
import { CliError } from '../model/errors.ts';
import type { Service } from '../api/service.ts';
import { chooseCommand, printsHelp } from './arguments.ts';

interface Program {
  readonly help: string;
  run(service: Service, args: readonly string[]): Promise<void>;
}

/** The files of the commands; loaded on demand. */
const programs: Readonly<Record<string, () => Promise<Program>>> = {
  start: () => import('./serve.ts'),
  migrate: () => import('./migrate.ts'),
  keys: () => import('./keys.ts'),
  organizations: () => import('./organizations.ts'),
  webhooks: () => import('./webhooks.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  demo: () => import('./demo.ts'),
  import: () => import('./import.ts'),
  events: () => import('./events.ts'),
  export: () => import('./export.ts'),
};

/**
 * Runs the command that the first argument names, else the server. A CliError is its message and exit code. The files that the process creates are readable by its owner only.
 */
export async function main(service: Service): Promise<void> {
  // Other threads cannot set it.
  if (isMainThread) process.umask(0o077);
  try {
    const args = process.argv.slice(2);
    const isNamed = args[0] !== undefined && !args[0].startsWith('-');
    const name = isNamed ? chooseCommand('Usage: npm start -- [options]\n', programs, args.shift()) : 'start';
    const { help, run } = await (programs[name] as () => Promise<Program>)();
    if (!printsHelp(help, args)) await run(service, args);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
    // The channel to the primary process would keep a worker alive.
    if (process.connected) process.exit();
  }
}
