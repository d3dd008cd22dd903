import { Socket } from 'node:net';
import { Client, type QueryArrayResult } from 'pg';
import type { Value } from '../model/fields.ts';
import { Pipeline } from './pipeline.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { CannotConnect, ConnectionLost, isForeignStatement, sqlState } from './failure.ts';

/** A row in PostgreSQL's text format: booleans are t and f. */
export type Row = (string | null)[];

/** Parameters of a statement; a list becomes an array. */
export type Values = readonly (Value | readonly Value[])[];

export interface Statement {
  readonly text: string;
  /** A statement with a name is prepared: the server caches its plan. */
  readonly name?: string | undefined;
  /** Values are returned as buffers of Latin-1 bytes: long strings would stay in memory until a full garbage collection. */
  readonly isBytes?: boolean;
}

/** Milliseconds; the server enforces them. */
export type Timeouts = Readonly<Record<keyof typeof defaultTimeouts, number>>;
const defaultTimeouts = { statement_timeout: 8_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 15_000 };

/** Milliseconds after the statement timeout at which a connection that has not answered is destroyed. */
const answerMargin = 2_000;

/** Milliseconds to wait for the server to close a connection. */
const closeTimeout = 1_000;

/** Prepared statements after which a connection is replaced by a new one. */
const maxPrepared = 1_000;

const asText = { getTypeParser: () => (text: string) => text } as never;
const asBytes = { getTypeParser: () => (text: string) => Buffer.from(text, 'latin1') } as never;

type Session = {
  readonly isPooled: boolean;
  readonly isPlain: boolean;
  readonly isReadOnly: boolean;
  readonly statementTimeout: number;
};

/** A connection to the server. Statements are pipelined: sent without waiting for the results of earlier ones. */
export class Connection {
  /** The number of callers that use it; the pool maintains it. */
  inFlight = 0;
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #prepared = new Set<string>();
  /**
   * A pooler is between this process and the server: each transaction may run in another session, so that nothing is
   * prepared or set in it.
   */
  #isPooled: boolean;
  /** The server is PostgreSQL itself, without Citus. */
  readonly #isPlain: boolean;
  /** Milliseconds; 0 is no limit. */
  #statementTimeout: number;
  #unanswered = 0;
  #lastAnswerAt = 0;
  #isOpen = true;

  constructor(client: Client, socket: Socket, { isPooled, isPlain, statementTimeout }: Session) {
    this.#client = client;
    this.#socket = socket;
    this.#isPooled = isPooled;
    this.#isPlain = isPlain;
    this.#statementTimeout = statementTimeout;
    // The end follows. An error without a listener would end the process.
    client.on('error', () => this.destroy());
    // setImmediate: after the process was suspended, answers that have arrived are read before the check.
    const check = setInterval(() => setImmediate(() => this.#destroyIfOverdue()), 1_000).unref();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    client.on('end', () => {
      this.#isOpen = false;
      clearInterval(check);
      resolve();
    });
  }

  /** Whether it is open and may prepare more statements. */
  get isUsable(): boolean {
    return this.#isOpen && this.#prepared.size < maxPrepared;
  }

  destroy(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  async end(): Promise<void> {
    this.#isOpen = false;
    if (this.#unanswered > 0) return this.destroy();
    // A dead connection is never closed by the server.
    const timer = setTimeout(() => this.destroy(), closeTimeout);
    await this.#client.end();
    clearTimeout(timer);
  }

  /** Sets a timeout of the session, in milliseconds; 0 is no limit. Has no effect behind a pooler, which shares sessions. */
  async set(timeout: keyof Timeouts, milliseconds: number): Promise<void> {
    if (!this.#isPooled) await this.query({ text: `set ${timeout} = ${milliseconds}` });
    if (timeout === 'statement_timeout') this.#statementTimeout = milliseconds;
  }

  /** @throws DatabaseError, or ConnectionLost: then it is unknown whether the statement was executed */
  query({ text, name, isBytes = false }: Statement, values: Values = []): Promise<Row[]> {
    const query = { text, values: values.map(bind), rowMode: 'array' as const, types: isBytes ? asBytes : asText };
    const isNamed = name !== undefined && !this.#isPooled;
    return this.#answer<QueryArrayResult<Row>, Row[]>(
      (callback) => this.#client.query(isNamed ? { ...query, name } : query, callback),
      ({ rows }) => {
        if (isNamed) this.#prepared.add(name);
        return rows;
      },
    );
  }

  /**
   * Whether `queryAll` does these statements all or none, without `begin` and `commit`: PostgreSQL does so for all that
   * is before a Sync message (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING), Citus
   * and others with its protocol do not.
   */
  isAtomic(statements: readonly Statement[]): boolean {
    return this.#isPlain && statements.every(({ name }) => this.#isPrepared(name));
  }

  #isPrepared(name: string | undefined): name is string {
    return name !== undefined && !this.#isPooled && this.#prepared.has(name);
  }

  /**
   * Sends statements together.
   *
   * @returns the rows of each
   * @throws the first failure, after all of them have ended. As `query`
   */
  async queryAll(statements: readonly (Statement & { readonly values: readonly Value[] })[]): Promise<Row[][]> {
    const prepared = statements.flatMap(({ name, values }) =>
      this.#isPrepared(name) ? [{ name, values: values.map(bindText) }] : [],
    );
    if (statements.length > 1 && prepared.length === statements.length) {
      return this.#answer<QueryArrayResult<Row>[], Row[][]>(
        (callback) => this.#client.query(new Pipeline(prepared, asText, callback)),
        (results) => results.map(({ rows }) => rows),
      );
    }
    const answers = statements.map((statement) => this.query(statement, statement.values));
    // For a single one, Promise.all does the same.
    if (answers.length > 1) await Promise.allSettled(answers);
    return Promise.all(answers);
  }

