import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { ClientConfig } from 'pg';
import { CliError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';

/** Where a PostgreSQL database is and how it is reached: what a URL of libpq's form says. */
export interface Address {
  /** A configuration of the driver for every way to try, the best first. */
  readonly ways: readonly ClientConfig[];
  /** Only a server that takes writes will do: `target_session_attrs`. */
  readonly mustWrite: boolean;
  /** How many connections one server process holds at most. */
  readonly poolSize: number;
  /** What a person is told of it: never a password. */
  readonly shown: string;
}

const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;
type SslMode = (typeof sslModes)[number];

/** Options that a URL may carry and that change nothing here: the driver has no such thing, or does it anyway. */
const ignored = [
  'gssencmode',
  'keepalives',
  'keepalives_idle',
  'keepalives_interval',
  'keepalives_count',
  'sslcompression',
  'sslsni',
  'uselibpqcompat',
];

const options = [
  'application_name',
  'channel_binding',
  'client_encoding',
  'connect_timeout',
  'dbname',
  'fallback_application_name',
  'host',
  'options',
  'password',
  'pool_size',
  'port',
  'sslcert',
  'sslkey',
  'sslmode',
  'sslnegotiation',
  'sslrootcert',
  'target_session_attrs',
  'user',
  ...ignored,
];

const defaultPoolSize = 10;
const smallestPool = 3;
const defaultConnectTimeout = 5;

/**
 * Reads a `postgres://` or `postgresql://` URL: user, password, hosts (also several, IPv6, unix sockets), database and
 * libpq's options. What it leaves out comes from PGHOST and its kind.
 *
 * @throws CliError that names what is wrong with it, and shows nothing that may be secret.
 */
export function readConnectionOptions(url: string): Address {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (!parts) throw mistake('it must look like postgres://user:password@host:5432/database; encode special characters');
  const [, credentials = '', authority = '', path = '', query = ''] = parts;
  // What follows may be a part of the password.
  if (`${authority}${path}${query}`.includes('@'))
    throw mistake('write a / in the password as %2F, a ? as %3F, an @ as %40');
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (options.includes(name)) continue;
    if (!/^\w+$/.test(name))
      throw mistake('behind its ? there must be options, like sslmode=require; write a ? as %3F');
    throw mistake(`it has an unknown option "${name}"${didYouMean(name, options) || '.'}`);
  }
  const option = (name: string): string | undefined => given.get(name) || undefined;
  const [user, ...password] = credentials.split(':');

  const mode = oneOf('sslmode', option('sslmode') ?? process.env['PGSSLMODE'], sslModes);
  const attributes = option('target_session_attrs') ?? 'any';
  oneOf('target_session_attrs', attributes, ['any', 'read-write', 'primary']);
  const application = option('application_name') ?? process.env['PGAPPNAME'];
  // libpq would take the database that is called as the user: nobody wants the tables of a service there by accident.
  if (!(path || option('dbname') || process.env['PGDATABASE'])) {
    throw mistake('it names no database; write postgres://user:password@host:5432/NAME');
  }
  const base: ClientConfig = {
    ...present('user', option('user') ?? decode(user)),
    ...present('password', option('password') ?? decode(password.join(':'))),
    ...present('database', option('dbname') ?? decode(path)),
    ...present('options', option('options')),
    application_name: application ?? option('fallback_application_name') ?? 'business-records',
    connectionTimeoutMillis: wholeNumber('connect_timeout', option('connect_timeout'), 1, defaultConnectTimeout) * 1000,
    enableChannelBinding: option('channel_binding') !== 'disable',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  };
  const hosts = hostsOf(option('host') ?? authority, option('port'));
  const files = readFiles(option);
  return {
    ways: hosts.flatMap(({ host, port }) =>
      securities(mode, host, files).map((ssl) => ({
        ...base,
        ...present('host', host),
        ...(port !== undefined && { port }),
        ssl,
        ...(ssl && option('sslnegotiation') === 'direct' && { sslnegotiation: 'direct' as const }),
      })),
    ),
    mustWrite: attributes !== 'any',
    poolSize: wholeNumber('pool_size', option('pool_size'), smallestPool, defaultPoolSize),
    shown: `${hosts.map(({ host, port }) => [host || process.env['PGHOST'] || 'localhost', port].filter(Boolean).join(':')).join(', ')}`,
  };
}

