import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { Client } from 'pg';
import { describe } from 'vitest';

import { reasonAgainst } from './disk.ts';
import { freePort, unprivilegedAccount } from './postgres.ts';

/** The path of a program of a PostgreSQL server; its name where it is to be found by that. */
function programOf(name: string): string {
  const versions = '/usr/lib/postgresql';
  const newest = existsSync(versions) ? readdirSync(versions).toSorted((a, b) => Number(b) - Number(a))[0] : undefined;
  return newest === undefined ? name : join(versions, newest, 'bin', name);
}

/** Why no PostgreSQL server of its own can be run here; undefined where one can. */
export const postgresServerMissing = reasonAgainst(() => {
  unprivilegedAccount();
  for (const name of ['initdb', 'postgres', 'pg_basebackup']) {
    execFileSync(programOf(name), ['--version'], { stdio: 'pipe' });
  }
});

/** A `describe` that is skipped, and says why, where no PostgreSQL server can be run. */
export function describePostgresServer(name: string, tests: () => void): void {
  if (postgresServerMissing === undefined) {
    describe(name, tests);
  } else {
    console.warn(`Skipped: ${name}: ${postgresServerMissing}.`);
    describe.skip(`${name} (${postgresServerMissing})`, tests);
  }
}

/** Ended with the test process if it exits before its scopes do. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const server of running) server.kill('SIGQUIT');
});

/** A PostgreSQL server of its own, whose only user needs no password; it ends with its scope. */
export class PostgresServer implements AsyncDisposable {
  readonly port: number;
  readonly #data: string;
  #process: ChildProcess | undefined;

  private constructor(data: string, port: number) {
    this.#data = data;
    this.port = port;
  }

  /**
   * Starts a new server.
   *
   * @param folder a new folder for it
   * @param settings lines of its postgresql.conf
   */
  static async create(
    folder: string,
    settings: readonly string[] = [],
    access = 'host all all all trust',
  ): Promise<PostgresServer> {
    run('initdb', folder, ['--no-sync', '--username=postgres', '--encoding=UTF8', '--locale=C', '--pgdata', folder]);
    writeFileSync(join(folder, 'pg_hba.conf'), `${access}\nhost replication all all trust\n`);
    return PostgresServer.#started(folder, [
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      'fsync = off',
      ...settings,
    ]);
  }

  /** Starts a standby that follows this server; see `create`. */
  async standby(folder: string, settings: readonly string[] = []): Promise<PostgresServer> {
    const source = `host=127.0.0.1 port=${this.port} user=postgres`;
    run('pg_basebackup', folder, [
      '--no-sync',
      '--checkpoint=fast',
      '--write-recovery-conf',
      '--dbname',
      source,
      '--pgdata',
      folder,
    ]);
    return PostgresServer.#started(folder, settings);
  }

  static async #started(folder: string, settings: readonly string[]): Promise<PostgresServer> {
    const server = new PostgresServer(folder, await freePort());
    appendFileSync(join(folder, 'postgresql.conf'), `${[...settings, `port = ${server.port}`].join('\n')}\n`);
    await server.start();
    return server;
  }

  url(database = 'postgres', options = ''): string {
    return `postgres://postgres@127.0.0.1:${this.port}/${database}${options}`;
  }

  /** Starts it again. */
  async start(): Promise<void> {
    const server = spawn(programOf('postgres'), ['-D', this.#data], {
      ...unprivilegedAccount(),
      cwd: this.#data,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = server;
    running.add(server);
    server.once('exit', () => running.delete(server));
    let said = '';
    for await (const text of server.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      said += String(text);
      if (/ready to accept (?:read-only )?connections/.test(said)) break;
    }
    // A full pipe would block the server.
    server.stderr.resume();
    if (server.exitCode !== null) throw new Error(`PostgreSQL has not started. It said:\n${said}`);
  }

  /** Ends it, as a shutdown does or as a crash. */
  async stop(how: 'fast' | 'crash' = 'fast'): Promise<void> {
    const server = this.#process;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const end = once(server, 'exit');
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await end;
  }

  /** Stops all of its processes where they are, or lets them go on. */
  signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pid = this.#process?.pid as number;
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
    for (const one of [pid, ...children.trim().split(/\s+/).map(Number)]) process.kill(one, signal);
  }

  /** Asks it, past any store. */
  async query<Row = Record<string, unknown>>(sql: string, database = 'postgres'): Promise<Row[]> {
    const client = new Client({ connectionString: this.url(database) });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('crash');
  }
}

/** Runs a program that makes a folder, as the user that PostgreSQL accepts. */
function run(program: string, folder: string, args: readonly string[]): void {
  const owner = unprivilegedAccount();
  mkdirSync(folder, { mode: 0o700 });
  if (owner) {
    // A temporary folder is closed to others.
    chmodSync(dirname(folder), 0o711);
    chownSync(folder, owner.uid, owner.gid);
  }
  execFileSync(programOf(program), args, { ...owner, cwd: folder, stdio: 'pipe' });
}
