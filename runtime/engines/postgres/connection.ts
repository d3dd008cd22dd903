import { hash } from 'node:crypto';
import { Socket } from 'node:net';
import { Client, type Connection as PgConnection, Query } from 'pg';
import type { Value } from '../../kernel/model/fields.ts';
import { limitWait } from '../../kernel/model/wait.ts';
import type { Statement, Values } from '../../kernel/sql/types.ts';
import { BoundedMap } from '../../kernel/records/bounded-map.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { CannotConnect, ConnectionLost, isForeignStatement, isPlanOutdated, sqlState } from './failure.ts';
import { cacheEntries } from '../../kernel/records/limits.ts';
import { maxWorkDuration } from '../../kernel/model/limits.ts';
import { answerTimeout, lockTimeout, statementTimeout } from './limits.ts';

/** A row in PostgreSQL's text format: booleans are t and f. */
export type Row = (string | null)[];

const beginReading: Statement = { text: 'begin isolation level repeatable read read only', values: [] };
const endReading: Statement = { text: 'commit', values: [] };

/** Milliseconds; the server enforces them. */
const defaultTimeouts = {
  statement_timeout: statementTimeout,
  lock_timeout: lockTimeout,
  idle_in_transaction_session_timeout: maxWorkDuration,
};

/** Names of statements by their texts; empty after the first use. */
const statementNames = new BoundedMap<string, string>(cacheEntries);

interface Session {
  /**
   * A pooler is between this process and the server: each transaction may run in another session, so that nothing is
   * prepared or set in it.
   */
  isPooled: boolean;
  /** The server is PostgreSQL itself, without Citus. */
  readonly isPlain: boolean;
  readonly isReadOnly: boolean;
  /** Milliseconds; 0 is no limit. */
  readonly statementTimeout: number;
}

/**
 * The name of a statement that is used more than once, so that the server prepares it; otherwise empty. It is a hash of the text:
 * behind a pooler, processes with other statements share the sessions.
 */
export function statementName(text: string): string {
  const name = statementNames.get(text);
  if (name) return name;
  statementNames.set(text, name === undefined ? '' : hash('sha256', text, 'base64url').slice(0, 22));
  return statementNames.get(text) as string;
}

/** A connection to the server. Statements are pipelined: sent without waiting for the results of earlier ones. */
export class Connection {
  /** The number of callers that use it; the pool maintains it. */
  inFlight = 0;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #session: Session;
  readonly #prepared = new Set<string>();
  #unanswered = 0;
  #isOpen = true;

