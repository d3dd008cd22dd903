import { type Given, usageError } from '../../runtime/commands/arguments.ts';
import { readCommandLine } from '../support/command-line.ts';
import type { Attack } from './attack.ts';
import { attacks, named } from './attacks.ts';

const text = { type: 'string' } as const;

const command = {
  help: `Attacks the server, and judges how it takes it.

Usage: npm run attack -- [options]

Options:
  --minutes N                 shared by the attacks: each is repeated until its part is over, and done at least
                              once (default: 0)
  --only A,B                  only these attacks
  --database sqlite|postgres  what the server uses (default: sqlite)
  --seed N                    of the random choices; "random" for a new one (default: 1)
  --list                      describes the attacks, and does none
  --help, -h                  prints this

Examples:
  npm run attack -- --list        describes the attacks
  npm run attack -- --minutes 10  repeats them all for 10 minutes
`,
  options: {
    minutes: { ...text, default: '0' },
    only: text,
    database: { ...text, default: 'sqlite' },
    seed: { ...text, default: '1' },
    list: { type: 'boolean', default: false },
  },
} as const;

export interface Options {
  readonly minutes: number;
  readonly only: readonly Attack[];
  readonly database: 'sqlite' | 'postgres';
  readonly seed: number;
  readonly list: boolean;
}

/** Reads the command line, or ends the process with what is wrong with it. */
export const readOptions = (): Promise<Options> => readCommandLine(command, optionsOf);

function optionsOf(values: Given<typeof command>['values']): Options {
  const fail = (what: string): never => {
    throw usageError(command.help, what);
  };
  const { database, list } = values;
  const minutes = Number(values.minutes);
  if (!(minutes >= 0 && minutes <= 1_440)) fail(`--minutes must be a number up to 1440, not "${values.minutes}".`);
  if (database !== 'sqlite' && database !== 'postgres') {
    return fail(`--database must be sqlite or postgres, not "${database}".`);
  }
  const seed = values.seed === 'random' ? Date.now() % 1_000_000_007 : Number(values.seed);
  if (!Number.isSafeInteger(seed)) fail(`--seed must be a whole number or "random", not "${values.seed}".`);
  const only = values.only === undefined ? attacks : named(...values.only.split(','));
  return { minutes, only, database, seed, list };
}
