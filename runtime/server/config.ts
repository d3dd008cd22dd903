import { availableParallelism } from 'node:os';
import { CliError } from '../model/errors.ts';
import { type LogLevel, logLevels } from '../observability/log.ts';
import { type Origins, originsRule, parseOrigins } from '../api/cors.ts';
import { parseRate, type Rate, rateRule } from '../auth/rate.ts';
import { isSecret, type SettingName, settings } from './settings.ts';

/** The database that holds the records. */
export type Database =
  | { readonly kind: 'sqlite'; /** Path of the file. */ readonly file: string }
  /** Its URL, and that of its replicas, may hold a password and are never shown. */
  | { readonly kind: 'postgres'; readonly url: string; readonly readUrl: string | undefined };

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
  /** Bytes of large bodies and answers that each of them holds at once. */
  readonly maxBufferedBytes: number;
  readonly apiKeys: readonly string[];
  /** The rate of API keys without one of their own: null for no limit, undefined if it is not set. */
  readonly rateLimit: Rate | null | undefined;
  readonly logLevel: LogLevel;
  /** The port of metrics; 0 takes any free port, undefined serves none. */
  readonly metricsPort: number | undefined;
  /** Connections that one process has at once. */
  readonly maxConnections: number;
  /** Seconds for which a server that stops goes on serving, so that load balancers notice it. */
  readonly drainSeconds: number;
  /** The origins whose scripts may use the service; undefined for its own alone. */
  readonly corsOrigins: Origins | undefined;
  /** The prefix that a proxy puts before all paths, without a slash at its end; may be empty. */
  readonly pathPrefix: string;
  /** Whether `/docs` is served. */
  readonly docs: boolean;
  /** Whether `/console` is served. */
  readonly console: boolean;
}

/** More processes than any machine needs: a larger number is a typing error. */
const maxWorkers = 256;

/** More memory than any machine has. */
const maxMebibytes = 1_048_576;

/** Characters of a key: a shorter one can be guessed. */
const minKeyLength = 16;

const keysRule =
  `keys separated by commas, each of at least ${minKeyLength} characters, and of letters, digits and - . _ ~ + / only; ` +
  '`openssl rand -hex 32` makes one';

const databaseUrl =
  'sqlite: and the path of a file, like sqlite:data/records.db, or the URL of a PostgreSQL database, like ' +
  'postgres://user:password@host:5432/records';

/**
 * Reads and checks every setting.
 *
 * @param checkUrl throws a CliError where the URL of a PostgreSQL database in a setting is not valid
 * @throws CliError that names everything that is wrong, at once.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  checkUrl: (url: string, setting: 'DATABASE_URL' | 'READ_DATABASE_URL') => void = () => {},
): Config {
  const errors: string[] = [];
  const read = <T>(name: SettingName, rule: string, parse: (text: string) => T | undefined): T => {
    const text = environment[name] || settings[name].default;
    const value = parse(text);
    const subject = isSecret(name) ? name : `${name} is ${JSON.stringify(text)}; it`;
    if (value === undefined) errors.push(`${subject} must be ${rule}.`);
    return value as T;
  };
  const workers = read('WORKERS', `a number from 1 to ${maxWorkers}, or auto`, (text) =>
    text === 'auto' ? availableParallelism() : numberWithin(1, maxWorkers, text),
  );
  const readUrl = environment['READ_DATABASE_URL'] || undefined;
  const maxBuffered = read('MAX_BUFFERED_MIB', `a number from 1 to ${maxMebibytes}`, (text) =>
    numberWithin(1, maxMebibytes, text),
  );
  const config: Config = {
    port: read('PORT', 'a number from 0 to 65535', (text) => numberWithin(0, 65_535, text)),
    host: read('HOST', 'an address or a host name', (text) => /^[^\s/]+$/.exec(text)?.[0]),
    database: read('DATABASE_URL', databaseUrl, (url) => parseDatabase(url, readUrl)),
    migrate: read('MIGRATE', 'on or off', onOrOff),
    workers,
    maxBufferedBytes: Math.floor((maxBuffered * 1_048_576) / workers),
    apiKeys: read('API_KEYS', keysRule, parseKeys),
    rateLimit: environment['RATE_LIMIT'] ? read('RATE_LIMIT', rateRule, parseRate) : undefined,
    logLevel: read('LOG_LEVEL', `one of ${logLevels.join(', ')}`, (text) => logLevels.find((level) => level === text)),
    metricsPort: environment['METRICS_PORT']
      ? read('METRICS_PORT', 'a number from 0 to 65535', (text) => numberWithin(0, 65_535, text))
      : undefined,
    maxConnections: read('MAX_CONNECTIONS', 'a number from 1 to 1000000', (text) => numberWithin(1, 1_000_000, text)),
    drainSeconds: read('DRAIN_SECONDS', 'a number from 0 to 3600', (text) => numberWithin(0, 3_600, text)),
    corsOrigins: environment['CORS_ORIGINS'] ? read('CORS_ORIGINS', originsRule, parseOrigins) : undefined,
    pathPrefix: environment['PATH_PREFIX'] ? read('PATH_PREFIX', prefixRule, parsePrefix) : '',
    docs: read('DOCS', 'on or off', onOrOff),
    console: read('CONSOLE', 'on or off', onOrOff),
  };
  const url = config.database?.kind === 'postgres' ? config.database.url : undefined;
  for (const [setting, text] of [
    ['DATABASE_URL', url],
    ['READ_DATABASE_URL', readUrl],
  ] as const) {
    try {
      if (text !== undefined) checkUrl(text, setting);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      errors.push(error.message);
    }
  }
  if (readUrl !== undefined && config.database?.kind === 'sqlite') {
    errors.push(
      'READ_DATABASE_URL is set, but DATABASE_URL names no PostgreSQL database, of which alone there are replicas.',
    );
  }
  if (errors.length > 0) throw new CliError(['The settings are not valid:', ...errors].join('\n  '));
  return config;
}

const prefixRule = 'a path like /records, without a slash at its end';

/** A path without dot segments, which clients would resolve. */
const parsePrefix = (text: string): string | undefined => /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.exec(text)?.[0];

const onOrOff = (text: string): boolean | undefined => (/^(?:on|off)$/.test(text) ? text === 'on' : undefined);

function numberWithin(min: number, max: number, text: string): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
}

function parseDatabase(url: string, readUrl: string | undefined): Database | undefined {
  if (/^postgres(?:ql)?:/.test(url)) return { kind: 'postgres', url, readUrl };
  const file = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(url)?.[1];
  return file === undefined ? undefined : { kind: 'sqlite', file };
}

function parseKeys(text: string): readonly string[] | undefined {
  const keys = text.split(',').flatMap((key) => key.trim() || []);
  // RFC 6750, 2.1: what a Bearer token may be made of.
  return keys.every((key) => /^[A-Za-z0-9\-._~+/]+=*$/.test(key) && key.length >= minKeyLength) ? keys : undefined;
}
