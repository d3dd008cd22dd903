import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { CliError } from '../errors.ts';
import type { Contents } from './check.ts';
import { openFile } from '../store/sqlite/connection.ts';
import { primaryCode } from '../store/sqlite/failure.ts';
import { formatOf, valueOf } from '../store/sqlite/identity.ts';

const patience = 5_000; // milliseconds that a lock of somebody else is waited for

/** What ends a process that a person or a supervisor does not want any more. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Pages that are copied at a time. */
const pagesPerStep = 1_000;

export interface Copied extends Contents {
  readonly bytes: number;
}

/** What was copied, as a person reads it. */
export const inWords = ({ bytes, rows, tables }: Copied): string =>
  `${bytes.toLocaleString('en')} bytes, ${rows.toLocaleString('en')} rows in ${tables} tables`;

/** The files that SQLite keeps beside a database while it is open. */
export const journalsOf = (file: string): string[] => ['-wal', '-shm', '-journal'].map((end) => file + end);

/** Opens a database that is there; none is ever made. */
export function openExisting(file: string): DatabaseSync {
  if (!existsSync(file)) throw new CliError(`There is no database ${file}.`);
  return openFile(file, 'rw', patience);
}

/**
 * Copies a database as it is at one moment, while servers go on writing to it, and checks the copy. Then `makeRoom` is
 * called, and the copy is given its name: the target is whole or it is not there, also where a signal ends the process.
 * The copy is one file, with no journal beside it.
 *
 * @throws CliError when the copy cannot be made or is not whole.
 */
export async function copyDatabase(source: string, target: string, makeRoom: () => void): Promise<Copied> {
  let folder: string | undefined;
  const clear = (): void => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  const abandon = (signal: NodeJS.Signals): void => {
    clear();
    process.kill(process.pid, signal);
  };
  for (const signal of endings) process.once(signal, abandon);
  try {
    const database = openExisting(source);
    try {
      if (formatOf(database, source) === undefined) throw new CliError(`The database ${source} holds no tables.`);
      // SQLite begins its copy anew whenever another connection has written, unless all is read in one transaction.
      database.exec('begin');
      requireSpace(database, target);
      folder = mkdtempSync(`${target}.`);
      await copyPages(database, join(folder, 'copy'));
    } finally {
      database.close();
    }
    const copy = join(folder, 'copy');
    const contents = await check(copy);
    chmodSync(copy, statSync(existsSync(target) ? target : source).mode & 0o777);
    flush(copy);
    const bytes = statSync(copy).size;
    makeRoom();
    renameSync(copy, target);
    flush(dirname(resolve(target)));
    return { ...contents, bytes };
  } catch (error) {
    const isForeseen = primaryCode(error) !== undefined || (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isForeseen ? new CliError(`${source} cannot be copied to ${target}: ${(error as Error).message}`) : error;
  } finally {
    for (const signal of endings) process.off(signal, abandon);
    clear();
  }
}

async function copyPages(database: DatabaseSync, copy: string): Promise<void> {
  await backup(database, copy, { rate: pagesPerStep });
  const copied = new DatabaseSync(copy);
  try {
    // The pages say that there is a journal beside them.
    copied.exec('pragma journal_mode = delete');
  } finally {
    copied.close();
  }
}

/** A disk that a copy fills may be the one that the servers write to. */
function requireSpace(database: DatabaseSync, target: string): void {
  const needed = Number(valueOf(database, 'pragma page_count')) * Number(valueOf(database, 'pragma page_size'));
  const { bavail, blocks, bsize } = statfsSync(dirname(resolve(target)));
  // Some network disks do not tell their size.
  if (blocks === 0 || bavail * bsize >= needed) return;
  throw new CliError(`${target} would take ${needed} bytes, and its disk has ${bavail * bsize} left.`);
}

/** On a thread of its own, so that a signal is heard meanwhile. */
async function check(file: string): Promise<Contents> {
  const worker = new Worker(new URL('check-worker.ts', import.meta.url), { workerData: file });
  const [report] = (await once(worker, 'message')) as [{ contents: Contents } | { reason: string }];
  if ('contents' in report) return report.contents;
  throw new CliError(`The copy is not whole and was not kept; its source seems to be damaged: ${report.reason}`);
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
