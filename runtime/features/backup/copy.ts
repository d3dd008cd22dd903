import {
  chmodSync,
  type DisposableTempDir,
  existsSync,
  mkdtempDisposableSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Progress } from '../../data/progress.ts';
import { CliError } from '../../kernel/model/errors.ts';
import { databaseSettings } from '../../commands/database-setting.ts';
import type { CommandContext } from '../../kernel/feature.ts';
import { openFile } from '../../engines/sqlite/connection.ts';
import { primaryCode } from '../../engines/sqlite/failure.ts';
import { isClaimed, valueOf, syncFolder } from '../../engines/sqlite/open.ts';
import { usageError } from '../../commands/arguments.ts';

/** Signals from a user or supervisor that end the process. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The files that SQLite creates beside an open database: write-ahead log, shared memory, rollback journal. */
export const journalsOf = (file: string): string[] =>
  ['-wal', '-shm', '-journal'].map((end) => file + end).filter((journal) => existsSync(journal));

/** Opens an existing database. @throws CliError if it does not exist */
export function openExisting(file: string): DatabaseSync {
  if (!existsSync(file)) throw new CliError(`There is no database ${file}.`);
  return openFile(file, 'rw');
}

/**
 * The file of DATABASE_URL, and the file that the command line names, which must have nothing to do with the first one.
 *
 * @param help of the command
 * @param tool that PostgreSQL has for the same
 * @throws CliError that says what is wrong
 */
export function copiedFiles(
  { settings }: CommandContext,
  help: string,
  tool: string,
  named: string,
): { database: string; file: string } {
  if (named === '') throw usageError(help, 'The name of the file is empty.');
  const configured = settings(databaseSettings).DATABASE_URL;
  if (configured.kind === 'postgres') {
    throw new CliError(`DATABASE_URL names a PostgreSQL database. Use its own tools: ${tool}`);
  }
  const database = followed(configured.file);
  const file = followed(named);
  if ([database, ...journalsOf(database)].some((own) => isSameFile(own, file))) {
    throw new CliError(`${file} is the database itself, or belongs to it. Name another file.`);
  }
  return { database, file };
}

/** Links are followed: SQLite puts its journal beside the file itself. */
const followed = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/**
 * Copies a snapshot of a database to one file, while servers continue to write, and checks the copy. Then it calls
 * `prepareTarget` and renames the copy to the target. A target is thus complete or does not exist, even if a signal ends the
 * process.
 *
 * @returns a description of the copy
 * @throws CliError if the copy cannot be written or is not intact
 */
export async function copyDatabase(
  source: string,
  target: string,
  service: string,
  prepareTarget: () => void,
): Promise<string> {
  const shown = new Progress(`Copying ${source}`, 'page');
  let folder: DisposableTempDir | undefined;
  const abandon = (signal: NodeJS.Signals): void => {
    // SQLite's thread may create a journal while the folder is being removed.
    if (folder !== undefined) rmSync(folder.path, { recursive: true, force: true, maxRetries: 10 });
    process.kill(process.pid, signal);
  };
  for (const signal of endSignals) process.once(signal, abandon);
  try {
    let copy: string;
    {
      using database = openExisting(source);
      if (!isClaimed(database, source, service)) throw new CliError(`The database ${source} holds no tables.`);
      // Without a transaction, SQLite restarts the copy after each write of another connection.
      database.exec('begin');
      requireSpace(database, target);
      folder = mkdtempDisposableSync(`${target}.`);
      copy = join(folder.path, 'copy');
      const progress = ({ totalPages: all, remainingPages }: { totalPages: number; remainingPages: number }): void =>
        shown.show(all - remainingPages, 1 - remainingPages / all);
      await shown.during(backup(database, copy, { progress }));
    }
    check(copy);
    chmodSync(copy, existsSync(target) ? statSync(target).mode & 0o777 : 0o600);
    await flush(copy);
    prepareTarget();
    const { size } = statSync(copy);
    renameSync(copy, target);
    syncFolder(dirname(resolve(target)));
    return `${size.toLocaleString('en')} bytes, in ${shown.seconds.toFixed(1)} s`;
  } catch (error) {
    const isExpected = primaryCode(error) !== undefined || (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isExpected ? new CliError(`${source} cannot be copied to ${target}: ${(error as Error).message}`) : error;
  } finally {
    folder?.remove();
    // Not at once: a signal would end the process between the copy and the message that it is complete.
    setImmediate(() => endSignals.forEach((signal) => process.off(signal, abandon)));
  }
}

/** The servers may write to the disk that a copy would fill. */
function requireSpace(database: DatabaseSync, target: string): void {
  const needed = Number(valueOf(database, 'pragma page_count')) * Number(valueOf(database, 'pragma page_size'));
  const { bavail, blocks, bsize } = statfsSync(dirname(resolve(target)));
  // Some network file systems report no size.
  if (blocks === 0 || bavail * bsize >= needed) return;
  throw new CliError(`${target} would take ${needed} bytes, and its disk has ${bavail * bsize} left.`);
}

/** Checks a copy, and leaves the WAL mode that its header names. @throws CliError or an error of SQLite if it is not intact */
function check(copy: string): void {
  using database = new DatabaseSync(copy);
  database.exec('pragma journal_mode = delete');
  // The last line; the first one may be a title.
  const problem = String(valueOf(database, 'pragma integrity_check(1)')).split('\n').at(-1);
  if (problem === 'ok') return;
  throw new CliError(`The copy is not intact and was removed; its source seems to be damaged: ${problem}`);
}

async function flush(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}
