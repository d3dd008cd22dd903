import { isMainThread } from 'node:worker_threads';
import { CliError } from '../model/errors.ts';
import type { Service } from '../api/service.ts';
import { noCommand, requestedHelp, usageError } from './arguments.ts';
import { type CommandName, commands } from './descriptions.ts';

type Run = (service: Service, args: readonly string[]) => Promise<void>;

/** The functions that run the commands; loaded on demand. */
const programs: Readonly<Record<CommandName, () => Promise<Run>>> = {
  start: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrate,
  keys: async () => (await import('./keys.ts')).keys,
  organizations: async () => (await import('./organizations.ts')).organizations,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  demo: async () => (await import('./demo.ts')).demo,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
};

/**
 * Runs the command that the first argument names, else the server. A CliError is its message and exit code. The files that the process creates are readable by its owner only.
 */
export async function main(service: Service): Promise<void> {
  // Other threads cannot set it.
  if (isMainThread) process.umask(0o077);
  try {
    await run(service, process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
    // The channel to the primary process would keep a worker alive.
    if (process.connected) process.exit();
  }
}

async function run(service: Service, args: readonly string[]): Promise<void> {
  const [first = ''] = args;
  const isNamed = Object.hasOwn(programs, first);
  if (!isNamed && /^[^-]/.test(first)) throw usageError(commands.start, await noCommand(first, Object.keys(programs)));
  const name = isNamed ? (first as CommandName) : 'start';
  const own = isNamed ? args.slice(1) : args;
  const help = requestedHelp(commands[name], own);
  if (help !== undefined) return console.log(help);
  return (await programs[name]())(service, own);
}
