import { databaseSettings } from '../commands/database-setting.ts';
import { originsRule, parseOrigins } from './cors.ts';
import type { Features } from '../kernel/feature.ts';
import { CliError } from '../kernel/model/errors.ts';
import {
  onOff,
  type ReadSettings,
  type Setting,
  type SettingRows,
  type SettingsOf,
  wholeNumber,
} from '../kernel/settings.ts';
import { logLevels } from '../observability/log.ts';

/** The settings of a server without features. */
export const serverSettings = {
  PORT: { default: '3000', meaning: 'the port to listen on; 0 takes any free port', ...wholeNumber(0, 65_535) },
  HOST: {
    default: '127.0.0.1',
    meaning: 'the address to listen on; 0.0.0.0 accepts connections from other machines',
    rule: 'an address or a host name',
    parse: (text) => /^[^\s/]+$/.exec(text)?.[0],
  },
  ...databaseSettings,
  LOG_LEVEL: {
    default: 'info',
    meaning: 'debug, info, warn, error or silent',
    rule: `one of ${logLevels.join(', ')}`,
    parse: (text) => logLevels.find((level) => level === text),
  },
  MAX_BUFFERED_MIB: {
    default: '256',
    meaning: 'large requests and responses at once, counted in MiB, divided among the processes',
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
  DOCS: { default: 'on', meaning: 'off: the API reference at /docs is not served', ...onOff },
  CONSOLE: { default: 'on', meaning: 'off: the console at /console is not served', ...onOff },
} as const satisfies SettingRows;

/** The order of help and documentation; settings of other features follow. */
const order =
  'PORT HOST DATABASE_URL READ_DATABASE_URL API_KEYS RATE_LIMIT LOG_LEVEL METRICS_PORT WORKERS MAX_BUFFERED_MIB MAX_CONNECTIONS ' +
  'DRAIN_SECONDS EVENTS_KEEP MIGRATE CORS_ORIGINS PATH_PREFIX WEBHOOK_PRIVATE DOCS CONSOLE';

/** Every setting of a server with some features. */
export function settingsOf({ list }: Features): SettingRows {
  const rows: SettingRows = Object.assign({}, serverSettings, ...list.map(({ settings }) => settings));
  const names = new Set([...order.split(' '), ...Object.keys(rows)]);
  return Object.fromEntries([...names].flatMap((name) => (rows[name] ? [[name, rows[name]]] : [])));
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads settings from an environment when they are first asked for. */
export function settingsIn(rows: SettingRows, environment: Environment): ReadSettings {
  let values: unknown;
  return <Rows extends SettingRows>() => (values ??= readAll(rows, environment)) as SettingsOf<Rows>;
}

/** Reads and checks every setting. @throws CliError that names everything that is wrong, at once */
function readAll(rows: SettingRows, environment: Environment): Readonly<Record<string, unknown>> {
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
  const values = Object.fromEntries(Object.entries(rows).map(read));
  const { DATABASE_URL: database } = values as Partial<SettingsOf<typeof serverSettings>>;
  if (database?.kind === 'sqlite') {
    const wrong = Object.keys(rows).filter((name) => rows[name]?.needsPostgres && values[name] !== undefined);
    errors.push(...wrong.map((name) => `${name} needs a PostgreSQL DATABASE_URL.`));
  }
  if (errors.length > 0) throw new CliError(['The settings are not valid:', ...errors].join('\n  '));
  return values;
}

/** The settings in use, a line for each, without keys and passwords. */
export function describeSettings(rows: SettingRows, environment: Environment): string[] {
  const width = Math.max(...Object.keys(rows).map((name) => name.length));
  return Object.entries(rows).map(([name, { default: absent, shown }]) => {
    const given = environment[name] || undefined;
    const value = given === undefined ? absent || '(not set)' : (shown?.(given) ?? given);
    return `  ${name.padEnd(width)}  ${value}${given === undefined && absent !== '' ? ' (default)' : ''}`;
  });
}
