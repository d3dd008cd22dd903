import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from '../kernel/model/errors.ts';
import { didYouMean } from '../kernel/model/suggest.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The help of a command, as it is printed, and the rules for its arguments. */
export interface Command {
  /** Has a paragraph that begins with `Usage:` and the call of the command. */
  readonly help: string;
  readonly options?: Options;
  /** How many arguments it takes that are no options; without it none. */
  readonly names?: readonly [min: number, max: number];
}

/** The arguments of a command, as its options type them. */
export type Given<C extends Command> = ReturnType<
  typeof parseArgs<{
    args: string[];
    options: C extends { readonly options: infer O extends Options } ? O : {};
    allowPositionals: true;
  }>
>;

/** Options that are settings of npm, too: one that is set was not necessarily meant for a command. */
const settingsOfNpm: ReadonlySet<string> = new Set(['all', 'expires', 'force', 'name', 'only', 'scope', 'yes']);

const isSetForNpm = (setting: string): boolean =>
  process.env[`npm_config_${setting.replaceAll('-', '_')}`] !== undefined;

/** npm reads `--plan` as `-p -l -a -n`. */
const isTakenByNpm = (option: string): boolean =>
  (!settingsOfNpm.has(option) && isSetForNpm(option)) ||
  (option === 'plan' && ['parseable', 'long', 'all', 'yes'].every(isSetForNpm));

/**
 * Parses the arguments of a command.
 *
 * @throws UsageError that says what is wrong and how the command is called.
 */
export function parseArguments<C extends Command>(command: C, args: readonly string[]): Given<C> {
  const { help, options = {}, names: [min, max] = [0, 0] } = command;
  const taken = Object.keys(options).find(isTakenByNpm);
  if (taken !== undefined)
    throw usageError(help, `npm took --${taken} for itself; it comes after \`${callOf(help)}\`.`);
  let given: Given<C>;
  try {
    given = parseArgs({ args: [...args], options, allowPositionals: true }) as Given<C>;
  } catch (error) {
    // The rest of the message is advice that does not fit every command.
    const [what = ''] = (error as Error).message.split('. ');
    throw usageError(help, `${what}${optionHint(what, [...Object.keys(options), 'help']) || '.'}`);
  }
  const { length } = given.positionals;
  if (length > max) throw usageError(help, `There is an argument too many: ${JSON.stringify(given.positionals[max])}.`);
  if (length < min) throw usageError(help, 'An argument is missing.');
  return given;
}

/** @returns the command that the first argument names. @throws UsageError if there is none */
export function chooseCommand<N extends string>(
  help: string,
  commands: Readonly<Record<N, unknown>>,
  name: string | undefined,
): N {
  if (name !== undefined && Object.hasOwn(commands, name)) return name as N;
  const names = Object.keys(commands);
  if (name === undefined) throw usageError(help, `A command is missing: ${names.join(', ')}.`);
  const hint = didYouMean(name, names) || `; there are ${names.join(', ')}.`;
  throw usageError(help, `There is no command ${JSON.stringify(name)}${hint}`);
}

/** An error of the arguments of a command: what is wrong, and how the command is called. */
export function usageError(help: string, what: string): UsageError {
  const [usage = ''] = /^Usage:.*\n(?:.+\n)*/m.exec(help) ?? [];
  return new UsageError(`${what}\n${usage}\`${callOf(help)} --help\` says more.`);
}

/** The number that an option has. @throws UsageError if it is none within these limits */
export function numberOf(help: string, option: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  throw usageError(help, `--${option} is ${JSON.stringify(text)}; it must be a number from ${min} to ${max}.`);
}

/** The call of a command, up to its own arguments: npm takes those behind `--`. */
const callOf = (help: string): string =>
  (/^Usage:\s+(npm (?:run )?\S+|npx \S+)/m.exec(help)?.[1] ?? '').replace(/^npm .*/, '$& --');

/** Prints the help of a command if its arguments ask for it. @returns whether they do */
export function printsHelp(help: string, args: readonly string[]): boolean {
  if (!args.includes('--help') && !args.includes('-h')) return false;
  console.log(`${help}\n${exitCodesHelp}`);
  return true;
}

const exitCodesHelp = `Exit codes:
  0  done
  1  failed; the message says why
  2  the arguments are wrong; nothing was done`;

/** `didYouMean` for the message of `util.parseArgs` about an option that is not known; empty for any other message. */
function optionHint(message: string, options: readonly string[]): string {
  const [, name] = /^Unknown option '(--[^']+)'/.exec(message) ?? [];
  if (name === undefined) return '';
  const names = options.map((option) => `--${option}`);
  const longer = names.find((option) => option.startsWith(`${name}-`));
  return longer === undefined ? didYouMean(name, names) : `; did you mean ${JSON.stringify(longer)}?`;
}
