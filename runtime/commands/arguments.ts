import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CliError } from '../errors.ts';
import { optionHint } from '../suggest.ts';

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
    const [what = ''] = (error as Error).message.split('. ');
    const hint = optionHint(what, Object.keys(config.options ?? {}));
    throw new CliError(`${what}${hint === '' ? '.' : hint} ${usage}`);
  }
}
