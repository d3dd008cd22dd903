// The thread that writes. It gets groups of writes and answers each with their results; null ends it.
import { parentPort, workerData } from 'node:worker_threads';
import type { Table } from '../../schema/table.ts';
import type { Write } from '../store.ts';
import { Committer } from './committer.ts';
import { connect } from './connection.ts';
import { statementsOf } from './statements.ts';

/** What the thread is started with. */
export interface WriterThreadData {
  readonly file: string;
  readonly tables: readonly Table[];
}

const { file, tables } = workerData as WriterThreadData;
const database = connect(file, 'rw');
const committer = new Committer(database, statementsOf(database, tables));

parentPort?.on('message', (writes: readonly Write[] | null) => {
  if (writes) {
    // A port of Node has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    parentPort?.postMessage(committer.commit(writes));
  } else {
    database.close();
    parentPort?.close();
  }
});
