import { expect, test } from 'vitest';

import { CliError } from '../../runtime/errors.ts';
import { type Address, readConnectionOptions } from '../../runtime/store/postgres/connection-options.ts';

/** The hosts in the order in which they are tried, and how: with TLS, with which checks, or in the open. */
const waysOf = ({ ways }: Address): string[] =>
  ways.map(({ host = '', port = '', ssl }) => {
    if (!ssl || ssl === true) return `${host}:${port} open`;
    if (ssl.rejectUnauthorized === false) return `${host}:${port} any server`;
    return `${host}:${port} ${ssl.checkServerIdentity ? 'any name' : 'checked'}`;
  });

test.each([
  ['postgres://h/d', ['h: any server', 'h: open']],
  ['postgresql://h:5433/d?sslmode=disable', ['h:5433 open']],
  ['postgres://h/d?sslmode=allow', ['h: open', 'h: any server']],
  ['postgres://h/d?sslmode=prefer', ['h: any server', 'h: open']],
  ['postgres://h/d?sslmode=require', ['h: any server']],
  ['postgres://h/d?sslmode=require&sslrootcert=package.json', ['h: any name']],
  ['postgres://h/d?sslmode=verify-ca&sslrootcert=package.json', ['h: any name']],
  ['postgres://h/d?sslmode=verify-full', ['h: checked']],
  ['postgres://localhost/d', ['localhost: open', 'localhost: any server']],
  ['postgres://a:1,b:2,[::1]:3/d?sslmode=disable', ['a:1 open', 'b:2 open', '::1:3 open']],
  ['postgres://a,b/d?sslmode=disable&port=7', ['a:7 open', 'b:7 open']],
  ['postgres://%2Frun%2Fpostgresql/d?sslmode=require', ['/run/postgresql: open']],
  ['postgres:///d?host=/run/postgresql&port=5433', ['/run/postgresql:5433 open']],
])('%s', (url, ways) => {
  expect(waysOf(readConnectionOptions(url))).toEqual(ways);
});

test('user, password, database and options are taken as libpq takes them', () => {
  const address = readConnectionOptions(
    'postgres://us%40er:p%2Fa%3Ass@h/re%20cords?application_name=a&connect_timeout=2&options=-c%20work_mem%3D1MB' +
      '&target_session_attrs=read-write&pool_size=20&channel_binding=require&keepalives_idle=5',
  );
  expect(address).toMatchObject({ poolSize: 20, mustWrite: true, shown: 'h' });
  expect(address.ways[0]).toMatchObject({
    user: 'us@er',
    password: 'p/a:ss',
    database: 're cords',
    application_name: 'a',
    connectionTimeoutMillis: 2_000,
    options: '-c work_mem=1MB',
  });
});

test.each([
  ['postgres://u:secret%zz@h/d', '%25'],
  ['postgres://u:12/secret@h/d', '%2F'],
  ['postgres://u:1@secret@h/d', '%40'],
  ['postgres://u:1?secret@h/d', '%3F'],
  ['postgres://u:secret#x@h/d', 'encode'],
  ['postgres://h:99999/d', 'port'],
  ['postgres://h/d?sslmod=require', 'did you mean "sslmode"?'],
  ['postgres://h/d?sslmode=on', 'verify-full'],
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
