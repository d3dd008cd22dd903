import { parseArgs } from 'node:util';

import { operationKeys, type OperationKey } from './operations.ts';

const usage = `Usage: npm run bench -- [options]
  --database sqlite|postgres|both   the default: SQLite, and PostgreSQL where one is reachable (TEST_POSTGRES_URL)
  --rows 1000,20000,1000000         sizes of the tables, each from 1000 on
  --connections 32                  clients, each with one request under way
  --seconds 2, --rounds 3           how long each operation is measured, and how often
  --only get,offset                 only these operations, of: ${operationKeys.join(', ')}
  --seed 1                          of the random choices
  --peer-json                       the hand-written peer has SQLite build its JSON, as the measured server does
  --workers n                       given to the server as WORKERS
  --keep FOLDER                     keeps the filled databases there (those of PostgreSQL on its server) for later runs
  --slow-fsync MILLISECONDS         instead: reads beside writes, on SQLite, while every fsync takes so long
  --log-and-metrics                 instead: what the log, in a file, and metrics cost each get, on SQLite
  --keys                            instead: what a get costs with keys of API_KEYS and of the key table
  --organizations n                 instead: so many organizations against one with as many rows
  --counter-slots                   instead: many writers on one counter of PostgreSQL, with and without slots`;

export interface Options {
  /** Without it, whichever is there. */
  readonly database: 'sqlite' | 'postgres' | 'both' | undefined;
  readonly rows: readonly number[];
  readonly connections: number;
  readonly seconds: number;
  readonly rounds: number;
  /** What is measured. */
  readonly only: ReadonlySet<OperationKey>;
  /** Of the random choices. */
  readonly seed: number;
  readonly peerJson: boolean;
  readonly workers: string | undefined;
  readonly keep: string | undefined;
  /** In milliseconds. */
  readonly slowFsync: number | undefined;
  readonly logAndMetrics: boolean;
  readonly keys: boolean;
  readonly counterSlots: boolean;
  readonly organizations: number | undefined;
}

/**
 * Reads the command line.
 *
 * @throws Error that says what is wrong with it.
 */
export function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      database: { type: 'string' },
      rows: { type: 'string', default: '1000,20000,1000000' },
      connections: { type: 'string', default: '32' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
      only: { type: 'string', default: operationKeys.join(',') },
      seed: { type: 'string', default: '1' },
      'peer-json': { type: 'boolean', default: false },
      workers: { type: 'string' },
      keep: { type: 'string' },
      'slow-fsync': { type: 'string' },
      'log-and-metrics': { type: 'boolean', default: false },
      keys: { type: 'boolean', default: false },
      organizations: { type: 'string' },
      'counter-slots': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit();
  }
  const whole = (name: string, text: string, least = 1): number => {
    const value = Number(text);
    if (Number.isSafeInteger(value) && value >= least) return value;
    throw new Error(`--${name} must be a whole number from ${least} on, not "${text}".\n${usage}`);
  };
  const { database, workers, keep, 'slow-fsync': slowFsync, organizations } = values;
  if (database !== undefined && database !== 'sqlite' && database !== 'postgres' && database !== 'both') {
    throw new Error(`--database must be sqlite, postgres or both, not "${database}".\n${usage}`);
  }
  const only = values.only.split(',').map((text) => {
    const key = operationKeys.find((known) => known === text);
    if (key !== undefined) return key;
    throw new Error(`--only must name some of ${operationKeys.join(', ')}, not "${text}".\n${usage}`);
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
    counterSlots: values['counter-slots'],
    organizations: organizations === undefined ? undefined : whole('organizations', organizations),
  };
}
