import type { ClientConfig } from 'pg';
import { parse, toClientConfig } from 'pg-connection-string';
import { CliError } from '../../errors.ts';
import { didYouMean } from '../../suggest.ts';

/** How to connect to a PostgreSQL database. */
export interface ConnectionOptions {
  /** Driver configurations in the order of the attempts: each host, with and without TLS if both are allowed. */
  readonly candidates: readonly ClientConfig[];
  /** Only a server that accepts writes is used (`target_session_attrs`). */
  readonly needsWritable: boolean;
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

/** Some have no effect: the driver has no such setting, or no other behaviour. */
const knownOptions = [
  'application_name channel_binding client_encoding connect_timeout dbname fallback_application_name gssencmode host',
  'keepalives keepalives_count keepalives_idle keepalives_interval options password pool_size port sslcert',
  'sslcompression sslkey sslmode sslnegotiation sslrootcert sslsni target_session_attrs uselibpqcompat user',
].flatMap((names) => names.split(' '));

const defaultPoolSize = 10;
const minPoolSize = 3;
const defaultConnectTimeout = 5; // seconds

/**
 * Reads a `postgres://` or `postgresql://` URL: user, password, one or more hosts (names, IPv6 addresses, folders of
 * unix sockets), database and libpq's options. libpq's environment variables, like PGHOST, are the defaults.
 *
 * @param service the default application_name
 * @throws CliError if the URL is not valid; its message contains no secret
 */
export function readConnectionOptions(url: string, service?: string): ConnectionOptions {
  const parts = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (!parts) throw invalid('it must look like postgres://user:password@host:5432/database; encode special characters');
  const [, credentials = '', authority = '', path = '', query = ''] = parts;
  // Possibly the rest of a password that was not encoded.
  if (`${authority}${path}${query}`.includes('@')) {
    throw invalid('write a / in the password as %2F, a ? as %3F, an @ as %40');
  }
  if (/%(?![\da-f]{2})/i.test(credentials + authority + path)) throw invalidPercent();
  const given = new URLSearchParams(query);
  checkNames(given);
  const option = (name: string): string | undefined => given.get(name) || undefined;

  const sslMode = oneOf('sslmode', option('sslmode') ?? process.env['PGSSLMODE'], Object.keys(tlsModes) as SslMode[]);
  oneOf('sslnegotiation', option('sslnegotiation'), ['postgres', 'direct']);
  const attributes = oneOf('target_session_attrs', option('target_session_attrs'), ['any', 'read-write', 'primary']);
  // libpq's default is the database named like the user: nobody wants the tables of a service there by accident.
  if (!(path || option('dbname') || process.env['PGDATABASE'])) {
    throw invalid('it names no database; write postgres://user:password@host:5432/NAME');
  }
  const fallbackName = option('fallback_application_name') ?? service;
  const settings: ClientConfig = {
    ...(option('dbname') && { database: option('dbname') }),
    ...(fallbackName !== undefined && { fallback_application_name: fallbackName }),
    connectionTimeoutMillis: wholeNumber('connect_timeout', option('connect_timeout'), 1, defaultConnectTimeout) * 1000,
    enableChannelBinding: option('channel_binding') !== 'disable',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
  };
  // Node trusts the certificates of the system anyway.
  if (option('sslrootcert') === 'system') given.delete('sslrootcert');
  if (sslMode === 'verify-ca' && !option('sslrootcert')) {
    throw invalid('sslmode=verify-ca needs the file of a certificate in sslrootcert');
  }
  given.delete('uselibpqcompat');

  const hosts = (option('host') ?? authority).split(',');
  const ports = option('port')?.split(',') ?? [];
  const configure = (host: string, i: number, mode: string): ClientConfig => {
    const own = new URLSearchParams([...given, ['sslmode', mode]]);
    if (mode === 'disable') own.delete('sslnegotiation');
    if (option('host')) own.set('host', host);
    if (option('port')) own.set('port', ports.length === 1 ? ports[0]! : (ports[i] ?? ''));
    const address = option('host') ? '' : host;
    return { ...parseOne(`postgres://${credentials}@${address}/${path}?${own}`), ...settings };
  };
  const candidates = hosts.flatMap((host, i) => {
    const { host: name = '' } = configure(host, i, 'disable');
    return tlsModes[sslModeFor(name, sslMode)].map((mode) => configure(host, i, mode));
  });
  const names = candidates.map(({ host, port }) => [host || process.env['PGHOST'] || 'localhost', port]);
  return {
    candidates,
    needsWritable: attributes !== undefined && attributes !== 'any',
    poolSize: wholeNumber('pool_size', option('pool_size'), minPoolSize, defaultPoolSize),
    hostNames: [...new Set(names.map((name) => name.filter(Boolean).join(':')))].join(', '),
  };
}

const invalid = (reason: string): CliError =>
  new CliError(`DATABASE_URL is not valid: ${reason}${/[.?]$/.test(reason) ? '' : '.'}`);

const invalidPercent = (): CliError => invalid('a percent sign in it must be written %25');

function checkNames(given: URLSearchParams): void {
  for (const name of given.keys()) {
    if (knownOptions.includes(name)) continue;
    if (!/^\w+$/.test(name)) throw invalid('its ? must be followed by options like sslmode=require; write a ? as %3F');
    throw invalid(`it has an unknown option "${name}"${didYouMean(name, knownOptions) || '.'}`);
  }
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
    const config = toClientConfig(parse(url, { useLibpqCompat: true }));
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
  const name = host || (process.env['PGHOST'] ?? '');
  const isLocal = ['', 'localhost', '::1'].includes(name) || name.startsWith('127.');
  return mode ?? (isLocal ? 'allow' : 'prefer');
}
