import { isMainThread } from 'node:worker_threads';
import { CliError } from '../errors.ts';
import type { Service } from '../service.ts';

/**
 * Runs the command that the first argument names, else the server. A CliError is one line and exit code 1. The files that
 * the process creates are readable by its owner only.
 */
export async function main(service: Service): Promise<void> {
  // Other threads cannot set it.
  if (isMainThread) process.umask(0o077);
  const [command, ...args] = process.argv.slice(2);
  try {
    // Each is loaded on demand.
    if (command === 'backup') await (await import('./backup.ts')).backup(service, args);
    else if (command === 'keys') await (await import('./keys.ts')).keys(service, args);
    else if (command === 'migrate') await (await import('./migrate.ts')).migrate(service, args);
    else if (command === 'organizations') await (await import('./organizations.ts')).organizations(service, args);
    else if (command === 'restore') await (await import('./restore.ts')).restore(service, args);
    else await (await import('./serve.ts')).serve(service, process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
    // The channel to the primary process would keep a worker alive.
    if (process.connected) process.exit();
  }
}
