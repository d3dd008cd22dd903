import { CliError } from '../errors.ts';
import type { Service } from '../service.ts';

type Command = (service: Service, args: readonly string[]) => Promise<void>;

// Each is loaded on demand.
const commands = new Map<string | undefined, () => Promise<Command>>([
  ['backup', async () => (await import('./backup.ts')).backup],
  ['migrate', async () => (await import('./migrate.ts')).migrate],
  ['restore', async () => (await import('./restore.ts')).restore],
]);

/** Runs the command that the first argument names, else the server. A CliError is one line and exit code 1. */
export async function main(service: Service): Promise<void> {
  const args = process.argv.slice(2);
  const load = commands.get(args[0]);
  try {
    if (load) await (await load())(service, args.slice(1));
    else await (await import('./serve.ts')).serve(service, args);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
    // The channel to the primary process would keep a worker alive.
    if (process.connected) process.exit();
  }
}