  #answer<Result, T>(
    submit: (callback: (error: Error | null, result: Result) => void) => void,
    read: (result: Result) => T,
  ): Promise<T> {
    if (this.#unanswered++ === 0) this.#lastAnswerAt = performance.now();
    this.#cork();
    return new Promise((resolve, reject) => {
      submit((error, result) => {
        this.#unanswered--;
        this.#lastAnswerAt = performance.now();
        if (!error) return resolve(read(result));
        // A pooler that startSession did not detect: later statements are not prepared.
        this.#isPooled ||= isForeignStatement(error);
        reject(sqlState(error) === undefined ? new ConnectionLost(error.message, { cause: error }) : error);
      });
    });
  }

  /** A server may disappear without closing the connection. */
  #destroyIfOverdue(): void {
    if (this.#unanswered === 0 || this.#statementTimeout === 0) return;
    if (performance.now() - this.#lastAnswerAt > this.#statementTimeout + answerMargin) this.destroy();
  }

  /** Combines the statements of all requests of this turn of the event loop into one write to the socket. */
  #cork(): void {
    if (this.#socket.writableCorked > 0) return;
    this.#socket.cork();
    setImmediate(() => this.#socket.uncork());
  }
}

/** A value as the server reads it. */
const bindText = (value: Value): string | null => (value === null ? null : Object.is(value, -0) ? '-0' : String(value));

/** The driver would send -0 as 0. */
const bind = (value: Value | readonly Value[]): unknown => (Object.is(value, -0) ? '-0' : value);

/**
 * Opens a connection with the first candidate that succeeds.
 *
 * @param timeouts those that are set even if the options of the URL have others
 * @throws CannotConnect
 */
export async function connect(
  { candidates, needs }: ConnectionOptions,
  timeouts: Partial<Timeouts> = {},
): Promise<Connection> {
  let failure: unknown;
  let refused: string | undefined;
  for (const candidate of candidates) {
    const address = `${candidate.host}:${candidate.port}`;
    if (address === refused) continue;
    const socket = new Socket();
    const client = new Client({ ...candidate, stream: () => socket });
    // The server may close the connection between two of these steps.
    client.on('error', () => {});
    try {
      await client.connect();
      const options = candidate.options ?? process.env['PGOPTIONS'] ?? '';
      const session = await startSession(client, options, timeouts);
      if (needs === 'any' || session.isReadOnly === (needs === 'standby')) {
        return new Connection(client, socket, session);
      }
      refused = address;
      failure = new Error(needs === 'standby' ? 'The server is no standby.' : 'The server accepts no writes.');
    } catch (error) {
      // An error of the server explains more than a failed TLS attempt.
      if (sqlState(failure) === undefined || sqlState(error) !== undefined) failure = error;
      // The next candidate is the same host with or without TLS.
      if (socket.bytesRead === 0) refused = address;
    }
    socket.destroy();
    // Wrong passwords and database names are wrong for every candidate.
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

/** Sets these timeouts, and those that the options do not set, unless a pooler shares the session. */
async function startSession(client: Client, options: string, timeouts: Partial<Timeouts>): Promise<Session> {
  const { rows } = await client.query<Row>({
    text:
      `select pg_backend_pid(), current_setting('transaction_read_only'), ` +
      `extract(epoch from current_setting('statement_timeout')::interval) * 1000, ` +
      `version() ~ '^PostgreSQL [0-9.]+ ' and not exists (select 1 from pg_catalog.pg_extension where extname = 'citus')`,
    rowMode: 'array',
  });
  const [[processId, isReadOnly, statementTimeout, isPlain] = []] = rows as unknown[][];
  // processID is missing in the driver's types, and signed.
  const isPooled = (client as unknown as { processID: number | null }).processID !== (Number(processId) | 0);
  const unset = Object.entries(defaultTimeouts).filter(([name]) => !options.includes(name));
  const statements = [...unset, ...Object.entries(timeouts)].map(
    ([name, milliseconds]) => `set ${name} = ${milliseconds}`,
  );
  if (!isPooled && statements.length > 0) await client.query(statements.join('; '));
  const limit = options.includes('statement_timeout') ? Number(statementTimeout) : defaultTimeouts.statement_timeout;
  return { isPooled, isPlain: isPlain === true, isReadOnly: isReadOnly === 'on', statementTimeout: limit };
}

/** The messages of a failed connection attempt; they contain no password. */
function explain(error: unknown): string {
  const failures = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
  return [...new Set(failures.map(({ message }) => message))].join(', ');
}
