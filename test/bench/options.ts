import { type Given, usageError } from '../../runtime/cli/arguments.ts';
import type { CommandDescription } from '../../runtime/cli/description.ts';
import { readCommandLine } from '../support/command-line.ts';
import { operationKeys, type OperationKey } from './operations.ts';

const string = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const command = {
  call: 'npm run bench --',
  does: 'Measures the server beside two floors',
  options: {
    database: {
      ...string,
      value: 'sqlite|postgres|both',
      does: 'without it SQLite, and PostgreSQL where one is reachable (TEST_POSTGRES_URL)',
    },
    rows: { ...string, default: '1000,20000,1000000', value: 'N,N', does: 'sizes of the tables, each from 1000 on' },
    connections: { ...string, default: '32', value: 'N', does: 'clients, each with one request under way' },
    seconds: { ...string, default: '2', value: 'N', does: 'how long each operation is measured in a round' },
    rounds: { ...string, default: '3', value: 'N', does: 'how often' },
    only: {
      ...string,
      default: operationKeys.join(','),
      value: 'KEY,KEY',
      does: 'only these operations',
    },
    seed: { ...string, default: '1', value: 'N', does: 'of the random choices' },
    'peer-json': { ...flag, does: 'the hand-written peer has SQLite build its JSON, as the measured server does' },
    workers: { ...string, value: 'N', does: 'given to the server as WORKERS' },
    keep: {
      ...string,
      value: 'FOLDER',
      does: 'keeps the filled databases there (those of PostgreSQL on its server) for later runs',
    },
    'slow-fsync': {
      ...string,
      value: 'MILLISECONDS',
      does: 'instead: reads beside writes, on SQLite, while every fsync takes so long',
    },
    'log-and-metrics': { ...flag, does: 'instead: what the log, in a file, and metrics cost each get, on SQLite' },
    keys: { ...flag, does: 'instead: what a get costs with keys of API_KEYS and of the key table' },
    organizations: { ...string, value: 'N', does: 'instead: so many organizations against one with as many rows' },
    finding: { ...flag, does: 'instead: filters, sorts, searches and line items, beside an unfiltered page' },
    'counter-slots': {
      ...flag,
      does: 'instead: many writers on one counter of PostgreSQL, with and without slots',
    },
  },
  examples: [
    ['--database sqlite --rows 1000', 'a short run'],
    ['--only get,offset', 'two operations alone'],
  ],
} as const satisfies CommandDescription;

export interface Options {
  /** Without it, whichever is there. */
  readonly database: 'sqlite' | 'postgres' | 'both' | undefined;
  readonly rows: readonly number[];
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
  /** The operations to measure. */
  readonly only: ReadonlySet<OperationKey>;
  /** The seed of the random choices. */
  readonly seed: number;
  readonly peerJson: boolean;
  readonly workers: string | undefined;
  readonly keep: string | undefined;
  /** In milliseconds. */
  readonly slowFsync: number | undefined;
  readonly logAndMetrics: boolean;
  readonly keys: boolean;
  readonly finding: boolean;
  readonly counterSlots: boolean;
  readonly organizations: number | undefined;
}

/** Reads the command line, or ends the process with what is wrong with it. */
export const readOptions = (): Promise<Options> => readCommandLine(command, optionsOf);

function optionsOf(values: Given<typeof command>['values']): Options {
  const whole = (name: string, text: string, least = 1): number => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw usageError(command, `--${name} must be a whole number from ${least} on, not "${text}".`);
  };
  const { database, workers, keep, 'slow-fsync': slowFsync, organizations } = values;
  if (database !== undefined && database !== 'sqlite' && database !== 'postgres' && database !== 'both') {
    throw usageError(command, `--database must be sqlite, postgres or both, not "${database}".`);
  }
  const only = values.only.split(',').map((text) => {
    const key = operationKeys.find((known) => known === text);
    if (key !== undefined) return key;
    throw usageError(command, `--only must name some of ${operationKeys.join(', ')}, not "${text}".`);
  });
  return {
    database,
    // A tenth of the line items is under one parent, which has more than a page of them.
    rows: [...new Set(values.rows.split(',').map((text) => whole('rows', text, 1000)))].toSorted((a, b) => a - b),
    connections: whole('connections', values.connections),
    seconds: whole('seconds', values.seconds),
    rounds: whole('rounds', values.rounds),
    only: new Set(only),
    seed: whole('seed', values.seed, 0),
    peerJson: values['peer-json'],
    workers,
    keep,
    slowFsync: slowFsync === undefined ? undefined : whole('slow-fsync', slowFsync),
    logAndMetrics: values['log-and-metrics'],
    keys: values.keys,
    finding: values.finding,
    counterSlots: values['counter-slots'],
    organizations: organizations === undefined ? undefined : whole('organizations', organizations),
  };
}
