import { CliError } from '../errors.ts';
import type { Service } from '../service.ts';

type Command = (service: Service, args: readonly string[]) => Promise<void>;

// Each is loaded only when it is asked for.
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  backup: async () => (await import('./backup.ts')).backup,
  migrate: async () => (await import('./migrate.ts')).migrate,
  restore: async () => (await import('./restore.ts')).restore,
};

const serve = async (): Promise<Command> => (await import('./serve.ts')).serve;

/**
 * Does what the first argument of the command line names; without a name, serves. Whatever keeps it from that is one
 * clear message and exit code 1.
 */
export async function main(service: Service): Promise<void> {
  const [name = '', ...rest] = process.argv.slice(2);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  try {
    if (command) await (await command())(service, rest);
    else await (await serve())(service, process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
    // Its line to the process that started it would keep a worker alive.
    if (process.connected) process.exit();
  }
}
