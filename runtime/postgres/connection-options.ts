import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { CliError } from '../model/errors.ts';
import { maxWorkDuration } from '../model/limits.ts';
import { didYouMean } from '../model/suggest.ts';
import { lockTimeout, defaultPoolSize, minPoolSize } from './limits.ts';

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
const tlsModes: Readonly<Record<string, readonly string[]>> = {
  disable: ['disable'],
  allow: ['disable', 'prefer'],
  prefer: ['prefer', 'disable'],
  require: ['require'],
  'verify-ca': ['verify-ca'],
  'verify-full': ['verify-full'],
  'no-verify': ['prefer'],
};

/** The values of `target_session_attrs` in each setting, the default first, with the server that they ask for. */
const sessionAttributes = {
  DATABASE_URL: { any: 'any', 'read-write': 'writable', primary: 'writable' },
  READ_DATABASE_URL: { 'prefer-standby': 'standby', standby: 'standby' },
} as const;

/** Some have no effect: the driver has no such setting, or no other behaviour. */
const knownOptions = [
  'application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssencmode host',
  'keepalives keepalives_count keepalives_idle keepalives_interval options password pool_size port sslcert',
  'sslcompression sslkey sslmode sslnegotiation sslrootcert sslsni target_session_attrs uselibpqcompat user',
].flatMap((names) => names.split(' '));

const percentHint = 'a percent sign in it must be written %25, and other characters as in UTF-8';

/**
 * Reads a `postgres://` or `postgresql://` URL: user, password, one or more hosts (names, IPv6 addresses, folders of
 * unix sockets), database and libpq's options. libpq's environment variables, like PGHOST, are the defaults.
 *
 * @param service the default application_name
 * @throws CliError if the URL is not valid; its message contains no secret
 */
export function readConnectionOptions(
  url: string,
  setting: keyof typeof sessionAttributes = 'DATABASE_URL',
  service?: string,
): ConnectionOptions {
  try {
    return readUrl(url, sessionAttributes[setting], service);
  } catch (error) {
    if (!(error instanceof InvalidUrl)) throw error;
    throw new CliError(`${setting} is not valid: ${error.message}${/[.?]$/.test(error.message) ? '' : '.'}`);
  }
}

/** Its message is the reason. */
class InvalidUrl extends Error {}

function readUrl(
  url: string,
  attributes: Readonly<Record<string, ConnectionOptions['needs']>>,
  service: string | undefined,
): ConnectionOptions {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (!parts) {
    throw new InvalidUrl('it must look like postgres://user:password@host:5432/database; encode special characters');
  }
  const [, credentials = '', authority = '', path = '', query = ''] = parts;
  // Possibly the rest of a password that was not encoded.
  if (`${authority}${path}${query}`.includes('@')) {
    throw new InvalidUrl('write a / in the password as %2F, a ? as %3F, an @ as %40');
  }
  if (/%(?![\da-f]{2})/i.test(url)) throw new InvalidUrl(percentHint);
  const given = readOptions(query);
  wholeNumber('port', given['port'], 1, 1);
  const sslMode = oneOf('sslmode', given['sslmode'] ?? process.env['PGSSLMODE'], tlsModes);
  const needs = oneOf('target_session_attrs', given['target_session_attrs'], attributes);
  const database = given['dbname'] ?? (path ? undefined : process.env['PGDATABASE']);
  // libpq's default is the database named like the user, where the tables of a service would be by accident.
  if (!path && !database) throw new InvalidUrl('it names no database; write postgres://user:password@host:5432/NAME');
  // Node trusts the certificates of the system anyway.
  if (given['sslrootcert'] === 'system') delete given['sslrootcert'];
  if (sslMode === 'verify-ca' && !given['sslrootcert']) {
    throw new InvalidUrl('sslmode=verify-ca needs the file of a certificate in sslrootcert');
  }
  const settings: ClientConfig = {
    ...(database && { database }),
    connectionTimeoutMillis: wholeNumber('connect_timeout', given['connect_timeout'], 1, lockTimeout / 1_000) * 1_000,
    enableChannelBinding: given['channel_binding'] !== 'disable',
    keepAlive: true,
    keepAliveInitialDelayMillis: maxWorkDuration,
    pipeline: true,
  };
  const configure = (host: string, sslmode: string): ClientConfig => {
    const options = new URLSearchParams({ ...given, sslmode, uselibpqcompat: 'true' });
    const config = parseOne(`postgres://${credentials}@${host}/${path}?${options}`);
    const name = config.host || process.env['PGHOST'] || 'localhost';
    return { fallback_application_name: service, ...config, host: name, ...settings };
  };
  const hosts = given['host'] ? [''] : authority.split(',');
  const candidates = hosts.flatMap((host) => {
    const modes = modesFor(configure(host, 'disable').host as string, sslMode);
    return modes.map((mode) => configure(host, mode));
  });
  const hostNames = candidates.map(({ host, port }) => (port ? `${host}:${port}` : host));
  return {
    candidates,
    needs: needs === undefined ? Object.values(attributes)[0]! : attributes[needs]!,
    poolSize: wholeNumber('pool_size', given['pool_size'], minPoolSize, defaultPoolSize),
    hostNames: [...new Set(hostNames)].join(', '),
  };
}

/** Reads the options of a URL. One without a value is the same as none. */
function readOptions(query: string): Record<string, string> {
  const options = [...new URLSearchParams(query)];
  const unknown = options.find(([name]) => !knownOptions.includes(name))?.[0];
  if (unknown === undefined) return Object.fromEntries(options.filter(([, value]) => value !== ''));
  throw new InvalidUrl(`it has an unknown option "${unknown}"${didYouMean(unknown, knownOptions) || '.'}`);
}

function oneOf(name: string, text: string | undefined, known: object): string | undefined {
  if (text === undefined || Object.hasOwn(known, text)) return text;
  throw new InvalidUrl(`${name} must be one of ${Object.keys(known).join(', ')}`);
}

function wholeNumber(name: string, text: string | undefined, min: number, defaultValue: number): number {
  if (text === undefined) return defaultValue;
  if (/^\d{1,6}$/.test(text) && Number(text) >= min) return Number(text);
  throw new InvalidUrl(`${name} must be a whole number from ${min}`);
}

/** Reads the URL of one host. */
function parseOne(url: string): ClientConfig {
  try {
    const config = toClientConfig(parse(url));
    const { port = 1 } = config;
    if (port >= 1 && port <= 65_535) return config;
  } catch (error) {
    if (error instanceof URIError) throw new InvalidUrl(percentHint);
    const { code, path } = error as NodeJS.ErrnoException;
    if (path !== undefined) throw new InvalidUrl(`the file ${path} cannot be read (${code})`);
  }
  throw new InvalidUrl('a host must be a name or an address, and a port a number from 1 to 65535');
}

/** TLS within one machine protects nothing: it is used only if the server requires it. */
function modesFor(host: string, sslMode: string | undefined): readonly string[] {
  if (host.startsWith('/')) return ['disable'];
  return tlsModes[sslMode ?? (isLoopback(host) ? 'allow' : 'prefer')]!;
}

/** Whether a host is the machine that names it. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** How to connect to another node of the same cluster: as to the first host. */
export function optionsOfNode(options: ConnectionOptions, host: string, port: number): ConnectionOptions {
  const [first] = options.candidates;
  const same = options.candidates.filter((one) => one.host === first?.host && one.port === first?.port);
  return { ...options, candidates: same.map((one) => ({ ...one, host, port })), hostNames: `${host}:${port}` };
}
