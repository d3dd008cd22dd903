import { exitCodes } from '../model/exit-codes.ts';

/** An option of a command, as `util.parseArgs` reads it, and its line in the help. */
export interface OptionDescription {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly default?: string | boolean;
  /** The placeholder of its value, like `NAME` or `sqlite|postgres`. */
  readonly value?: string;
  /** Whether the usage shows it by itself, as the command needs it. */
  readonly isRequired?: boolean;
  readonly does: string;
}

/** The help of a command, and the rules for its arguments. */
export interface CommandDescription {
  /** How it is called, up to its own arguments, like `npm run keys -- create`. */
  readonly call: string;
  /** Its purpose, as a sentence without its end. */
  readonly does: string;
  /** The arguments that are no options: how the usage shows them, and how many there may be; none if undefined. */
  readonly names?: { readonly usage: string; readonly min: number; readonly max: number };
  readonly options: Readonly<Record<string, OptionDescription>>;
  /** Further paragraphs. */
  readonly notes?: readonly string[];
  /** Tables, by their titles, of names and what they mean. */
  readonly tables?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Arguments, and their effect. */
  readonly examples: readonly (readonly [args: string, does: string])[];
  /** Exit codes of its own besides those of every command. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** The commands that it consists of, by the word that names each. */
  readonly commands?: Readonly<Record<string, CommandDescription>>;
}

/** The option of every command. */
const helpOption: OptionDescription = { type: 'boolean', does: 'prints this' };

/** The exit codes of every command. */
const commonExitCodes: Readonly<Record<number, string>> = {
  [exitCodes.done]: 'done',
  [exitCodes.failed]: 'failed; the message says why',
  [exitCodes.wrongArguments]: 'the arguments are wrong; nothing was done',
};

/** Columns of a line of help. */
const lineWidth = 100;

/** How an option is written, like `--name NAME`. */
const writtenOption = (name: string, { value }: OptionDescription): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

/** The line that shows how a command is called, without the word `Usage`. */
export function usageOf({ call, names, options, commands }: CommandDescription): string {
  if (commands) return `${call} COMMAND [options]`;
  const required = Object.entries(options).flatMap(([name, option]) =>
    option.isRequired ? [`${writtenOption(name, option)}${option.multiple ? '…' : ''}`] : [],
  );
  const hasOthers = Object.values(options).some(({ isRequired }) => !isRequired);
  return called(call, [names?.usage, ...required, hasOthers && '[options]'].filter(Boolean).join(' '));
}

/** A call with its arguments; without any, npm needs no `--`. */
const called = (call: string, args: string): string => (args === '' ? call.replace(/ --$/, '') : `${call} ${args}`);

/** The whole help of a command, without a line break at its end. */
export function helpOf(command: CommandDescription): string {
  const { does, options, notes = [], tables = {}, examples, exitCodes: own, commands = {} } = command;
  const parts = Object.entries(commands);
  const written = Object.entries({ ...options, help: helpOption }).map(([name, option]): [string, string] => [
    name === 'help' ? '--help, -h' : writtenOption(name, option),
    describeOption(option),
  ]);
  const calls = examples.map(([args, what]): [string, string] => [called(command.call, args), what]);
  return [
    wrapped(`${does.charAt(0).toUpperCase()}${does.slice(1)}.`),
    `Usage: ${usageOf(command)}`,
    ...notes.map((note) => wrapped(note)),
    ...(parts.length > 0
      ? [
          section(
            'Commands',
            parts.map(([name, part]): [string, string] => [usageOf({ ...part, call: name }), part.does]),
          ),
        ]
      : []),
    ...parts.flatMap(([name, part]) => {
      const rows = Object.entries(part.options).map(([option, description]): [string, string] => [
        writtenOption(option, description),
        describeOption(description),
      ]);
      return rows.length > 0 ? [section(`Options of ${name}`, rows)] : [];
    }),
    section('Options', written),
    ...Object.entries(tables).map(([title, rows]) => section(title, Object.entries(rows))),
    ...(calls.length > 0 ? [section('Examples', calls)] : []),
    section('Exit codes', Object.entries({ ...commonExitCodes, ...own })),
  ].join('\n\n');
}

function describeOption({ does, default: value, multiple }: OptionDescription): string {
  const more = multiple ? '; can be given several times' : '';
  return typeof value === 'string' ? `${does}${more} (default: ${value})` : `${does}${more}`;
}

/** A title, and rows of two columns, of which a name that is too long has a line of its own. */
function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => (name.length <= lineWidth / 2 ? name.length : 0)));
  const indent = ' '.repeat(width + 4);
  const lines = rows.map(([name, text]) => {
    const shown = wrapped(text, indent).trimStart();
    return name.length <= width ? `  ${name.padEnd(width)}  ${shown}` : `  ${name}\n${indent}${shown}`;
  });
  return [`${title}:`, ...lines].join('\n');
}

/** A text in lines of at most `lineWidth` columns, each with the indent. */
function wrapped(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > lineWidth) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}
