import { parseArgs } from 'node:util';
import { UsageError } from '../model/errors.ts';
import { type CommandDescription, helpOf, usageOf } from './description.ts';

/** The arguments of a command, as its description types them. */
export type Given<D extends CommandDescription> = ReturnType<
  typeof parseArgs<{ args: string[]; options: D['options']; allowPositionals: true }>
>;

/** Options that are settings of npm, too: one that is set was not necessarily meant for a command. */
const settingsOfNpm: ReadonlySet<string> = new Set(['all', 'expires', 'force', 'name', 'only', 'scope', 'yes']);

/** npm takes an option that it does not know for several short ones if it can: `--plan` for `-p -l -a -n`. */
const shortOptionsOfNpm: Readonly<Record<string, string>> = { a: 'all', l: 'long', n: 'yes', p: 'parseable' };

const isSetForNpm = (setting: string): boolean =>
  process.env[`npm_config_${setting.replaceAll('-', '_')}`] !== undefined;

const isShortOptionOfNpm = (letter: string): boolean => isSetForNpm(shortOptionsOfNpm[letter] ?? '');

/**
 * Parses the arguments of a command by its description.
 *
 * @throws UsageError that says what is wrong and how the command is called.
 */
export async function parseArguments<D extends CommandDescription>(
  command: D,
  args: readonly string[],
): Promise<Given<D>> {
  const { options, names: { min, max } = { min: 0, max: 0 }, call } = command;
  const taken = Object.keys(options).find(
    (name) => (!settingsOfNpm.has(name) && isSetForNpm(name)) || [...name].every(isShortOptionOfNpm),
  );
  if (taken !== undefined) throw usageError(command, `npm took --${taken} for itself; it comes after \`${call}\`.`);
  let given: Given<D>;
  try {
    given = parseArgs({ args: [...args], options: options as D['options'], allowPositionals: true });
  } catch (error) {
    // The rest of the message is advice that does not fit every command.
    const [what = ''] = (error as Error).message.split('. ');
    // Loaded on demand: most runs have nothing to suggest.
    const { optionHint } = await import('../model/suggest.ts');
    throw usageError(command, `${what}${optionHint(what, [...Object.keys(options), 'help']) || '.'}`);
  }
  const { length } = given.positionals;
  if (length > max)
    throw usageError(command, `There is an argument too many: ${JSON.stringify(given.positionals[max])}.`);
  if (length < min) throw usageError(command, 'An argument is missing.');
  return given;
}

/** @returns the command that the first argument names, of those that a command consists of, and the other arguments */
export async function chooseCommand<C extends Readonly<Record<string, CommandDescription>>>(
  command: CommandDescription & { readonly commands: C },
  [name = '', ...rest]: readonly string[],
): Promise<{ name: keyof C & string; description: CommandDescription; rest: readonly string[] }> {
  const commands: Readonly<Record<string, CommandDescription>> = command.commands;
  const description = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (description) return { name, description, rest };
  const known = Object.keys(commands);
  throw usageError(command, name === '' ? `A command is missing: ${known.join(', ')}.` : await noCommand(name, known));
}

/** The message for a command that does not exist. */
export async function noCommand(name: string, known: readonly string[]): Promise<string> {
  const { didYouMean } = await import('../model/suggest.ts');
  return `There is no command ${JSON.stringify(name)}${didYouMean(name, known) || `; there are ${known.join(', ')}.`}`;
}

/** An error of the arguments of a command: what is wrong, and how the command is called. */
export const usageError = (command: CommandDescription, what: string): UsageError =>
  new UsageError(`${what}\nUsage: ${usageOf(command)}\n\`${command.call} --help\` says more.`);

/** The help that the arguments of a command ask for: of itself, or of a command that is a part of it; otherwise undefined. */
export function requestedHelp(command: CommandDescription, args: readonly string[]): string | undefined {
  const { commands = {} } = command;
  const [name = ''] = args;
  const part = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const end = args.indexOf('--');
  const isAsked = args.slice(0, end === -1 ? undefined : end).some((arg) => arg === '--help' || arg === '-h');
  if (!isAsked && !(name === 'help' && Object.keys(commands).length > 0)) return undefined;
  return helpOf(part ?? command);
}
