import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { reasonAgainst } from './disk.ts';
import { freePort, unprivilegedAccount } from './postgres.ts';

const program = 'pgbouncer';

/** Debian installs it where only root looks for programs. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

/** Why no pgbouncer can be run here; undefined where one can. */
export const pgbouncerMissing = reasonAgainst(() => {
  unprivilegedAccount();
  execFileSync(program, ['--version'], { env, stdio: 'pipe' });
});

/** A pgbouncer in transaction mode in front of a database. */
export class Pgbouncer implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'records-pgbouncer-'));
  #process: ChildProcess | undefined;
  /** The DATABASE_URL of servers. */
  url = '';

  /** @param poolSize connections to the database, which all clients share */
  static async start(database: { readonly url: string }, poolSize: number): Promise<Pgbouncer> {
    const pooler = new Pgbouncer();
    try {
      await pooler.#start(new URL(database.url), poolSize);
    } catch (error) {
      await pooler[Symbol.asyncDispose]();
      throw error;
    }
    return pooler;
  }

  async #start({ hostname, port, username, password, pathname }: URL, poolSize: number): Promise<void> {
    const own = await freePort();
    const target = Object.entries({ host: hostname, port: port || '5432', user: username, password })
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}='${decodeURIComponent(value).replaceAll("'", "''")}'`);
    const settings = [
      '[databases]',
      `${pathname.slice(1)} = ${target.join(' ')}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${own}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 500',
    ];
    const file = join(this.#folder, 'pgbouncer.ini');
    writeFileSync(file, settings.join('\n'));
    chmodSync(this.#folder, 0o755);
    this.#process = spawn(program, [file], { ...unprivilegedAccount(), env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    for await (const text of this.#process.stderr!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      said += String(text);
      if (said.includes('process up')) break;
    }
    if (!said.includes('process up')) throw new Error(`pgbouncer has not started. It said:\n${said}`);
    // A full pipe would block it.
    this.#process.stderr!.resume();
    this.url = `postgres://anyone@127.0.0.1:${own}${pathname}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process?.exitCode === null) {
      this.#process.kill('SIGKILL');
      await once(this.#process, 'exit');
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