  constructor(client: Client, socket: Socket, session: Session) {
    this.#client = client;
    this.#socket = socket;
    this.#session = session;
    this.#limit(session.statementTimeout);
    // The end follows. An error without a listener would end the process.
    client.on('error', () => this.destroy());
    // A server may disappear without closing the connection. setImmediate: after this process was suspended, answers that have
    // arrived are read before.
    socket.on('timeout', () => setImmediate(() => this.#unanswered > 0 && this.destroy()));
    this.ended = new Promise((resolve) => {
      client.on('end', () => {
        this.#isOpen = false;
        resolve();
      });
    });
  }

  /** Whether it is open and may prepare more statements. */
  get isUsable(): boolean {
    return this.#isOpen && this.#prepared.size < cacheEntries;
  }

  destroy(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  async end(): Promise<void> {
    this.#isOpen = false;
    if (this.#unanswered > 0) return this.destroy();
    // A dead connection is never closed by the server.
    await limitWait(answerTimeout, this.#client.end(), () => this.destroy());
  }

  /** Sets a timeout of the session, in milliseconds; 0 is no limit. Has no effect behind a pooler, which shares sessions. */
  async set(timeout: keyof typeof defaultTimeouts, milliseconds: number): Promise<void> {
    if (!this.#session.isPooled) await this.query(`set ${timeout} = ${milliseconds}`);
    if (timeout === 'statement_timeout') this.#limit(milliseconds);
  }

  /**
   * Whether `queryAll` does statements all or none, without `begin` and `commit`: PostgreSQL does so for all that is before a
   * Sync message (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING), Citus and others with
   * its protocol do not.
   */
  get isAtomic(): boolean {
    return this.#session.isPlain;
  }

  /**
   * Executes one statement, or several if they have no values.
   *
   * @returns the rows of the first one
   * @throws DatabaseError, or ConnectionLost: then it is unknown whether the statement was executed
   */
  async query(text: string, values: Values = []): Promise<Row[]> {
    const [rows = []] = await this.#send([{ text, values }], ['']);
    return rows;
  }

  /**
   * Sends statements together. After a failure, none of those that follow is executed.
   *
   * @returns the rows of each
   * @throws as `query`
   */
  queryAll(statements: readonly Statement[]): Promise<Row[][]> {
    const { isPooled } = this.#session;
    return this.#send(
      statements,
      statements.map(({ text }) => (isPooled ? '' : statementName(text))),
    );
  }

  /**
   * Executes statements that only read, all in one snapshot.
   *
   * @returns the rows of each
   * @throws as `query`
   */
  async readAll(statements: readonly Statement[]): Promise<Row[][]> {
    if (statements.length === 1) return this.queryAll(statements);
    // With a Sync message of its own, the end is executed also after a failure.
    const [results] = await Promise.all([this.queryAll([beginReading, ...statements]), this.queryAll([endReading])]);
    return results.slice(1);
  }

  /** @param names those of the statements; empty if the server need not keep a plan */
  #send(statements: readonly Statement[], names: readonly string[]): Promise<Row[][]> {
    this.#unanswered++;
    return new Promise((resolve, reject) => {
      const query = withOneSync(statements, names, this.#prepared, (error, results) => {
        this.#unanswered--;
        if (!error) return resolve(results);
        // A pooler that startSession did not detect: later statements are not prepared.
        this.#session.isPooled ||= isForeignStatement(error);
        if (isPlanOutdated(error)) this.#prepared.clear();
        reject(sqlState(error) === undefined ? new ConnectionLost(error.message, { cause: error }) : error);
      });
      this.#client.query(query);
    });
  }

  /** Limits the time without an answer. */
  #limit(milliseconds: number): void {
    this.#socket.setTimeout(milliseconds && milliseconds + answerTimeout);
  }
}

/**
 * Statements that are sent with one Sync message: the server answers them together, and after a failure executes none of the
 * others (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY). It is not asked for descriptions
 * of the rows, which are known: each value is a text.
 *
 * @param prepared the names of the statements that the server has prepared
 */
function withOneSync(
  statements: readonly Statement[],
  names: readonly string[],
  prepared: Set<string>,
  callback: (error: Error | null, results: Row[][]) => void,
): Query {
  const results: Row[][] = [];
  let rows: Row[] = [];
  return Object.assign(new Query('', callback as never), {
    submit(connection: PgConnection) {
      const [first, second] = statements;
      // The only message that may have several statements.
      if (first?.values.length === 0 && names[0] === '' && !second) return connection.query(first.text);
      const { stream } = connection;
      // The statements of all requests of this turn of the event loop are one write.
      if (stream.writableCorked === 0) {
        stream.cork();
        setImmediate(() => stream.uncork());
      }
      for (const [i, { text, values }] of statements.entries()) {
        const name = names[i] as string;
        if (!prepared.has(name)) {
          // The server may have prepared it and then failed to execute it.
          if (name !== '') connection.close({ type: 'S', name }, true);
          connection.parse({ text, name, types: [] }, true);
        }
        connection.bind({ statement: name, values: values.map(bind) }, true);
        connection.execute({}, true);
      }
      connection.sync();
    },
    handleRowDescription() {},
    handleDataRow({ fields }: { fields: Row }) {
      rows.push(fields);
    },
    handleCommandComplete() {
      const name = names[results.length];
      if (name) prepared.add(name);
      results.push(rows);
      rows = [];
    },
    handleReadyForQuery: () => callback(null, results),
  });
}

/** A value as the server reads it; the driver would send -0 as 0. */
function bind(value: Value | readonly Value[]): string | null {
  if (value === null) return null;
  // https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
  if (typeof value === 'object')
    return `{${value.map((item) => `"${String(bind(item)).replaceAll(/["\\]/g, '\\$&')}"`).join()}}`;
  return Object.is(value, -0) ? '-0' : String(value);
}

