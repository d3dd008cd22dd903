import { type Given, usageError } from '../../runtime/cli/arguments.ts';
import type { CommandDescription } from '../../runtime/cli/description.ts';
import { readCommandLine } from '../support/command-line.ts';
import type { Attack } from './attack.ts';
import { attacks, named } from './attacks.ts';

const text = { type: 'string' } as const;

const command = {
  call: 'npm run attack --',
  does: 'Attacks the server, and judges how it takes it',
  options: {
    minutes: {
      ...text,
      default: '0',
      value: 'N',
      does: 'shared by the attacks: each is repeated until its part is over, and done at least once',
    },
    only: { ...text, value: 'A,B', does: 'only these attacks' },
    database: { ...text, default: 'sqlite', value: 'sqlite|postgres', does: 'what the server uses' },
    seed: { ...text, default: '1', value: 'N', does: 'of the random choices; "random" for a new one' },
    list: { type: 'boolean', default: false, does: 'describes the attacks, and does none' },
  },
  examples: [
    ['--list', 'describes the attacks'],
    ['--minutes 10', 'repeats them all for 10 minutes'],
  ],
  exitCodes: { 1: 'failed: an attack was not withstood' },
} as const satisfies CommandDescription;

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
    throw usageError(command, what);
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
