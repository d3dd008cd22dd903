import { parseArguments, requestedHelp, usageError } from '../../runtime/cli/arguments.ts';
import type { Given } from '../../runtime/cli/arguments.ts';
import type { CommandDescription } from '../../runtime/cli/description.ts';
import { CliError } from '../../runtime/model/errors.ts';
import { exitCodes } from '../../runtime/model/exit-codes.ts';
import { messageOf } from '../read/system-error.ts';

/** The format of a command's output. @throws UsageError if it is none of these. */
export function parseFormat<F extends string>(command: CommandDescription, name: string, formats: readonly F[]): F {
  const format = formats.find((known) => known === name);
  if (format === undefined) {
    throw usageError(command, `There is no format ${JSON.stringify(name)}; there are ${formats.join(', ')}.`);
  }
  return format;
}

/**
 * Runs a command with its arguments; it returns its exit code. An error made for users, or one of the operating system, is
 * printed as its message.
 */
export async function runCommand<D extends CommandDescription>(
  command: D,
  run: (given: Given<D>) => number | Promise<number>,
): Promise<void> {
  try {
    const args = process.argv.slice(2);
    const help = requestedHelp(command, args);
    if (help === undefined) process.exitCode = await run(await parseArguments(command, args));
    else console.log(help);
  } catch (error) {
    const message = messageOf(error);
    if (message === undefined) throw error;
    console.error(message);
    process.exitCode = error instanceof CliError ? error.exitCode : exitCodes.failed;
  }
}
