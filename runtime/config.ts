import { availableParallelism } from 'node:os';
import { CliError } from './errors.ts';
import { readConnectionOptions } from './store/postgres/connection-options.ts';

/** Where the records are kept. */
export type Database =
  | { readonly kind: 'sqlite'; /** Path of the file. */ readonly file: string }
  /** Its URL may hold a password, and is shown to nobody. */
  | { readonly kind: 'postgres'; readonly url: string };

/** The settings of a server, from its environment. */
export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  readonly database: Database;
  /** Whether the start brings the schema of a PostgreSQL database to the spec. */
  readonly migrate: boolean;
  /** How many processes serve. */
  readonly workers: number;
  readonly apiKeys: readonly string[];
}

/** More processes than any machine has use for are a slip of the hand. */
const mostWorkers = 256;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks every setting.
 *
 * @throws CliError that names everything that is wrong, at once.
 */
export function readConfig(environment: Environment): Config {
  const mistakes: string[] = [];
  const setting = (name: string, absent: string): string => environment[name] || absent;

  const portText = setting('PORT', '3000');
  const port = Number(portText);
  if (!/^\d+$/.test(portText) || port > 65_535) {
    mistakes.push(`PORT is ${JSON.stringify(portText)}; it must be a number from 0 to 65535.`);
  }

  const host = setting('HOST', '127.0.0.1');
  if (/[\s/]/.test(host)) mistakes.push(`HOST is ${JSON.stringify(host)}; it must be an address or a host name.`);

  const database = readDatabase(setting('DATABASE_URL', 'sqlite:data/records.db'), mistakes);

  const migrate = setting('MIGRATE', 'on');
  if (!['on', 'off'].includes(migrate)) mistakes.push(`MIGRATE is ${JSON.stringify(migrate)}; it must be on or off.`);

  const workersText = setting('WORKERS', '1');
  const workers = workersText === 'auto' ? availableParallelism() : Number(workersText);
  if (workersText !== 'auto' && !(/^\d+$/.test(workersText) && workers >= 1 && workers <= mostWorkers)) {
    mistakes.push(`WORKERS is ${JSON.stringify(workersText)}; it must be a number from 1 to ${mostWorkers}, or auto.`);
  }

  const apiKeys = setting('API_KEYS', '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  // RFC 6750, 2.1: what a Bearer token may be made of.
  if (apiKeys.some((key) => !/^[A-Za-z0-9\-._~+/]+=*$/.test(key))) {
    mistakes.push('API_KEYS must be keys separated by commas, each of letters, digits and - . _ ~ + / only.');
  }

  if (mistakes.length > 0) throw new CliError(['The settings are not valid:', ...mistakes].join('\n  '));
  return { port, host, database, migrate: migrate === 'on', workers, apiKeys };
}

function readDatabase(url: string, mistakes: string[]): Database {
  if (/^postgres(?:ql)?:/.test(url)) {
    try {
      readConnectionOptions(url);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      mistakes.push(error.message);
    }
    return { kind: 'postgres', url };
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(url)?.[1] ?? '';
  if (file === '') {
    // The URL is not shown: it may hold a password.
    mistakes.push(
      'DATABASE_URL must be sqlite: and the path of a file, like sqlite:data/records.db, or the URL of a PostgreSQL ' +
        'database, like postgres://user:password@host:5432/records.',
    );
  }
  return { kind: 'sqlite', file };
}
