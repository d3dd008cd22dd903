// The worker thread: executes the tasks that it receives in order, and ends at null.
import { parentPort, workerData } from 'node:worker_threads';
import { Dml } from '../dml.ts';
import { Committer } from './committer.ts';
import { connect } from './connection.ts';
import type { WorkerAnswer, WorkerData, WorkerRequest, WorkerTasks } from './database-worker.ts';
import { sqliteDialect } from './dialect.ts';
import { failureOf, readOnly } from './failure.ts';
import { type FoundPage, PageReader } from './page-reader.ts';
import { PreparedStatements } from './prepared-statements.ts';

const { file, tables } = workerData as WorkerData;
const dml = new Dml(tables, sqliteDialect);

function openSession() {
  const database = connect(file, 'rw');
  const statements = new PreparedStatements(database);
  return { database, committer: new Committer(database, dml, statements), pages: new PageReader(dml, statements) };
}

let session: ReturnType<typeof openSession> | undefined;

/** Opens the connection at the first task. */
const open = (): ReturnType<typeof openSession> => (session ??= openSession());

function close(): void {
  session?.database.close();
  session = undefined;
}

const tasks: WorkerTasks = {
  commit(writes) {
    const outcomes = open().committer.commit(writes, true)?.outcomes ?? [];
    // A connection opened while the disk was read-only stays read-only.
    if (outcomes.some((outcome) => outcome.outcome === 'failed' && outcome.errcode === readOnly)) close();
    return outcomes;
  },
  checkpoint() {
    open().database.exec('pragma wal_checkpoint(passive)');
  },
  findPage(table, page) {
    const { database, pages } = open();
    database.exec('begin');
    try {
      return pages.find(table, page, Infinity) as FoundPage;
    } finally {
      // SQLite ends the transaction at some errors.
      if (database.isTransaction) database.exec('rollback');
    }
  },
};

function run({ task, args }: WorkerRequest): WorkerAnswer {
  try {
    return { answer: (tasks[task] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    return { error: failureOf(error) };
  }
}

parentPort?.on('message', (message: WorkerRequest | null) => {
  if (message) {
    // Ports of worker threads have no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort?.postMessage(run(message));
  } else {
    close();
    parentPort?.close();
  }
});
