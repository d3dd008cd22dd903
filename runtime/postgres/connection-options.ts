import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { CliError } from '../model/errors.ts';
import { didYouMean } from '../model/suggest.ts';

/** How to connect to a PostgreSQL database. */
export interface ConnectionOptions {
  /** Driver configurations in the order of the attempts: each host, with and without TLS if both are allowed. */
  readonly candidates: readonly ClientConfig[];
  /** Which server is used of several (`target_session_attrs`): one that accepts writes, or one that does not. */
  readonly needs: 'any' | 'writable' | 'standby';
  /** Maximum number of connections of one server process. */
  readonly poolSize: number;
  /** The hosts, for messages; without a password. */
  readonly hostNames: string;
}

/** For each `sslmode`, the modes of pg-connection-string to try; its `prefer` encrypts and trusts any server. */
const tlsModes = {
  disable: ['disable'],
  allow: ['disable', 'prefer'],
  prefer: ['prefer', 'disable'],
  require: ['require'],
  'verify-ca': ['verify-ca'],
  'verify-full': ['verify-full'],
  'no-verify': ['prefer'],
} as const;
type SslMode = keyof typeof tlsModes;

/** A setting whose value is a URL. */
export type UrlSetting = 'DATABASE_URL' | 'READ_DATABASE_URL';

/** The values of `target_session_attrs` in each, the default first. Without a standby, reads go to DATABASE_URL. */
const sessionAttributes = {
  DATABASE_URL: ['any', 'read-write', 'primary'],
  READ_DATABASE_URL: ['prefer-standby', 'standby'],
} as const;

/** The kind of server that each value asks for. */
const needs = {
  any: 'any',
  'read-write': 'writable',
  primary: 'writable',
  'prefer-standby': 'standby',
  standby: 'standby',
} as const;

/** Some have no effect: the driver has no such setting, or no other behaviour. */
const knownOptions = [
  'application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssencmode host',
  'keepalives keepalives_count keepalives_idle keepalives_interval options password pool_size port sslcert',
  'sslcompression sslkey sslmode sslnegotiation sslrootcert sslsni target_session_attrs uselibpqcompat user',
].flatMap((names) => names.split(' '));

const defaultPoolSize = 11;
const minPoolSize = 3;
const defaultConnectTimeout = 5; // seconds

/**
 * Reads a `postgres://` or `postgresql://` URL: user, password, one or more hosts (names, IPv6 addresses, folders of
 * unix sockets), database and libpq's options. libpq's environment variables, like PGHOST, are the defaults.
 *
 * @param setting what has the URL as its value
 * @param service the default application_name
 * @throws CliError if the URL is not valid; its message contains no secret
 */
export function readConnectionOptions(
  url: string,
  setting: UrlSetting = 'DATABASE_URL',
  service?: string,
): ConnectionOptions {
  try {
    return readUrl(url, setting, service);
  } catch (error) {
    if (!(error instanceof InvalidUrl)) throw error;
    throw new CliError(`${setting} is not valid: ${error.message}${/[.?]$/.test(error.message) ? '' : '.'}`);
  }
}

/** Its message is the reason. */
class InvalidUrl extends Error {}

const invalid = (reason: string): InvalidUrl => new InvalidUrl(reason);

const invalidPercent = (): InvalidUrl => invalid('a percent sign in it must be written %25');

