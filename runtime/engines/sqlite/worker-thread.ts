// The worker thread: executes the tasks that it receives in order, and ends at null.
import { parentPort, workerData } from 'node:worker_threads';
import type { Features } from '../../kernel/feature.ts';
import type { Listing, Page, Projection } from '../../kernel/records/page.ts';
import type { OrganizationWrite } from '../../kernel/records/write.ts';
import type { Rows, Statement } from '../../kernel/sql/types.ts';
import { Dml } from '../../kernel/sql/dml.ts';
import { connect } from './connection.ts';
import type { WorkerAnswer, WorkerData, WorkerRequest } from './database-worker.ts';
import { sqliteDialect } from './dialect.ts';
import { failureOf, primaryCode, resultCodes } from './failure.ts';
import { maxLogPages } from './limits.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { receivedTables } from './sent-tables.ts';
import { type LongRecord, Reader } from './reader.ts';
import { type CommittedGroup, Writer } from './writer.ts';

const { file, tables, module } = workerData as WorkerData;
const { features } = (await import(module)) as { readonly features: Features };
const dml = new Dml(await receivedTables(tables), sqliteDialect, features.list);

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
  /** Reads a page of a list, wherever it is. */
  page(organization: number, table: string, page: Page): Listing | undefined {
    const { reader } = open();
    reader.begin();
    return reader.page(dml.of(table, organization), page, false);
  },
  record: (organization: number, table: string, id: string): LongRecord | undefined =>
    open().reader.long(dml.of(table, organization), id),
  show: (organization: number, table: string, ids: readonly string[], projection?: Projection) =>
    open().reader.show(dml.of(table, organization), ids, projection),
  /** Executes statements that change no record, each in a transaction of its own. */
  rows: (statements: readonly Statement[]): Rows => open().reader.rows(statements),
};

export type Tasks = typeof tasks;

function run({ task, args }: WorkerRequest): WorkerAnswer {
  try {
    return { answer: (tasks[task] as (...args: readonly unknown[]) => unknown)(...args) };
  } catch (error) {
    if (primaryCode(error) === resultCodes.readOnly) close();
    return { error: failureOf(error) };
  } finally {
    // The next task may have arrived while this one was executed.
    connection?.statements.rollback();
  }
}

/** The bytes of an answer, which are moved, unless they are in Node's memory for small buffers. */
function bytesOf(message: WorkerAnswer): ArrayBuffer[] {
  const answer = ('answer' in message ? message.answer : undefined) as Partial<Listing & LongRecord> | undefined;
  const { items } = answer ?? {};
  return [(typeof items === 'object' && 'ids' in items ? items.first : items) ?? answer?.json ?? answer]
    .flat()
    .flatMap((one) =>
      one instanceof Uint8Array && one.buffer.byteLength === one.length ? [one.buffer as ArrayBuffer] : [],
    );
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
