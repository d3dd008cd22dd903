import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { openPostgres } from '../support/main-store.ts';
import { readConnectionOptions } from '../../runtime/store/postgres/connection-options.ts';
import { withConnection } from '../../runtime/store/postgres/connection.ts';
import { reasonAgainst } from '../support/disk.ts';
import { freePort, unprivilegedAccount } from '../support/postgres.ts';
import { Folder } from './command.ts';

/** Where the programs of a PostgreSQL server are; '' where they are to be found by their names. */
function programs(): string {
  const versions = '/usr/lib/postgresql';
  const newest = existsSync(versions) ? readdirSync(versions).toSorted((a, b) => Number(b) - Number(a))[0] : undefined;
  return newest === undefined ? '' : join(versions, newest, 'bin');
}

const missing = reasonAgainst(() => {
  unprivilegedAccount();
  for (const program of ['initdb', 'postgres']) execFileSync(join(programs(), program), ['--version']);
  execFileSync('openssl', ['version']);
});
if (missing !== undefined) console.warn(`Skipped: TLS to PostgreSQL: ${missing}.`);

describe.skipIf(missing !== undefined)('TLS to PostgreSQL', () => {
  const folder = new Folder();
  const [data, certificate] = [folder.file('data'), folder.file('server.crt')];
  let server: ChildProcess | undefined;
  let port: number;

  const urlOf = (options: string, host = 'localhost'): string =>
    `postgres://postgres@${host}:${port}/postgres?${options}`;

  /** What the connection is secured with; nothing for one in the open. */
  const securedWith = (url: string): Promise<unknown> =>
    withConnection(readConnectionOptions(url), (connection) =>
      connection.query({ text: 'select version from pg_stat_ssl where pid = pg_backend_pid()' }),
    );

  beforeAll(async () => {
    const owner = unprivilegedAccount();
    if (owner) chownSync(folder.path, owner.uid, owner.gid);
    const options = { ...owner, cwd: folder.path, stdio: 'pipe' } as const;
    const request = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost';
    const names = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', 'server.key', '-out', certificate];
    execFileSync('openssl', ['req', ...request.split(' '), ...names], options);
    execFileSync(join(programs(), 'initdb'), ['--no-sync', '--username=postgres', '--pgdata', data], options);
    writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all all trust\n');
    port = await freePort();
    appendFileSync(
      join(data, 'postgresql.conf'),
      `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\nssl = on
      ssl_cert_file = '${certificate}'\nssl_key_file = '${folder.file('server.key')}'\n`,
    );
    server = spawn(join(programs(), 'postgres'), ['-D', data], { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    for await (const text of server.stderr!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      said += String(text);
      if (said.includes('ready to accept connections')) break;
    }
    expect(said).toContain('ready to accept connections');
    // Read to the end: a pipe that nobody empties would block the server.
    server.stderr!.resume();
  });

  afterAll(async () => {
    if (server?.exitCode === null) {
      server.kill('SIGQUIT');
      await once(server, 'exit');
    }
    folder[Symbol.dispose]();
  });

  const trusted = `&sslrootcert=${encodeURIComponent(certificate)}`;

  test.each([
    ['sslmode=require', ''],
    ['no sslmode', ''],
    ['sslmode=verify-ca', trusted],
    ['sslmode=verify-full', trusted],
  ])('%s is secured', async (mode, more) => {
    const options = mode.startsWith('sslmode') ? mode + more : '';
    expect(await securedWith(urlOf(options))).toEqual([[expect.stringMatching(/^TLSv1\.[23]$/)]]);
  });

  test.each([
    ['sslmode=disable', 'localhost', '', /no pg_hba\.conf entry.*no encryption/],
    ['sslmode=verify-full without its certificate', 'localhost', '', /self-signed certificate/],
    ['sslmode=verify-full under another name', '127.0.0.1', trusted, /127\.0\.0\.1 is not in the cert/],
  ])('%s is refused by a start, which says why', async (what, host, more, why) => {
    const options = `${what.split(' ')[0]}${more}`;
    const refusal: unknown = await openPostgres(urlOf(options, host), [], true, 'test', 300).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ name: 'CliError', message: expect.stringMatching(why) });
  });
});
