// The thread that writes. It gets groups of writes and answers each with their results; null ends it.
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { Table } from '../../schema/table.ts';
import type { Write } from '../store.ts';
import { Committer, type Outcome } from './committer.ts';
import { connect } from './connection.ts';
import { readOnly } from './failure.ts';
import { statementsOf } from './statements.ts';

/** What the thread is started with. */
export interface WriterThreadData {
  readonly file: string;
  readonly tables: readonly Table[];
}

const { file, tables } = workerData as WriterThreadData;

let database: DatabaseSync | undefined;
let committer: Committer | undefined;

function commit(writes: readonly Write[]): readonly Outcome[] {
  database ??= connect(file, 'rw');
  committer ??= new Committer(database, statementsOf(database, tables));
  const outcomes = committer.commit(writes, true)?.outcomes ?? [];
  // What was opened while the disk could only be read stays so.
  if (outcomes.some((outcome) => outcome.outcome === 'failed' && outcome.errcode === readOnly)) close();
  return outcomes;
}

function close(): void {
  database?.close();
  database = undefined;
  committer = undefined;
}

parentPort?.on('message', (writes: readonly Write[] | null) => {
  if (writes) {
    // A port of Node has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort?.postMessage(commit(writes));
  } else {
    close();
    parentPort?.close();
  }
});