/**
 * Opens a connection to the first host that can be used.
 *
 * @param lockLimit milliseconds that a statement waits for a lock, whatever the options say
 * @throws CannotConnect
 */
export async function connect({ candidates, needs }: ConnectionOptions, lockLimit?: number): Promise<Connection> {
  let failure: unknown;
  for (const candidate of candidates) {
    const socket = new Socket();
    const client = new Client({ ...candidate, stream: () => socket });
    // The server may close the connection between two of these steps.
    client.on('error', () => {});
    try {
      await client.connect();
      const options = candidate.options ?? process.env['PGOPTIONS'] ?? '';
      const session = await startSession(client, options, lockLimit);
      if (needs === 'any' || session.isReadOnly === (needs === 'standby')) {
        return new Connection(client, socket, session);
      }
      failure = new Error(needs === 'standby' ? 'The server is no standby.' : 'The server accepts no writes.');
    } catch (error) {
      // An error of a server explains more than a host that cannot be reached.
      if (sqlState(failure) === undefined || sqlState(error) !== undefined) failure = error;
    }
    socket.destroy();
    // Wrong passwords and database names are wrong for every host.
    if (['28P01', '3D000'].includes(sqlState(failure) ?? '')) break;
  }
  throw new CannotConnect(explain(failure), { cause: failure });
}

/** Runs `work` on a new connection, which is closed afterwards. */
export async function withConnection<T>(
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(options);
  return work(connection).finally(() => connection.end());
}

/**
 * Sets the timeouts that the options do not set, unless a pooler shares the session. Compiling a statement takes longer than it
 * saves here, where the database expects many rows.
 */
async function startSession(client: Client, options: string, lockLimit?: number): Promise<Session> {
  const { rows } = await client.query<Row>({
    text:
      `select pg_backend_pid(), current_setting('transaction_read_only'), ` +
      `extract(epoch from current_setting('statement_timeout')::interval) * 1000, ` +
      `version() ~ '^PostgreSQL [0-9.]+ ' and not exists (select 1 from pg_catalog.pg_extension where extname = 'citus'), ` +
      `current_setting('jit', true)`,
    rowMode: 'array',
  });
  const [[processId, isReadOnly, givenTimeout, isPlain, jit] = []] = rows as unknown[][];
  // processID is missing in the driver's types, and signed.
  const isPooled = (client as unknown as { processID: number | null }).processID !== (Number(processId) | 0);
  const unset = Object.entries<unknown>(defaultTimeouts).filter(([name]) => !options.includes(name));
  if (jit === 'on') unset.push(['jit', 'off']);
  if (lockLimit !== undefined) unset.push(['lock_timeout', lockLimit]);
  if (!isPooled) await client.query(unset.map(([name, value]) => `set ${name} = ${value}`).join('; '));
  const limit = options.includes('statement_timeout') ? Number(givenTimeout) : defaultTimeouts.statement_timeout;
  return { isPooled, isPlain: isPlain === true, isReadOnly: isReadOnly === 'on', statementTimeout: limit };
}

/** The messages of a failed connection attempt; they contain no password. */
function explain(error: unknown): string {
  const failures = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
  return [...new Set(failures.map(({ message }) => message))]
    .join(', ')
    .replace(/support SSL connections/, '$& (sslmode=disable in the URL connects without TLS)')
    .replace(/, no encryption$/, '$& (sslmode=require in the URL connects with TLS)');
}
