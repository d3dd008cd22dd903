// The worker thread: executes the tasks that it receives in order, and ends at null.
import { parentPort, workerData } from 'node:worker_threads';
import { Dml } from '../sql/table-sql.ts';
import { type CommittedGroup, Committer } from './committer.ts';
import { connect } from './connection.ts';
import type { RecordsPart, WorkerAnswer, WorkerData, WorkerRequest, WorkerTasks } from './database-worker.ts';
import { sqliteDialect } from './dialect.ts';
import { failureOf, primaryCode, readOnly } from './failure.ts';
import { rewriteFormat } from './identity.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { type PagePart, Reader } from './reader.ts';
import { Totals } from './totals.ts';

/** Milliseconds after which a group leaves the rest of its writes to the next one, so that others have their turn. */
const maxGroupDuration = 50;

const { file, tables } = workerData as WorkerData;
const dml = new Dml(tables, sqliteDialect);

const unlimited = { maxOffset: Infinity, maxCompared: Infinity };

interface Connection {
  readonly statements: PreparedStatements;
  readonly committer: Committer;
  readonly reader: Reader;
}

let connection: Connection | undefined;

/** Opens the connection at the first task. */
const open = (): Connection => (connection ??= connected(new PreparedStatements(connect(file, 'rw'))));

function connected(statements: PreparedStatements): Connection {
  const totals = new Totals(() => statements.run('pragma data_version')?.[0]);
  return { statements, committer: new Committer(dml, statements), reader: new Reader(dml, statements, { totals }) };
}

/** Also after a failure: a connection opened while the disk was read-only stays read-only. */
function close(): void {
  connection?.statements.database.close();
  connection = undefined;
}

/** Reads in one snapshot. */
function inTransaction<T>(read: (reader: Reader) => T): T {
  const { statements, reader } = open();
  statements.run('begin');
  try {
    return read(reader);
  } finally {
    statements.rollback();
  }
}

/** In bytes of their own, which are moved to the main thread. */
function inOne({ chunks, rest }: Pick<PagePart, 'chunks' | 'rest'>): RecordsPart {
  const json = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    json.set(chunk, at);
    at += chunk.length;
    // Frees the memory at once, not by the garbage collector. Node's small buffers share one.
    if (chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
  }
  return { json, rest };
}

/** Pages of the write-ahead log above which a checkpoint makes other servers wait for it. */
const maxLogPages = 8_000;

const tasks: WorkerTasks = {
  commit(writes) {
    const committed = open().committer.commit(writes, true, maxGroupDuration) as CommittedGroup;
    if (committed.outcomes.some((outcome) => outcome.outcome === 'failed' && outcome.errcode === readOnly)) close();
    return committed;
  },
  checkpoint() {
    const { statements } = open();
    const pages = Number(statements.run('pragma wal_checkpoint(passive)')?.[1]);
    // Another server writes on meanwhile, so that the log never restarts by itself.
    if (pages > maxLogPages) statements.run('pragma wal_checkpoint(restart)');
  },
  overwrite() {
    open().statements.run(rewriteFormat);
  },
  page(organization, table, page) {
    return inTransaction((reader) => {
      const part = reader.page(organization, table, page, unlimited) as PagePart | undefined;
      return part && { total: part.total, hasMore: part.hasMore, ...inOne(part) };
    });
  },
  records(organization, table, ids, view) {
    return inTransaction((reader) => inOne(reader.beginning(organization, table, ids, view)));
  },
  record(...args) {
    return inTransaction((reader) => reader.record(...args));
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

/** The bytes of an answer, which are moved. */
function bytesOf(message: WorkerAnswer): ArrayBuffer[] {
  const answer = 'answer' in message ? message.answer : undefined;
  const bytes = answer instanceof Uint8Array ? answer : (answer as Partial<RecordsPart> | undefined)?.json;
  return bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : [];
}

parentPort?.on('message', (message: WorkerRequest | null) => {
  if (message) {
    const answer = run(message);
    parentPort?.postMessage(answer, bytesOf(answer));
  } else {
    close();
    parentPort?.close();
  }
});
