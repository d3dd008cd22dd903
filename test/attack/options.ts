import { parseArgs } from 'node:util';

import type { Attack } from './attack.ts';
import { attacks, named } from './attacks.ts';

const usage = `Usage: npm run attack -- [options]
  --minutes 0                  shared by the attacks: each is repeated until its part is over, and done at least once
  --only a,b                   only these attacks; --list describes all
  --database sqlite|postgres   the default: sqlite
  --seed 1                     of the random choices; "random" for a new one
  --list                       describes the attacks, and does none`;

export interface Options {
  readonly minutes: number;
  readonly only: readonly Attack[];
  readonly database: 'sqlite' | 'postgres';
  readonly seed: number;
  readonly list: boolean;
}

/**
 * Reads the command line.
 *
 * @throws Error that says what is wrong with it.
 */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '0' },
      only: { type: 'string' },
      database: { type: 'string', default: 'sqlite' },
      seed: { type: 'string', default: '1' },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit();
  }
  const fail = (what: string): never => {
    throw new Error(`${what}\n${usage}`);
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
