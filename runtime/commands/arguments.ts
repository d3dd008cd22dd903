import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CliError } from '../errors.ts';

/**
 * Parses the arguments of a command.
 *
 * @param usage the sentence that follows what is wrong
 * @throws CliError that says what is wrong.
 */
export function parseArguments<C extends ParseArgsConfig>(usage: string, config: C): ReturnType<typeof parseArgs<C>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // What follows is advice on a "--" that npm has taken already.
    throw new CliError(`${(error as Error).message.split('. ')[0]}. ${usage}`);
  }
}
