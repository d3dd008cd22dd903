import { type Command, type Given, parseArguments, printsHelp } from '../../runtime/commands/arguments.ts';
import { UsageError } from '../../runtime/kernel/model/errors.ts';

/**
 * Reads the command line of a program that measures or attacks the server. `--help` ends the process with 0, arguments that
 * are not valid end it with 2.
 *
 * @param read makes of the options what the program needs; it throws a UsageError where a value is not valid
 */
export async function readCommandLine<D extends Command, T>(
  command: D,
  read: (values: Given<D>['values']) => T,
): Promise<T> {
  const args = process.argv.slice(2);
  if (printsHelp(command.help, args)) process.exit();
  try {
    return read(parseArguments(command, args).values);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
