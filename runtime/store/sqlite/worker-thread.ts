// The worker thread: it does the tasks it is sent, one after the other; null ends it.
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { Dml } from '../dml.ts';
import { Committer } from './committer.ts';
import { connect } from './connection.ts';
import type { FoundPage, WorkerAnswer, WorkerData, WorkerRequest, WorkerTasks } from './database-worker.ts';
import { sqliteDialect } from './dialect.ts';
import { failureOf, readOnly } from './failure.ts';
import { PageReader } from './page-reader.ts';
import { PreparedStatements } from './prepared-statements.ts';

const { file, tables } = workerData as WorkerData;
const dml = new Dml(tables, sqliteDialect);

interface Session {
  readonly database: DatabaseSync;
  readonly committer: Committer;
  readonly pages: PageReader;
}

let session: Session | undefined;

/** The connection is opened when it is needed. */
function open(): Session {
  if (session) return session;
  const database = connect(file, 'rw');
  const statements = new PreparedStatements(database);
  session = {
    database,
    committer: new Committer(database, dml, statements),
    pages: new PageReader(dml, statements),
  };
  return session;
}

function close(): void {
  session?.database.close();
  session = undefined;
}

const tasks: { [Task in keyof WorkerTasks]: (request: WorkerTasks[Task]['request']) => WorkerTasks[Task]['answer'] } = {
  commit(writes) {
    const outcomes = open().committer.commit(writes, true)?.outcomes ?? [];
    // What was opened while the disk could only be read stays so.
    if (outcomes.some((outcome) => outcome.outcome === 'failed' && outcome.errcode === readOnly)) close();
    return outcomes;
  },
  checkpoint() {
    open().database.exec('pragma wal_checkpoint(passive)');
    return null;
  },
  findPage({ table, page }): FoundPage {
    const { database, pages } = open();
    database.exec('begin');
    try {
      const total = pages.total(table, page);
      return { total, ids: pages.page(table, page, total) };
    } finally {
      // Some failures have ended it.
      if (database.isTransaction) database.exec('rollback');
    }
  },
};

function run({ task, request }: WorkerRequest): WorkerAnswer {
  try {
    return { answer: (tasks[task] as (request: unknown) => never)(request) };
  } catch (error) {
    return { error: failureOf(error) };
  }
}

parentPort?.on('message', (message: WorkerRequest | null) => {
  if (message) {
    // A port of Node has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort?.postMessage(run(message));
  } else {
    close();
    parentPort?.close();
  }
});
