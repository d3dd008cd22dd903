import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CliError } from '../../runtime/errors.ts';
import { GitError } from '../git.ts';
import { messageOf } from './failure.ts';

/** The arguments of a command are not valid. */
export class UsageError extends CliError {
  /** The options of the command, if one is not known. */
  readonly options: readonly string[];

  constructor(message: string, options: readonly string[] = []) {
    super(message);
    this.options = options;
  }
}

/** Parses the arguments of a command. @throws UsageError with the usage where they are not understood. */
export function parseArguments<T extends ParseArgsConfig>(usage: string, config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`, Object.keys(config.options ?? {}));
  }
}

/** The format of a command's output. @throws UsageError where it is none of these. */
export function parseFormat<F extends string>(usage: string, name: string, formats: readonly F[]): F {
  const format = formats.find((known) => known === name);
  if (format === undefined) throw new UsageError(`There is no format ${JSON.stringify(name)}.\n${usage}`);
  return format;
}

/**
 * Runs a command that returns its exit code. An error made for users, or one of the operating system, is printed as its
 * message; its exit code is 2 where the arguments are not valid or Git cannot answer, else 1.
 */
export async function runCommand(run: () => number | Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    const message = messageOf(error);
    if (message === undefined) throw error;
    console.error(await withHint(error, message));
    process.exitCode = error instanceof UsageError || error instanceof GitError ? 2 : 1;
  }
}

/** The message with the option that was meant, if one is near. */
async function withHint(error: unknown, message: string): Promise<string> {
  if (!(error instanceof UsageError) || error.options.length === 0) return message;
  // Not loaded by every run.
  const { optionHint } = await import('../../runtime/suggest.ts');
  const hint = optionHint(message, error.options);
  return hint === '' ? message : message.replace(/(?:\. [^\n]*)?\n/, `${hint}\n`);
}