function readUrl(url: string, setting: UrlSetting, service: string | undefined): ConnectionOptions {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (!parts) throw invalid('it must look like postgres://user:password@host:5432/database; encode special characters');
  const [, credentials = '', authority = '', path = '', query = ''] = parts;
  // Possibly the rest of a password that was not encoded.
  if (`${authority}${path}${query}`.includes('@')) {
    throw invalid('write a / in the password as %2F, a ? as %3F, an @ as %40');
  }
  if (/%(?![\da-f]{2})/i.test(credentials + authority + path)) throw invalidPercent();
  const { host: hostList, port: portList, dbname, ...given } = readOptions(query);
  const sslMode = oneOf('sslmode', given['sslmode'] ?? process.env['PGSSLMODE'], Object.keys(tlsModes) as SslMode[]);
  oneOf('sslnegotiation', given['sslnegotiation'], ['postgres', 'direct']);
  const known: readonly (keyof typeof needs)[] = sessionAttributes[setting];
  const attributes =
    oneOf('target_session_attrs', given['target_session_attrs'], known) ?? sessionAttributes[setting][0];
  // libpq's default is the database named like the user, where the tables of a service would be by accident.
  if (!(path || dbname || process.env['PGDATABASE'])) {
    throw invalid('it names no database; write postgres://user:password@host:5432/NAME');
  }
  const settings: ClientConfig = {
    ...(dbname && { database: dbname }),
    connectionTimeoutMillis: wholeNumber('connect_timeout', given['connect_timeout'], 1, defaultConnectTimeout) * 1000,
    enableChannelBinding: given['channel_binding'] !== 'disable',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  };
  // Node trusts the certificates of the system anyway.
  if (given['sslrootcert'] === 'system') delete given['sslrootcert'];
  if (sslMode === 'verify-ca' && !given['sslrootcert']) {
    throw invalid('sslmode=verify-ca needs the file of a certificate in sslrootcert');
  }

  const hosts = hostList?.split(',').map(encodeURIComponent) ?? authority.split(',');
  const ports = portList?.split(',');
  const configure = (host: string, i: number, mode: string): ClientConfig => {
    const own = new URLSearchParams({ ...given, sslmode: mode, uselibpqcompat: 'true' });
    if (mode === 'disable') own.delete('sslnegotiation');
    if (ports) own.set('port', ports.length === 1 ? ports[0]! : (ports[i] ?? ''));
    const config = parseOne(`postgres://${credentials}@${host}/${path}?${own}`);
    const name = config.host || process.env['PGHOST'] || 'localhost';
    return { fallback_application_name: service, ...config, host: name, ...settings };
  };
  const candidates = hosts.flatMap((host, i) => {
    const { host: name = '' } = configure(host, i, 'disable');
    return tlsModes[sslModeFor(name, sslMode)].map((mode) => configure(host, i, mode));
  });
  const hostNames = candidates.map(({ host, port }) => (port ? `${host}:${port}` : host));
  return {
    candidates,
    needs: needs[attributes],
    poolSize: wholeNumber('pool_size', given['pool_size'], minPoolSize, defaultPoolSize),
    hostNames: [...new Set(hostNames)].join(', '),
  };
}

/** Reads the options of a URL. One without a value is the same as none. */
function readOptions(query: string): Record<string, string> {
  const options = [...new URLSearchParams(query)];
  for (const [name] of options) {
    if (knownOptions.includes(name)) continue;
    if (!/^\w+$/.test(name)) throw invalid('its ? must be followed by options like sslmode=require; write a ? as %3F');
    throw invalid(`it has an unknown option "${name}"${didYouMean(name, knownOptions) || '.'}`);
  }
  return Object.fromEntries(options.filter(([, value]) => value !== ''));
}

function oneOf<const T extends string>(name: string, text: string | undefined, known: readonly T[]): T | undefined {
  if (text === undefined || known.includes(text as T)) return text as T | undefined;
  throw invalid(`${name} must be one of ${known.join(', ')}`);
}

function wholeNumber(name: string, text: string | undefined, min: number, defaultValue: number): number {
  if (text === undefined) return defaultValue;
  if (/^\d{1,6}$/.test(text) && Number(text) >= min) return Number(text);
  throw invalid(`${name} must be a whole number from ${min}`);
}

/** Reads the URL of one host. */
function parseOne(url: string): ClientConfig {
  try {
    const config = toClientConfig(parse(url));
    const { port = 1 } = config;
    if (port >= 1 && port <= 65_535) return config;
  } catch (error) {
    if (error instanceof URIError) throw invalidPercent();
    const { code, path } = error as NodeJS.ErrnoException;
    if (path !== undefined) throw invalid(`the file ${path} cannot be read (${code})`);
  }
  throw invalid('a host must be a name or an address, and a port a number from 1 to 65535');
}

/** TLS within one machine protects nothing: it is used only if the server requires it. */
function sslModeFor(host: string, mode: SslMode | undefined): SslMode {
  if (host.startsWith('/')) return 'disable';
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  return mode ?? (isLocal ? 'allow' : 'prefer');
}
