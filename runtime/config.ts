import { availableParallelism } from 'node:os';
import { CliError } from './errors.ts';

/** The database that holds the records. */
export type Database =
  | { readonly kind: 'sqlite'; /** Path of the file. */ readonly file: string }
  /** Its URL may hold a password and is never shown. */
  | { readonly kind: 'postgres'; readonly url: string };

/** The settings of a server, from its environment. */
export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  readonly database: Database;
  /** Whether the start migrates the schema of a PostgreSQL database. */
  readonly migrate: boolean;
  /** How many processes serve. */
  readonly workers: number;
  readonly apiKeys: readonly string[];
}

/** More processes than any machine needs: a larger number is a typing error. */
const maxWorkers = 256;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks every setting.
 *
 * @param checkUrl throws a CliError where the URL of a PostgreSQL database is not valid
 * @throws CliError that names everything that is wrong, at once.
 */
export function readConfig(environment: Environment, checkUrl: (url: string) => void = () => {}): Config {
  const errors: string[] = [];
  const setting = (name: string, absent: string): string => environment[name] || absent;

  const portText = setting('PORT', '3000');
  const port = Number(portText);
  if (!/^\d+$/.test(portText) || port > 65_535) {
    errors.push(`PORT is ${JSON.stringify(portText)}; it must be a number from 0 to 65535.`);
  }

  const host = setting('HOST', '127.0.0.1');
  if (/[\s/]/.test(host)) errors.push(`HOST is ${JSON.stringify(host)}; it must be an address or a host name.`);

  const database = readDatabase(setting('DATABASE_URL', 'sqlite:data/records.db'), checkUrl, errors);

  const migrate = setting('MIGRATE', 'on');
  if (!['on', 'off'].includes(migrate)) errors.push(`MIGRATE is ${JSON.stringify(migrate)}; it must be on or off.`);

  const workersText = setting('WORKERS', '1');
  const workers = workersText === 'auto' ? availableParallelism() : Number(workersText);
  if (workersText !== 'auto' && !(/^\d+$/.test(workersText) && workers >= 1 && workers <= maxWorkers)) {
    errors.push(`WORKERS is ${JSON.stringify(workersText)}; it must be a number from 1 to ${maxWorkers}, or auto.`);
  }

  const apiKeys = setting('API_KEYS', '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  // RFC 6750, 2.1: what a Bearer token may be made of.
  if (apiKeys.some((key) => !/^[A-Za-z0-9\-._~+/]+=*$/.test(key))) {
    errors.push('API_KEYS must be keys separated by commas, each of letters, digits and - . _ ~ + / only.');
  }

  if (errors.length > 0) throw new CliError(['The settings are not valid:', ...errors].join('\n  '));
  return { port, host, database, migrate: migrate === 'on', workers, apiKeys };
}

function readDatabase(url: string, checkUrl: (url: string) => void, errors: string[]): Database {
  if (/^postgres(?:ql)?:/.test(url)) {
    try {
      checkUrl(url);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      errors.push(error.message);
    }
    return { kind: 'postgres', url };
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(url)?.[1] ?? '';
  if (file === '') {
    // The URL may hold a password.
    errors.push(
      'DATABASE_URL must be sqlite: and the path of a file, like sqlite:data/records.db, or the URL of a PostgreSQL ' +
        'database, like postgres://user:password@host:5432/records.',
    );
  }
  return { kind: 'sqlite', file };
}
