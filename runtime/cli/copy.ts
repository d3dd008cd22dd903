import { once } from 'node:events';
import {
  chmodSync,
  type DisposableTempDir,
  existsSync,
  mkdtempDisposableSync,
  renameSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { CliError } from '../model/errors.ts';
import { Progress } from '../data/progress.ts';
import { sibling } from '../threads/sibling.ts';
import { openFile } from '../sqlite/connection.ts';
import { primaryCode } from '../sqlite/failure.ts';
import { isClaimed, valueOf } from '../sqlite/identity.ts';
import { syncFolder } from '../sqlite/open.ts';
import { counted } from '../model/text.ts';
import type { Contents } from './check-copy.ts';

/** Milliseconds to wait for the lock of another connection. */
const lockTimeout = 5_000;

/** Signals from a user or supervisor that end the process. */
const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Pages copied in one step. */
const pagesPerStep = 1_000;

/** Describes a copy in a message. */
export const describeCopy = ({ bytes, rows, tables }: Contents): string =>
  `${bytes.toLocaleString('en')} bytes, ${counted(rows, 'row')} in ${counted(tables, 'table')}`;

/** The files that SQLite creates beside an open database: write-ahead log, shared memory, rollback journal. */
export const journalsOf = (file: string): string[] => ['-wal', '-shm', '-journal'].map((end) => file + end);

/** Opens an existing database. @throws CliError if it does not exist */
export function openExisting(file: string): DatabaseSync {
  if (!existsSync(file)) throw new CliError(`There is no database ${file}.`);
  return openFile(file, 'rw', lockTimeout);
}

/**
 * Copies a snapshot of a database to one file, while servers continue to write, and checks the copy. Then it calls
 * `makeRoom` and renames the copy to the target, which thus is complete or does not exist, even if a signal ends the process.
 *
 * @throws CliError if the copy cannot be written or is not intact
 */
export async function copyDatabase(
  source: string,
  target: string,
  service: string,
  makeRoom: () => void,
): Promise<Contents> {
  let folder: DisposableTempDir | undefined;
  const abandon = (signal: NodeJS.Signals): void => {
    folder?.remove();
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
      await copyPages(database, copy, `Copying ${source}`);
    }
    leaveWalMode(copy);
    const contents = await check(copy, service);
    chmodSync(copy, existsSync(target) ? statSync(target).mode & 0o777 : 0o600);
    await flush(copy);
    makeRoom();
    renameSync(copy, target);
    syncFolder(dirname(resolve(target)));
    return contents;
  } catch (error) {
    const isExpected = primaryCode(error) !== undefined || (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isExpected ? new CliError(`${source} cannot be copied to ${target}: ${(error as Error).message}`) : error;
  } finally {
    for (const signal of endSignals) process.off(signal, abandon);
    folder?.remove();
  }
}

async function copyPages(database: DatabaseSync, copy: string, label: string): Promise<void> {
  const progress = new Progress(label, 'page');
  try {
    await backup(database, copy, {
      rate: pagesPerStep,
      progress({ totalPages, remainingPages }) {
        const copied = totalPages - remainingPages;
        progress.show(copied, copied / totalPages);
      },
    });
  } finally {
    progress.clear();
  }
}

/** The header of the copied file is that of a database in WAL mode. */
function leaveWalMode(copy: string): void {
  using database = new DatabaseSync(copy);
  database.exec('pragma journal_mode = delete');
}

/** The servers may write to the disk that a copy would fill. */
function requireSpace(database: DatabaseSync, target: string): void {
  const needed = Number(valueOf(database, 'pragma page_count')) * Number(valueOf(database, 'pragma page_size'));
  const { bavail, blocks, bsize } = statfsSync(dirname(resolve(target)));
  // Some network file systems report no size.
  if (blocks === 0 || bavail * bsize >= needed) return;
  throw new CliError(`${target} would take ${needed} bytes, and its disk has ${bavail * bsize} left.`);
}

/** Checks a copy on a worker thread, so that this one can handle signals. */
async function check(file: string, service: string): Promise<Contents> {
  const progress = new Progress('Checking the copy');
  progress.show();
  try {
    const worker = new Worker(sibling('check-copy', import.meta), { workerData: [file, service] });
    const [contents] = (await once(worker, 'message')) as [Contents];
    return contents;
  } catch (error) {
    const { name, message } = error as Error;
    // An error of another thread has lost its class.
    if (name !== 'CliError' && primaryCode(error) === undefined) throw error;
    throw new CliError(`The copy is not intact and was removed; its source seems to be damaged: ${message}`);
  } finally {
    progress.clear();
  }
}

async function flush(path: string): Promise<void> {
  await using file = await open(path);
  await file.sync();
}
