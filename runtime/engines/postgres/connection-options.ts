import type { ClientConfig } from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { CliError } from '../../kernel/model/errors.ts';
import { maxWorkDuration } from '../../kernel/model/limits.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import { lockTimeout, defaultPoolSize, minPoolSize } from './limits.ts';

/** How to connect to a PostgreSQL database. */
export interface ConnectionOptions {
  /** Driver configurations of the hosts, in the order of the attempts. */
  readonly candidates: readonly ClientConfig[];
  /** Which server is used of several (`target_session_attrs`): one that accepts writes, or one that does not. */
  readonly needs: 'any' | 'writable' | 'standby';
  /** Maximum number of connections of one server process. */
  readonly poolSize: number;
  /** The hosts, for messages; without a password. */
  readonly hostNames: string;
}

/** The values of `target_session_attrs`, the default first, with the server that they ask for. */
type Sessions = Readonly<Record<string, ConnectionOptions['needs']>>;

const sessionsOfAny: Sessions = { any: 'any', 'read-write': 'writable', primary: 'writable' };

const knownOptions = [
  'application_name connect_timeout fallback_application_name host options password pool_size port sslcert sslkey',
  'sslmode sslnegotiation sslrootcert target_session_attrs user',
].flatMap((names) => names.split(' '));

const rightForm =
  'it must look like postgres://user:password@host:5432/database, with a port from 1 to 65535; in a password, write / as ' +
  '%2F, ? as %3F, # as %23, @ as %40, % as %25, a space as %20, and other characters as in UTF-8';

/**
 * Reads a `postgres://` or `postgresql://` URL: user, password, one or more hosts (names, IPv6 addresses, folders of
 * unix sockets), database and options. PGHOST and the like are the defaults of what it leaves out.
 *
 * @param setting the name of the setting that it is of, for messages
 * @param service the default application_name
 * @throws CliError if the URL is not valid, or has an option that is not supported; its message contains no secret
 */
export function readConnectionOptions(
  url: string,
  setting = 'DATABASE_URL',
  service?: string,
  sessions = sessionsOfAny,
): ConnectionOptions {
  const refuse = (reason: string): never => {
    throw new CliError(`${setting} is not valid: ${reason}${/[.?]$/.test(reason) ? '' : '.'}`);
  };
  // An @ or a # elsewhere is possibly part of a password that was not encoded.
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*)(\/[^@?#]*)?(?:\?([^@#]*))?$/.exec(url);
  if (!parts || /%(?![\da-f]{2})|\s/i.test(url)) return refuse(rightForm);
  const [, start, hosts = '', path = '', query = ''] = parts;
  const options = new URLSearchParams(query);
  const unknown = [...options.keys()].find((name) => !knownOptions.includes(name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, knownOptions) || `; those that it may have are ${knownOptions.join(', ')}`;
    refuse(`it has an option that is not supported, "${unknown}"${hint}`);
  }
  const valueOf = <T extends string>(name: string, values: readonly T[], text = options.get(name)): T | undefined =>
    values.find((value) => value === text) ??
    (text ? refuse(`${name} must be one of ${values.join(', ')}`) : undefined);
  const numberOf = (name: string, min: number, absent: number): number => {
    const text = options.get(name) || String(absent);
    return /^\d{1,6}$/.test(text) && Number(text) >= min
      ? Number(text)
      : refuse(`${name} must be a whole number from ${min}`);
  };
  const givenMode = valueOf(
    'sslmode',
    ['disable', 'require', 'verify-ca', 'verify-full'],
    options.get('sslmode') || process.env['PGSSLMODE'],
  );
  const names = Object.keys(sessions);
  numberOf('port', 1, 1);
  const shared: ClientConfig = {
    connectionTimeoutMillis: numberOf('connect_timeout', 1, lockTimeout / 1_000) * 1_000,
    enableChannelBinding: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: maxWorkDuration,
    pipeline: true,
  };
  const parse = (host: string, sslMode: string): ClientConfig => {
    try {
      return parseIntoClientConfig(`${start}${host}${path}?${query}&sslmode=${sslMode}&uselibpqcompat=true`);
    } catch (error) {
      const { code, message, path: file } = error as NodeJS.ErrnoException;
      if (file !== undefined) return refuse(`the file ${file} cannot be read (${code})`);
      return refuse(
        message.includes('sslrootcert')
          ? `sslmode=verify-ca needs the file of a certificate in sslrootcert`
          : rightForm,
      );
    }
  };
  const candidates = (options.get('host') ? [''] : hosts.split(',')).map((hostAndPort): ClientConfig => {
    const host = parse(hostAndPort, 'disable').host || process.env['PGHOST'] || 'localhost';
    // TLS within one machine protects nothing.
    const sslMode = host.startsWith('/') ? 'disable' : (givenMode ?? (isLoopback(host) ? 'disable' : 'require'));
    return { fallback_application_name: service, ...parse(hostAndPort, sslMode), host, ...shared };
  });
  // The driver's default is the database named like the user, where the tables of a service would be by accident.
  if (!candidates[0]?.database && !process.env['PGDATABASE'])
    refuse('it names no database; write postgres://user:password@host:5432/NAME');
  return {
    candidates,
    needs: sessions[valueOf('target_session_attrs', names) ?? names[0]!]!,
    poolSize: numberOf('pool_size', minPoolSize, defaultPoolSize),
    hostNames: candidates.map(({ host, port }) => (port ? `${host}:${port}` : host)).join(', '),
  };
}

/** Whether a host is the machine that names it. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** How to connect to another node of the same cluster: as to the first host. */
export const optionsOfNode = (options: ConnectionOptions, host: string, port: number): ConnectionOptions => ({
  ...options,
  candidates: [{ ...options.candidates[0], host, port }],
  hostNames: `${host}:${port}`,
});
