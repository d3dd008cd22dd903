import { afterEach, expect, test, vi } from 'vitest';

import { CliError } from '../../runtime/kernel/model/errors.ts';
import { type ConnectionOptions, readConnectionOptions } from '../../runtime/engines/postgres/connection-options.ts';

afterEach(() => void vi.unstubAllEnvs());

/** The hosts in the order in which they are tried, and how: with TLS, with which checks, or in the open. */
const attemptsOf = ({ candidates }: ConnectionOptions): string[] =>
  candidates.map(({ host = '', port = '', ssl }) => {
    if (!ssl || ssl === true) return `${host}:${port} open`;
    if (ssl.rejectUnauthorized === false) return `${host}:${port} any server`;
    return `${host}:${port} ${ssl.checkServerIdentity ? 'any name' : 'checked'}`;
  });

test.each([
  ['postgres://h/d', ['h: any server']],
  ['postgres://h/d?sslrootcert=package.json', ['h: any name']],
  ['postgresql://h:5433/d?sslmode=disable', ['h:5433 open']],
  ['postgres://h/d?sslmode=require', ['h: any server']],
  ['postgres://h/d?sslmode=require&sslrootcert=package.json', ['h: any name']],
  ['postgres://h/d?sslmode=verify-ca&sslrootcert=package.json', ['h: any name']],
  ['postgres://h/d?sslmode=verify-full', ['h: checked']],
  ['postgres://localhost/d', ['localhost: open']],
  ['postgres://localhost/d?sslmode=verify-full', ['localhost: checked']],
  ['postgres://a,localhost/d', ['a: any server', 'localhost: open']],
  ['postgres://a:1,b:2,[::1]:3/d?sslmode=disable', ['a:1 open', 'b:2 open', '::1:3 open']],
  ['postgres://a,b/d?sslmode=disable&port=7', ['a:7 open', 'b:7 open']],
  ['postgres://%2Frun%2Fpostgresql/d?sslmode=require', ['/run/postgresql: open']],
  ['postgres:///d?host=/run/postgresql&port=5433', ['/run/postgresql:5433 open']],
  ['postgres://other/d?host=::1&port=9&sslmode=disable', ['::1:9 open']],
])('%s', (url, attempts) => {
  expect(attemptsOf(readConnectionOptions(url))).toEqual(attempts);
});

test('PGSSLMODE is the mode of a URL without one', () => {
  vi.stubEnv('PGSSLMODE', 'verify-full');
  expect(attemptsOf(readConnectionOptions('postgres://localhost/d'))).toEqual(['localhost: checked']);
  vi.stubEnv('PGSSLMODE', 'prefer');
  expect(() => readConnectionOptions('postgres://h/d')).toThrow(/sslmode must be one of disable, require/);
});

test('PGHOST is the host of a URL without one: there is no TLS within a socket', () => {
  vi.stubEnv('PGHOST', '/run/postgresql');
  expect(attemptsOf(readConnectionOptions('postgres:///d'))).toEqual(['/run/postgresql: open']);
});

test('user, password, database and options are taken from the URL', () => {
  const options = readConnectionOptions(
    'postgres://us%40er:p%2Fa%3Ass@h/re%20cords?application_name=a&connect_timeout=2&options=-c%20work_mem%3D1MB' +
      '&target_session_attrs=read-write&pool_size=20',
  );
  expect(options).toMatchObject({ poolSize: 20, needs: 'writable', hostNames: 'h' });
  expect(options.candidates[0]).toMatchObject({
    user: 'us@er',
    password: 'p/a:ss',
    database: 're cords',
    application_name: 'a',
    connectionTimeoutMillis: 2_000,
    options: '-c work_mem=1MB',
  });
});

test.each([
  ['?application_name=a&fallback_application_name=b', 'application_name', 'a'],
  ['?fallback_application_name=b', 'fallback_application_name', 'b'],
  ['', 'fallback_application_name', 'shop'],
])('connections of the service "shop" to postgres://h/d%s have the %s %s', (query, key, name) => {
  expect(readConnectionOptions(`postgres://h/d${query}`, 'DATABASE_URL', 'shop').candidates[0]).toMatchObject({
    [key]: name,
  });
});

test.each([
  ['postgres://u:secret%zz@h/d', '%25'],
  ['postgres://u:secret%FC@h/d', 'UTF-8'],
  ['postgres://u:12/secret@h/d', '%2F'],
  ['postgres://u:1@secret@h/d', '%40'],
  ['postgres://u:1?secret@h/d', '%3F'],
  ['postgres://u:secret#x@h/d', '%23'],
  ['postgres://h:99999/d', 'port'],
  ['postgres://a,b/d?port=1,2', 'port'],
  ['postgres://u:secret@h', 'names no database'],
  ['postgres://u:secret', 'port'],
  ['postgres://u:secret/d', 'port'],
  ['postgres://h/d?sslmod=require', 'did you mean "sslmode"?'],
  ['postgres://h/d?channel_binding=require', 'those that it may have are application_name, connect_timeout'],
  ['postgres://h/d?sslmode=on', 'verify-full'],
  ['postgres://h/d?sslmode=prefer', 'sslmode must be one of disable, require, verify-ca, verify-full'],
  ['postgres://h/d?sslmode=verify-ca', 'sslrootcert'],
  ['postgres://h/d?sslmode=verify-full&sslrootcert=none.pem', 'none.pem'],
  ['postgres://h/d?target_session_attrs=standby', 'read-write'],
  ['postgres://h/d?pool_size=2', 'pool_size'],
  ['postgres://h/d?connect_timeout=soon', 'connect_timeout'],
])('%s is refused in words that show no password', (url, named) => {
  let refusal: unknown;
  try {
    readConnectionOptions(url);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(CliError);
  expect((refusal as CliError).message).toMatch(/^DATABASE_URL is not valid: .*[.?]$/);
  expect((refusal as CliError).message).toContain(named);
  expect((refusal as CliError).message).not.toContain('secret');
});
