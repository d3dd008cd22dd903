import { Socket } from 'node:net';
import { Client, type QueryArrayResult } from 'pg';
import type { Value } from '../../schema/fields.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { CannotConnect, ConnectionLost, isForeignStatement, sqlState } from './failure.ts';

/** A row as PostgreSQL writes its values: booleans as t and f, numbers in digits. */
export type Row = (string | null)[];

/** Values of the parameters of a statement; a list is an array to PostgreSQL. */
export type Values = readonly (Value | readonly Value[])[];

export interface Statement {
  readonly text: string;
  /** A statement with a name is prepared: the server keeps its plan. */
  readonly name?: string;
  /** Results are decoded as Latin-1 bytes, not as strings: long strings would linger in memory. */
  readonly isBytes?: boolean;
}

/** Limits that the server enforces, in milliseconds. */
const timeouts = { statement_timeout: 8_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 15_000 };

/** Milliseconds beyond the statement timeout after which a connection without an answer is given up. */
const answerMargin = 2_000;

/** Milliseconds to wait for the server to close a connection. */
const closeTimeout = 1_000;

/** Statements prepared on a connection before it is replaced by a new one. */
const maxPrepared = 1_000;

const asText = { getTypeParser: () => (text: string) => text } as never;
const asBytes = { getTypeParser: () => (text: string) => Buffer.from(text, 'latin1') } as never;

interface Session {
  /**
   * The server process is not the one that took the connection: a pooler may give each transaction another one. What is
   * prepared or set on it would stay behind there.
   */
  readonly isPooled: boolean;
  readonly isReadOnly: boolean;
  /** Milliseconds. */
  readonly answerTimeout: number;
}

/** A connection to the server. Statements are pipelined: sent without waiting for the answers to those before. */
export class Connection {
  /** Number of callers that use it, as the pool counts them. */
  inFlight = 0;
  readonly #client: Client;
  readonly #socket: Socket;
  readonly #prepared = new Set<string>();
  #isPooled: boolean;
  #answerTimeout: number;
  #unanswered = 0;
  #lastAnswerAt = 0;
  #isCorked = false;
  #isOpen = true;

  constructor(client: Client, socket: Socket, session: Session, onEnd: (connection: Connection) => void) {
    this.#client = client;
    this.#socket = socket;
    this.#isPooled = session.isPooled;
    this.#answerTimeout = session.answerTimeout;
    // An error is followed by the end; without a listener it would end the process.
    client.on('error', () => this.destroy());
    client.on('end', () => {
      this.#isOpen = false;
      // Not before the caller of connect() has the connection.
      setImmediate(onEnd, this);
    });
  }

  /** Whether it is open and has room for more prepared statements. */
  get isUsable(): boolean {
    return this.#isOpen && this.#prepared.size < maxPrepared;
  }

