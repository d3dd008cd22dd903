import { minKeyLength } from './limits.ts';
import { availableParallelism } from 'node:os';
import { originsRule, parseOrigins } from '../api/cors.ts';
import { parseRate, rateRule } from '../auth/rate.ts';
import { CliError } from '../model/errors.ts';
import type { DatabaseAddress } from '../migrations/engine.ts';
import { logLevels } from '../observability/log.ts';
import { readConnectionOptions } from '../postgres/connection-options.ts';

/** A setting of a server: a variable of its environment. */
interface Setting {
  /** Empty if it is not set by default. */
  readonly default: string;
  readonly meaning: string;
  /** The form of a value. */
  readonly rule: string;
  /** @returns undefined if a text, which is not empty, breaks the rule. @throws CliError if it can say why */
  parse(text: string): unknown;
  /** The part of a value with secrets that may be shown. */
  shown?(text: string): string;
}

const wholeNumber = (min: number, max: number) => ({
  rule: `a number from ${min} to ${max}`,
  parse: (text: string): number | undefined =>
    /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
});

/** More processes than any machine needs: a larger number is a typing error. */
const processes = wholeNumber(1, 256);

const onOff = {
  rule: 'on or off',
  parse: (text: string): boolean | undefined => (/^(?:on|off)$/.test(text) ? text === 'on' : undefined),
};

/** All before the last @ may be the password, and so may a parameter. */
function withoutPassword(url: string): string {
  const [shown = '', parameters] = url.replace(/(:\/\/).*@/s, '$1(hidden)@').split(/\?(.*)/s);
  return parameters === undefined || url.startsWith('sqlite:') ? shown : `${shown}?(hidden)`;
}

function parseDatabase(url: string): DatabaseAddress | undefined {
  if (/^postgres(?:ql)?:/.test(url)) {
    readConnectionOptions(url);
    return { kind: 'postgres', url };
  }
  const file = /^sqlite:(?:\/\/(?=\/))?(?!\/\/)(.+)$/.exec(url)?.[1];
  return file === undefined ? undefined : { kind: 'sqlite', file };
}

function parseKeys(text: string): readonly string[] | undefined {
  const keys = text.split(',').flatMap((key) => key.trim() || []);
  // RFC 6750, 2.1: the characters of a Bearer token.
  return keys.every((key) => /^[A-Za-z0-9\-._~+/]+=*$/.test(key) && key.length >= minKeyLength) ? keys : undefined;
}

