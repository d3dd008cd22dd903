// The worker thread: executes the tasks that it receives in order, and ends at null.
import { parentPort, workerData } from 'node:worker_threads';
import type { EventPage, EventQuery } from '../records/store.ts';
import type { Page, Projection } from '../records/page.ts';
import type { Once, OrganizationWrite, StoredAnswer } from '../records/write.ts';
import type { Row, Statement } from '../sql/types.ts';
import { readAllCounters } from '../sql/row-counters.ts';
import { Dml } from '../sql/dml.ts';
import { connect } from './connection.ts';
import type { WorkerAnswer, WorkerData, WorkerRequest } from './database-worker.ts';
import { sqliteDialect } from './dialect.ts';
import { failureOf, primaryCode, readOnly } from './failure.ts';
import { maxLogPages } from './limits.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { receivedTables } from './sent-tables.ts';
import { type LongRecord, type PagePart, Reader, type RecordsPart } from './reader.ts';
import { type CommittedGroup, Writer } from './writer.ts';

const { file, tables } = workerData as WorkerData;
const dml = new Dml(await receivedTables(tables), sqliteDialect);

interface Connection {
  readonly statements: PreparedStatements;
  readonly writer: Writer;
  readonly reader: Reader;
}

let connection: Connection | undefined;

/** Opens the connection at the first task. */
const open = (): Connection => (connection ??= connected(new PreparedStatements(connect(file, 'rw'))));

const connected = (statements: PreparedStatements): Connection => ({
  statements,
  writer: new Writer(dml, statements),
  reader: new Reader(dml, statements),
});

/** Also after a failure: a connection opened while the disk was read-only stays read-only. */
function close(): void {
  connection?.statements.database.close();
  connection = undefined;
}

const tasks = {
  /** Waits for locks. */
  commit: (writes: readonly OrganizationWrite[]): CommittedGroup =>
    open().writer.commitGroup(writes, true) as CommittedGroup,
  /** Moves the write-ahead log into the database. */
  checkpoint(isLast: boolean): void {
    const { statements } = open();
    const pages = Number(statements.run('pragma wal_checkpoint(passive)')?.[1]);
    // If another server writes on meanwhile, the log never restarts by itself.
    if (isLast && pages > maxLogPages) statements.run('pragma wal_checkpoint(restart)');
  },
  /** Reads a page of a list, wherever it is, or as much of it as is read at once. */
  page(organization: number, table: string, page: Page): PagePart | undefined {
    const { reader } = open();
    reader.begin();
    return reader.page(dml.of(table, organization), page, false) as PagePart | undefined;
  },
  record: (organization: number, table: string, id: string): LongRecord | undefined =>
    open().reader.long(dml.of(table, organization), id),
  answer: (organization: number, once: Once, time: string, maxBytes?: number): StoredAnswer | undefined =>
    open().reader.answer(organization, once, time, maxBytes),
  events: (organization: number, query: EventQuery): EventPage => open().reader.events(organization, query),
  records: (organization: number, table: string, ids: readonly string[], projection?: Projection): RecordsPart =>
    open().reader.records(dml.of(table, organization), ids, projection),
  rowCounts: (): readonly Row[] => open().statements.all(readAllCounters(dml.tables)),
  /** Executes a statement that changes no record, in a transaction of its own. */
  change(statement: Statement): void {
    open().statements.all(statement);
  },
};

export type Tasks = typeof tasks;

function run({ task, args }: WorkerRequest): WorkerAnswer {
  try {
    return { answer: (tasks[task] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    if (primaryCode(error) === readOnly) close();
    return { error: failureOf(error) };
  } finally {
    // The next task may have arrived while this one was executed.
    connection?.statements.rollback();
  }
}

/** The bytes of an answer, which are moved, unless they are in Node's memory for small buffers. */
function bytesOf(message: WorkerAnswer): ArrayBuffer[] {
  const { chunks = [] } = (('answer' in message && message.answer) || {}) as Partial<RecordsPart>;
  return chunks.flatMap(({ buffer, length }) => (buffer.byteLength === length ? [buffer as ArrayBuffer] : []));
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