  /** Destroys the connection if an answer is overdue: the server may be gone without closing it. */
  destroyIfTimedOut(now: number): void {
    if (this.#unanswered > 0 && now - this.#lastAnswerAt > this.#answerTimeout) this.destroy();
  }

  destroy(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  async end(): Promise<void> {
    this.#isOpen = false;
    if (this.#unanswered > 0) {
      this.destroy();
      return;
    }
    // The server may never close a dead connection.
    const timer = setTimeout(() => this.destroy(), closeTimeout);
    await this.#client.end();
    clearTimeout(timer);
  }

  /** Statements may take any time from now on. */
  async removeStatementTimeout(): Promise<void> {
    await this.set('statement_timeout', 0);
    this.#answerTimeout = Infinity;
  }

  /** Sets a timeout of the session, in milliseconds; behind a pooler, which shares sessions, that of the role stays. */
  async set(timeout: keyof typeof timeouts, milliseconds: number): Promise<void> {
    if (!this.#isPooled) await this.query({ text: `set ${timeout} = ${milliseconds}` });
  }

  /** @throws DatabaseError, or ConnectionLost: then the statement may have been done or not. */
  query({ text, name, isBytes = false }: Statement, values: Values = []): Promise<Row[]> {
    if (this.#unanswered++ === 0) this.#lastAnswerAt = performance.now();
    this.#cork();
    const query = { text, values: values.map(bind), rowMode: 'array' as const, types: isBytes ? asBytes : asText };
    const isNamed = name !== undefined && !this.#isPooled;
    if (isNamed) this.#prepared.add(name);
    return new Promise((resolve, reject) => {
      this.#client.query(isNamed ? { ...query, name } : query, (error: Error | null, result: QueryArrayResult<Row>) => {
        this.#unanswered--;
        this.#lastAnswerAt = performance.now();
        if (!error) return resolve(result.rows);
        // A pooler that could not be told from the server: what is repeated here is not prepared.
        this.#isPooled ||= isForeignStatement(error);
        reject(sqlState(error) === undefined ? new ConnectionLost(error.message, { cause: error }) : error);
      });
    });
  }

  /** Collects the statements of all requests that have arrived by now into one write to the socket. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#isCorked = false;
      this.#socket.uncork();
    });
  }
}

/** The driver writes -0 as 0. */
const bind = (value: Value | readonly Value[]): unknown => (Object.is(value, -0) ? '-0' : value);

/**
 * Opens a connection with the first candidate that succeeds.
 *
 * @throws CannotConnect.
 */
export async function connect(
  { candidates, needsWritable }: ConnectionOptions,
  onEnd: (connection: Connection) => void = () => {},
): Promise<Connection> {
  let failure: unknown;
  let unreachable: string | undefined;
  for (const candidate of candidates) {
    const address = `${candidate.host}:${candidate.port}`;
    if (address === unreachable) continue;
    const socket = new Socket();
    const client = new Client({ ...candidate, stream: () => socket });
    // The server may also go away between two steps of this.
    client.on('error', () => {});
    try {
      await client.connect();
      const session = await startSession(client, candidate.options ?? process.env['PGOPTIONS'] ?? '');
      if (!needsWritable || !session.isReadOnly) return new Connection(client, socket, session, onEnd);
      failure = new Error('The server takes no writes.');
    } catch (error) {
      // What the server itself has said is worth more than that it has no TLS for another attempt.
      if (sqlState(failure) === undefined || sqlState(error) !== undefined) failure = error;
      // A host that does not answer will not answer with or without TLS.
      if (socket.bytesRead === 0) unreachable = address;
    }
    socket.destroy();
    // A wrong password or database name is wrong for every candidate.
    if (['28P01', '3D000'].includes(sqlState(failure) ?? '')) break;
  }
  throw new CannotConnect(explain(failure), { cause: failure });
}

/** Does work on a connection of its own, which is closed afterwards. */
export async function withConnection<T>(
  options: ConnectionOptions,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await connect(options);
  const watch = setInterval(() => connection.destroyIfTimedOut(performance.now()), 1_000);
  try {
    return await work(connection);
  } finally {
    clearInterval(watch);
    await connection.end();
  }
}

/** Sets the timeouts that the URL does not set, where the session is the connection's own. */
async function startSession(client: Client, options: string): Promise<Session> {
  const { rows } = await client.query<Row>({
    text:
      `select pg_backend_pid(), current_setting('transaction_read_only'), ` +
      `extract(epoch from current_setting('statement_timeout')::interval) * 1000`,
    rowMode: 'array',
  });
  const [[processId, isReadOnly, statementTimeout] = []] = rows;
  // The driver's type lacks it, and it is signed.
  const isPooled = (client as unknown as { processID: number | null }).processID !== (Number(processId) | 0);
  const unset = Object.entries(timeouts).filter(([name]) => !options.includes(name));
  const statements = unset.map(([name, milliseconds]) => `set ${name} = ${milliseconds}`);
  if (!isPooled && statements.length > 0) await client.query(statements.join('; '));
  const limit = options.includes('statement_timeout') ? Number(statementTimeout) : timeouts.statement_timeout;
  // 0 is no limit.
  return { isPooled, isReadOnly: isReadOnly === 'on', answerTimeout: limit > 0 ? limit + answerMargin : Infinity };
}

/** The driver's and the server's words on a connection that was not made: they hold no password. */
function explain(error: unknown): string {
  const failures = error instanceof AggregateError && error.errors.length > 0 ? (error.errors as unknown[]) : [error];
  return [...new Set(failures.map((one) => (one instanceof Error ? one.message : String(one))))].join(', ');
}
