import { constants, copyFileSync, existsSync, mkdirSync, renameSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import type { Database, Engine, Session } from './database.ts';

const tmpfs = 0x01021994;

/** SQLite, as it is built into Node. `folder` is for this run, `keep` for what is kept. */
export function sqliteEngine(folder: string, keep: string | undefined): Engine {
  if (keep !== undefined) mkdirSync(keep, { recursive: true });
  const inMemory = statfsSync(folder).type === tmpfs;
  return {
    name: 'SQLite',
    place: `SQLite ${process.versions['sqlite']} in ${folder}${inMemory ? ' (in memory: nothing is durable there)' : ''}`,
    database: (name, kept = false) => new SqliteFile(join((kept && keep) || folder, `${name}.db`)),
    // The folder goes away with the process.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

class SqliteFile implements Database {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  get url(): string {
    return `sqlite:${this.#file}`;
  }

  exists(): Promise<boolean> {
    return Promise.resolve(existsSync(this.#file));
  }

  /** The server makes the file. */
  create(): Promise<void> {
    return Promise.resolve();
  }

  copyTo(other: SqliteFile): Promise<void> {
    // Its own name last: half a copy must not be taken for a whole one.
    const part = `${other.#file}.part`;
    copyFileSync(this.#file, part, constants.COPYFILE_FICLONE);
    renameSync(part, other.#file);
    return Promise.resolve();
  }

  async fill(work: (session: Session) => Promise<void>): Promise<void> {
    using database = new DatabaseSync(this.#file);
    database.exec('pragma synchronous = off; pragma temp_store = memory');
    await work({
      run(sql, parameter) {
        database.prepare(sql).run(...(parameter === undefined ? [] : [parameter]));
        return Promise.resolve();
      },
      rowsOf(columns) {
        const fields = Object.keys(columns).map((name) => `value ->> '${name}' as "${name}"`);
        return `(select ${fields.join(', ')} from json_each(?))`;
      },
    });
    database.exec('pragma synchronous = full; pragma wal_checkpoint(truncate)');
  }

  /** The write-ahead log has gone into the file when its last connection was closed. */
  tidyUp(): Promise<void> {
    return Promise.resolve();
  }

  cpu(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
