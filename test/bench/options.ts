import { type Given, usageError } from '../../runtime/commands/arguments.ts';
import { readCommandLine } from '../support/command-line.ts';
import { operationKeys, type OperationKey } from './operations.ts';

const string = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

const command = {
  help: `Measures the server beside two floors.

Usage: npm run bench -- [options]

Options:
  --database sqlite|postgres|both  without it SQLite, and PostgreSQL where one is reachable (TEST_POSTGRES_URL)
  --rows N,N                       sizes of the tables, each from 1000 on (default: 1000,20000,1000000)
  --connections N                  clients, each with one request under way (default: 32)
  --seconds N                      how long each operation is measured in a round (default: 2)
  --rounds N                       how often (default: 3)
  --only KEY,KEY                   only these operations (default: ${operationKeys.join(',')})
  --seed N                         of the random choices (default: 1)
  --workers N                      given to the server as WORKERS
  --keep FOLDER                    keeps the filled databases there (those of PostgreSQL on its server) for later runs
  --log-and-metrics                instead: what the log, in a file, and metrics cost each get, on SQLite
  --organizations N                instead: so many organizations against one with as many rows
  --release                        keeps the figures as those of the release that is made now: test/bench/release.json
  --finding                        instead: filters, sorts, searches and line items, beside an unfiltered page
  --lists                          instead: how soon the console shows the first row of a list, in Chromium
  --streams                        instead: how soon a write is seen by 1 to 100 streams of events
  --help, -h                       prints this

Examples:
  npm run bench -- --database sqlite --rows 1000  a short run
  npm run bench -- --only get,offset              two operations alone
`,
  options: {
    database: string,
    rows: { ...string, default: '1000,20000,1000000' },
    connections: { ...string, default: '32' },
    seconds: { ...string, default: '2' },
    rounds: { ...string, default: '3' },
    only: { ...string, default: operationKeys.join(',') },
    seed: { ...string, default: '1' },
    workers: string,
    keep: string,
    'log-and-metrics': flag,
    organizations: string,
    release: flag,
    finding: flag,
    lists: flag,
    streams: flag,
  },
} as const;

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
  readonly workers: string | undefined;
  readonly keep: string | undefined;
  readonly logAndMetrics: boolean;
  /** Whether the figures are kept as those of a release. */
  readonly release: boolean;
  readonly finding: boolean;
  readonly lists: boolean;
  readonly streams: boolean;
  readonly organizations: number | undefined;
}

/** Reads the command line, or ends the process with what is wrong with it. */
export const readOptions = (): Promise<Options> => readCommandLine(command, optionsOf);

function optionsOf(values: Given<typeof command>['values']): Options {
  const whole = (name: string, text: string, least = 1): number => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw usageError(command.help, `--${name} must be a whole number from ${least} on, not "${text}".`);
  };
  const { database, workers, keep, organizations } = values;
  if (database !== undefined && database !== 'sqlite' && database !== 'postgres' && database !== 'both') {
    throw usageError(command.help, `--database must be sqlite, postgres or both, not "${database}".`);
  }
  const only = values.only.split(',').map((text) => {
    const key = operationKeys.find((known) => known === text);
    if (key !== undefined) return key;
    throw usageError(command.help, `--only must name some of ${operationKeys.join(', ')}, not "${text}".`);
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
    workers,
    keep,
    logAndMetrics: values['log-and-metrics'],
    release: values.release,
    finding: values.finding,
    lists: values.lists,
    streams: values.streams,
    organizations: organizations === undefined ? undefined : whole('organizations', organizations),
  };
}