/** Every setting, in the order of the documentation (docs/configuration.md). */
export const settings = {
  PORT: { default: '3000', meaning: 'the port to listen on; 0 takes any free port', ...wholeNumber(0, 65_535) },
  HOST: {
    default: '127.0.0.1',
    meaning: 'the address to listen on; 0.0.0.0 accepts connections from other machines',
    rule: 'an address or a host name',
    parse: (text) => /^[^\s/]+$/.exec(text)?.[0],
  },
  DATABASE_URL: {
    default: 'sqlite:data/records.db',
    meaning: 'the database: sqlite: and a file, or postgres://user:password@host:5432/name',
    rule:
      'sqlite: and the path of a file, like sqlite:data/records.db, or the URL of a PostgreSQL database, like ' +
      'postgres://user:password@host:5432/records',
    parse: parseDatabase,
    shown: withoutPassword,
  },
  READ_DATABASE_URL: {
    default: '',
    meaning: 'standbys of a PostgreSQL database that take reads',
    rule: 'the URL of a PostgreSQL database',
    parse: (text) => readConnectionOptions(text, 'READ_DATABASE_URL') && text,
    shown: withoutPassword,
  },
  API_KEYS: {
    default: '',
    meaning: 'API keys, separated by commas; without them, a server on SQLite creates one at its first start',
    rule:
      `keys separated by commas, each of at least ${minKeyLength} characters, and of letters, digits and - . _ ~ + / only; ` +
      '`openssl rand -hex 32` makes one',
    parse: parseKeys,
    shown: (text) => `(${text.split(',').filter((key) => key.trim() !== '').length}, hidden)`,
  },
  RATE_LIMIT: {
    default: '60000/m',
    meaning: 'the requests of an API key, or off; those of API_KEYS have no default',
    rule: rateRule,
    parse: parseRate,
  },
  LOG_LEVEL: {
    default: 'info',
    meaning: 'debug, info, warn, error or silent',
    rule: `one of ${logLevels.join(', ')}`,
    parse: (text) => logLevels.find((level) => level === text),
  },
  METRICS_PORT: {
    default: '',
    meaning: 'serves metrics on this port of HOST, without a key',
    ...wholeNumber(0, 65_535),
  },
  WORKERS: {
    default: '1',
    meaning: 'the number of server processes; auto: one per core',
    rule: `${processes.rule}, or auto`,
    parse: (text) => (text === 'auto' ? availableParallelism() : processes.parse(text)),
  },
  MAX_BUFFERED_MIB: {
    default: '256',
    meaning: 'memory for large requests and responses, in MiB, divided among the processes',
    ...wholeNumber(1, 1_048_576),
  },
  MAX_CONNECTIONS: {
    default: '10000',
    meaning: 'the connections of one process at once',
    ...wholeNumber(1, 1_000_000),
  },
  DRAIN_SECONDS: {
    default: '0',
    meaning: 'how long a server goes on serving when it is told to stop, so that load balancers notice',
    ...wholeNumber(0, 3_600),
  },
  EVENTS_KEEP: {
    default: '400',
    meaning: 'for how many days events are kept, and with them what an undo needs',
    ...wholeNumber(1, 36_500),
  },
  MIGRATE: { default: 'on', meaning: 'off: a start does not change the schema of a PostgreSQL database', ...onOff },
  CORS_ORIGINS: {
    default: '',
    meaning: 'origins whose scripts may use the API from browsers, separated by commas, or *',
    rule: originsRule,
    parse: parseOrigins,
  },
  PATH_PREFIX: {
    default: '',
    meaning: 'the path that a proxy puts before those of this server, for Location headers',
    rule: 'a path like /records, without a slash at its end',
    // Clients would resolve dot segments.
    parse: (text) => /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/.exec(text)?.[0],
  },
  WEBHOOK_PRIVATE: {
    default: 'off',
    meaning: 'on: webhooks may send to addresses that are not public, also without TLS',
    ...onOff,
  },
  DOCS: { default: 'on', meaning: 'off: the API reference at /docs is not served', ...onOff },
  CONSOLE: { default: 'on', meaning: 'off: the console at /console is not served', ...onOff },
} as const satisfies Record<string, Setting>;

type SettingName = keyof typeof settings;

type Environment = Readonly<Record<string, string | undefined>>;

/** The values of all settings. One without a default may be undefined. */
export type Settings = {
  readonly [N in SettingName]:
    | Exclude<ReturnType<(typeof settings)[N]['parse']>, undefined>
    | ((typeof settings)[N]['default'] extends '' ? undefined : never);
};

/** Reads and checks every setting. @throws CliError that names everything that is wrong, at once */
export function readSettings(environment: Environment): Settings {
  const errors: string[] = [];
  const read = ([name, setting]: [string, Setting]): [string, unknown] => {
    const text = environment[name] || setting.default;
    if (text === '') return [name, undefined];
    try {
      const value = setting.parse(text);
      const subject = setting.shown ? name : `${name} is ${JSON.stringify(text)}; it`;
      if (value === undefined) errors.push(`${subject} must be ${setting.rule}.`);
      return [name, value];
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      errors.push(error.message);
      return [name, undefined];
    }
  };
  const values = Object.fromEntries(Object.entries(settings).map(read)) as Settings;
  if (values.READ_DATABASE_URL !== undefined && values.DATABASE_URL?.kind === 'sqlite') {
    errors.push('READ_DATABASE_URL needs a PostgreSQL DATABASE_URL.');
  }
  if (errors.length > 0) throw new CliError(['The settings are not valid:', ...errors].join('\n  '));
  return values;
}

/** The settings in use, a line for each, without keys and passwords. */
export function describeSettings(environment: Environment): string[] {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  return Object.entries<Setting>(settings).map(([name, { default: absent, shown }]) => {
    const given = environment[name] || undefined;
    const value = given === undefined ? absent || '(not set)' : (shown?.(given) ?? given);
    return `  ${name.padEnd(width)}  ${value}${given === undefined && absent !== '' ? ' (default)' : ''}`;
  });
}