const mistake = (what: string): CliError =>
  new CliError(`DATABASE_URL is not valid: ${what.endsWith('.') || what.endsWith('?') ? what : `${what}.`}`);

const present = <K extends string>(name: K, value: string | undefined): { [key in K]?: string } =>
  (value ? { [name]: value } : {}) as { [key in K]?: string };

function decode(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw mistake('a percent sign in it must be written %25');
  }
}

function oneOf<const T extends string>(name: string, text: string | undefined, known: readonly T[]): T | undefined {
  if (text === undefined || known.includes(text as T)) return text as T | undefined;
  throw mistake(`${name} must be one of ${known.join(', ')}`);
}

function wholeNumber(name: string, text: string | undefined, min: number, absent: number): number {
  if (text === undefined) return absent;
  const value = Number(text);
  if (/^\d{1,6}$/.test(text) && value >= min) return value;
  throw mistake(`${name} must be a whole number from ${min}`);
}

interface Host {
  readonly host: string;
  readonly port: number | undefined;
}

/** `host:port` pairs separated by commas; an IPv6 address in brackets; a folder of unix sockets, its slashes encoded. */
function hostsOf(authority: string, ports: string | undefined): Host[] {
  const separate = ports?.split(',') ?? [];
  return authority.split(',').map((text, place) => {
    const bare = text.includes(':') && isIP(text) === 6;
    const pair = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(bare ? `[${text}]` : text);
    const port = pair?.[2] || separate[place] || (separate.length === 1 ? separate[0] : undefined);
    if (!pair || (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535))) {
      throw mistake('a host must be a name or an address, and a port a number from 1 to 65535');
    }
    return { host: decode(pair[1]).replace(/^\[(.*)\]$/, '$1'), port: port === undefined ? undefined : Number(port) };
  });
}

type Files = Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>;

function readFiles(option: (name: string) => string | undefined): Files {
  const read = (name: string): string | undefined => {
    const file = option(name);
    if (file === undefined || (name === 'sslrootcert' && file === 'system')) return undefined;
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw mistake(`the file ${file} of ${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  };
  return {
    ...present('ca', read('sslrootcert')),
    ...present('cert', read('sslcert')),
    ...present('key', read('sslkey')),
  };
}

/**
 * What libpq's sslmode means: `require` encrypts and trusts any server, unless a root certificate is given. Without a
 * mode TLS is used where the server has it; on this machine, where it protects nothing, only if the server insists.
 */
function securities(mode: SslMode | undefined, host: string, files: Files): (ConnectionOptions | false)[] {
  const anyServer = { ...files, rejectUnauthorized: false };
  const anyName = { ...files, checkServerIdentity: () => undefined };
  if (host.startsWith('/')) return [false];
  switch (mode) {
    case 'disable':
      return [false];
    case 'allow':
      return [false, anyServer];
    case 'require':
      return [files.ca === undefined ? anyServer : anyName];
    case 'no-verify':
      return [anyServer];
    case 'verify-ca':
      if (files.ca === undefined) throw mistake('sslmode=verify-ca needs the file of a certificate in sslrootcert');
      return [anyName];
    case 'verify-full':
      return [files];
    case 'prefer':
      return [anyServer, false];
    case undefined:
      return isLocal(host) ? [false, anyServer] : [anyServer, false];
  }
}

const isLocal = (host: string): boolean =>
  ['', 'localhost', '::1'].includes(host || (process.env['PGHOST'] ?? '')) || host.startsWith('127.');
