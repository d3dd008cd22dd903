/** A setting of a server: a variable of its environment. */
interface Setting {
  /** Empty where it is not set by default. */
  readonly default: string;
  readonly meaning: string;
}

/** Every setting, in the order of the documentation (docs/configuration.md). `readConfig` reads and checks them. */
export const settings = {
  PORT: { default: '3000', meaning: 'the port to listen on; 0 takes any free port' },
  HOST: { default: '127.0.0.1', meaning: 'the address to listen on; 0.0.0.0 accepts connections from other machines' },
  DATABASE_URL: {
    default: 'sqlite:data/records.db',
    meaning: 'the database: sqlite: and a file, or postgres://user:password@host:5432/name',
  },
  READ_DATABASE_URL: { default: '', meaning: 'standbys of a PostgreSQL database that take reads' },
  API_KEYS: {
    default: '',
    meaning: 'API keys, separated by commas; without them, a server on SQLite creates one at its first start',
  },
  RATE_LIMIT: { default: '60000/m', meaning: 'the requests of an API key, or off; those of API_KEYS have no default' },
  LOG_LEVEL: { default: 'info', meaning: 'debug, info, warn, error or silent' },
  METRICS_PORT: { default: '', meaning: 'serves metrics on this port of HOST, without a key' },
  WORKERS: { default: '1', meaning: 'the number of server processes; auto: one per core' },
  MAX_BUFFERED_MIB: {
    default: '256',
    meaning: 'memory for large requests and responses, in MiB, divided among the processes',
  },
  MAX_CONNECTIONS: { default: '10000', meaning: 'the connections of one process at once' },
  DRAIN_SECONDS: {
    default: '0',
    meaning: 'how long a server goes on serving when it is told to stop, so that load balancers notice',
  },
  MIGRATE: { default: 'on', meaning: 'off: a start does not change the schema of a PostgreSQL database' },
  CORS_ORIGINS: {
    default: '',
    meaning: 'origins whose scripts may use the API from browsers, separated by commas, or *',
  },
  PATH_PREFIX: { default: '', meaning: 'the path that a proxy puts before those of this server, for Location headers' },
  DOCS: { default: 'on', meaning: 'off: the API reference at /docs is not served' },
  CONSOLE: { default: 'on', meaning: 'off: the console at /console is not served' },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** Values that hold secrets, and what is shown of each. */
const shownSecrets: { readonly [S in SettingName]?: (value: string) => string } = {
  // All before the last @ may be the password, and so may a parameter.
  DATABASE_URL: withoutPassword,
  READ_DATABASE_URL: withoutPassword,
  API_KEYS: (value) => `(${value.split(',').filter((key) => key.trim() !== '').length}, hidden)`,
};

/** Whether the value of a setting must not be quoted: a URL may hold a password. */
export const isSecret = (name: SettingName): boolean => Object.hasOwn(shownSecrets, name);

function withoutPassword(url: string): string {
  const [shown = '', parameters] = url.replace(/(:\/\/).*@/s, '$1(hidden)@').split(/\?(.*)/s);
  return parameters === undefined || url.startsWith('sqlite:') ? shown : `${shown}?(hidden)`;
}

/** The settings in use, a line for each, without keys and passwords. */
export function describeSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const { default: absent } = settings[name];
    const given = environment[name] || undefined;
    const value = given === undefined ? absent || '(not set)' : (shownSecrets[name]?.(given) ?? given);
    return `  ${name.padEnd(width)}  ${value}${given === undefined && absent !== '' ? ' (default)' : ''}`;
  });
}
