import { execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPostgres } from '../support/main-store.ts';
import { readConnectionOptions } from '../../runtime/engines/postgres/connection-options.ts';
import { withConnection } from '../../runtime/engines/postgres/connection.ts';
import { reasonAgainst } from '../support/disk.ts';
import { unprivilegedAccount } from '../support/postgres.ts';
import { PostgresServer, postgresServerMissing } from '../support/postgres-server.ts';
import { Folder } from './command.ts';

const missing = postgresServerMissing ?? reasonAgainst(() => execFileSync('openssl', ['version']));
if (missing !== undefined) console.warn(`Skipped: TLS to PostgreSQL: ${missing}.`);

describe.skipIf(missing !== undefined)('TLS to PostgreSQL', () => {
  const folder = new Folder();
  const certificate = folder.file('server.crt');
  let server: PostgresServer | undefined;

  const urlOf = (options: string, host = 'localhost'): string =>
    `postgres://postgres@${host}:${server?.port}/postgres?${options}`;

  /** The protocol that secures the connection; nothing if it is not secured. */
  const securedWith = (url: string): Promise<unknown> =>
    withConnection(readConnectionOptions(url), (connection) =>
      connection.query('select version from pg_stat_ssl where pid = pg_backend_pid()'),
    );

  beforeAll(async () => {
    const owner = unprivilegedAccount();
    if (owner) chownSync(folder.path, owner.uid, owner.gid);
    const options = { ...owner, cwd: folder.path, stdio: 'pipe' } as const;
    const request = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost';
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'server.key', '-out', certificate];
    execFileSync('openssl', ['req', ...request.split(' '), ...names], options);
    const settings = ['ssl = on', `ssl_cert_file = '${certificate}'`, `ssl_key_file = '${folder.file('server.key')}'`];
    server = await PostgresServer.create(folder.file('data'), settings, 'hostssl all all all trust');
  });

  afterAll(async () => {
    await server?.stop('crash');
    folder[Symbol.dispose]();
  });

  const trusted = `&sslrootcert=${encodeURIComponent(certificate)}`;

  test.each([
    ['sslmode=require', ''],
    ['sslmode=verify-ca', trusted],
    ['sslmode=verify-full', trusted],
  ])('%s is secured', async (mode, more) => {
    expect(await securedWith(urlOf(mode + more))).toEqual([[expect.stringMatching(/^TLSv1\.[23]$/)]]);
  });

  test.each([
    ['sslmode=disable', 'localhost', '', /no pg_hba\.conf entry.*no encryption \(sslmode=require/],
    ['no sslmode', 'localhost', '', /sslmode=require in the URL connects with TLS/],
    ['sslmode=verify-full without its certificate', 'localhost', '', /self-signed certificate/],
    ['sslmode=verify-full under another name', '127.0.0.1', trusted, /127\.0\.0\.1 is not in the cert/],
  ])('%s is refused by a start, which says why', async (what, host, more, why) => {
    const options = `${what.startsWith('sslmode') ? what.split(' ')[0] : ''}${more}&connect_timeout=1`;
    const refusal: unknown = await openPostgres(urlOf(options, host), [], true).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ name: 'CliError', message: expect.stringMatching(why) });
  });

  test('a server without TLS is not used in its place, and the refusal says how it could be', async () => {
    await using plain = await PostgresServer.create(folder.file('plain'), ['ssl = off']);
    const url = `postgres://postgres@localhost:${plain.port}/postgres?sslmode=require`;
    await expect(securedWith(url)).rejects.toThrow(/does not support SSL connections \(sslmode=disable/);
  });
});
