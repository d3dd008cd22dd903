import { isMainThread } from 'node:worker_threads';
import { features } from '../features.ts';
import type { CommandContext, Program } from '../kernel/feature.ts';
import { CliError } from '../kernel/model/errors.ts';
import type { Service } from '../kernel/api/service.ts';
import { chooseCommand, printsHelp } from '../commands/arguments.ts';
import { settingsIn, settingsOf } from '../server/settings.ts';

/** The files of the commands; loaded on demand. */
const programs: Readonly<Record<string, () => Promise<Program>>> = {
  start: async () => (await import('./serve.ts')).serveProgram(features),
  migrate: () => import('./migrate.ts'),
  ...Object.assign({}, ...features.list.map(({ commands }) => commands)),
  demo: () => import('./demo.ts'),
  import: () => import('./import.ts'),
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
    const settings = settingsIn(settingsOf(features), process.env);
    const context: CommandContext = {
      service,
      features,
      settings,
      server: async (url) => (await import('./server-of.ts')).serverOf({ features, settings }, url),
    };
    if (!printsHelp(help, args)) await run(context, args);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    console.error(error.message);
    process.exitCode = error.exitCode;
    // The channel to the primary process would keep a worker alive.
    if (process.connected) process.exit();
  }
}
