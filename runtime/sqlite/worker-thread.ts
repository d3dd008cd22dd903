// The worker thread: executes the tasks that it receives in order, and ends at null.
import { parentPort, workerData } from 'node:worker_threads';
import { Dml } from '../sql/table-sql.ts';
import { type CommittedGroup, Committer } from './committer.ts';
import { connect } from './connection.ts';
import type { WorkerAnswer, WorkerData, WorkerRequest, WorkerTasks } from './database-worker.ts';
import { sqliteDialect } from './dialect.ts';
import { failureOf, primaryCode, readOnly } from './failure.ts';
import { rewriteFormat } from './identity.ts';
import { findPage, type FoundPage } from './page-reader.ts';
import { PreparedStatements } from './prepared-statements.ts';

/** Milliseconds after which a group leaves the rest of its writes to the next one, so that others have their turn. */
const maxGroupDuration = 50;

const { file, tables } = workerData as WorkerData;
const dml = new Dml(tables, sqliteDialect);

/** Of deep pages: they are found, however long that takes. */
const budget = { maxOffset: Infinity, maxCompared: Infinity };

let committer: Committer | undefined;

/** Opens the connection at the first task. */
const open = (): Committer => (committer ??= new Committer(dml, new PreparedStatements(connect(file, 'rw'))));

/** Also after a failure: a connection opened while the disk was read-only stays read-only. */
function close(): void {
  committer?.statements.database.close();
  committer = undefined;
}

const tasks: WorkerTasks = {
  commit(writes) {
    const committed = open().commit(writes, true, maxGroupDuration) as CommittedGroup;
    if (committed.outcomes.some((outcome) => outcome.outcome === 'failed' && outcome.errcode === readOnly)) close();
    return committed;
  },
  checkpoint() {
    open().statements.run('pragma wal_checkpoint(passive)');
  },
  overwrite() {
    open().statements.run(rewriteFormat);
  },
  findPage(organization, table, page, total) {
    const { statements } = open();
    statements.run('begin');
    try {
      const all = { ...budget, knownTotal: () => total };
      return findPage(statements, dml.of(table, organization), page, all) as FoundPage | undefined;
    } finally {
      statements.rollback();
    }
  },
  rowCounts() {
    return open().statements.all(dml.rowCounts());
  },
  change(statement) {
    open().statements.all(statement);
  },
};

function run({ task, args }: WorkerRequest): WorkerAnswer {
  try {
    return { answer: (tasks[task] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    if (primaryCode(error) === readOnly) close();
    return { error: failureOf(error) };
  }
}

parentPort?.on('message', (message: WorkerRequest | null) => {
  if (message) {
    parentPort?.postMessage(run(message), []);
  } else {
    close();
    parentPort?.close();
  }
});
