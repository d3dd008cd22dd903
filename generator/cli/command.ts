import { type Command, type Given, parseArguments, printsHelp, usageError } from '../../runtime/commands/arguments.ts';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { exitCodes } from '../../runtime/kernel/model/exit-codes.ts';
import { messageOf } from '../read/system-error.ts';

/** The format of a command's output. @throws UsageError if it is none of these. */
export function parseFormat<F extends string>(help: string, name: string, formats: readonly F[]): F {
  const format = formats.find((candidate) => candidate === name);
  if (format !== undefined) return format;
  throw usageError(help, `There is no format ${JSON.stringify(name)}; there are ${formats.join(', ')}.`);
}

/**
 * Runs a command with its arguments; it returns its exit code. An error made for users, or one of the operating system, is
 * printed as its message.
 */
export async function runCommand<C extends Command>(
  command: C,
  run: (given: Given<C>) => number | Promise<number>,
): Promise<void> {
  try {
    const args = process.argv.slice(2);
    if (!printsHelp(command.help, args)) process.exitCode = await run(parseArguments(command, args));
  } catch (error) {
    const message = messageOf(error);
    if (message === undefined) throw error;
    console.error(message);
    process.exitCode = error instanceof CliError ? error.exitCode : exitCodes.failed;
  }
}
