import { Socket } from 'node:net';
import { Client, type QueryArrayResult } from 'pg';
import type { Value } from '../../schema/fields.ts';
import type { Address } from './connection-options.ts';
import { CannotConnect, ConnectionLost, sqlState } from './failure.ts';

/** A row as PostgreSQL writes its values: booleans as t and f, numbers in digits. */
export type Row = (string | null)[];

/** Values for the places of a statement; a list is an array to PostgreSQL. */
export type Values = readonly (Value | readonly Value[])[];

export interface Statement {
  readonly text: string;
  /** The server keeps the plan of a statement that has a name. */
  readonly name?: string;
  /** Its values come as bytes, each the number of a character: long strings would linger in memory. */
  readonly isBytes?: boolean;
}

/** Milliseconds after which the server ends a statement. */
const statementTimeout = 8_000;

/** Milliseconds a statement waits for the lock of another transaction. */
const lockTimeout = 5_000;

/** Milliseconds after which a transaction is undone whose server process is not heard of any more. */
const transactionTimeout = 15_000;

/** Milliseconds more without an answer after which a connection is given up: the server would have ended the statement. */
const grace = 2_000;

/** Milliseconds that a connection which ends waits for the server's end of it. */
const farewell = 1_000;

/** So many statements a connection prepares; then it makes room for a new one. */
const preparedLimit = 1_000;

const asText = { getTypeParser: () => (text: string) => text } as never;
const asBytes = { getTypeParser: () => (text: string) => Buffer.from(text, 'latin1') } as never;

/** One connection to the server. Statements go out one behind the other, without waiting for the answers. */
export class Connection {
  /** How many borrow it now. */
  users = 0;
  readonly #client: Client;
  readonly #socket: Socket;
  #silence: number;
  readonly #prepared = new Set<string>();
  #pending = 0;
  #heard = 0;
  #corked = false;
  #isOpen = true;

  /** @param silence so many milliseconds without an answer are too many */
  constructor(client: Client, socket: Socket, silence: number, onEnd: (connection: Connection) => void) {
    this.#client = client;
    this.#socket = socket;
    this.#silence = silence;
    // An error is followed by the end; without a listener it would end the process.
    client.on('error', () => this.destroy());
    client.on('end', () => {
      this.#isOpen = false;
      // Not before whoever has opened it knows it.
      setImmediate(onEnd, this);
    });
  }

  /** Whether it is as good as a new one. */
  get isUsable(): boolean {
    return this.#isOpen && this.#prepared.size < preparedLimit;
  }

  /** Gives it up where the server has been silent for too long: it may be gone without a word. */
  endIfSilent(now: number): void {
    if (this.#pending > 0 && now - this.#heard > this.#silence) this.destroy();
  }

  destroy(): void {
    this.#isOpen = false;
    this.#socket.destroy();
  }

  async end(): Promise<void> {
    this.#isOpen = false;
    if (this.#pending > 0) {
      this.destroy();
      return;
    }
    // Where the line is dead, no end comes.
    const timer = setTimeout(() => this.destroy(), farewell);
    await this.#client.end();
    clearTimeout(timer);
  }

  /** From now on statements may take as long as they need. */
  async liftLimit(): Promise<void> {
    await this.query({ text: 'set statement_timeout = 0' });
    this.#silence = Infinity;
  }

  /** @throws DatabaseError, or ConnectionLost: then the statement was done or not. */
  query({ text, name, isBytes = false }: Statement, values: Values = []): Promise<Row[]> {
    if (this.#pending++ === 0) this.#heard = performance.now();
    this.#gather();
    if (name !== undefined) this.#prepared.add(name);
    return new Promise((resolve, reject) => {
      const query = { text, values: values.map(bind), rowMode: 'array' as const, types: isBytes ? asBytes : asText };
      this.#client.query(
        name === undefined ? query : { ...query, name },
        (error: Error | null, result: QueryArrayResult<Row>) => {
          this.#pending--;
          this.#heard = performance.now();
          if (!error) resolve(result.rows);
          else reject(sqlState(error) === undefined ? new ConnectionLost(error.message, { cause: error }) : error);
        },
      );
    });
  }

  /** Holds back what is sent until all requests that have arrived by now had their say: one write for all of them. */
  #gather(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#corked = false;
      this.#socket.uncork();
    });
  }
}

/** The driver writes -0 as 0. */
const bind = (value: Value | readonly Value[]): unknown => (Object.is(value, -0) ? '-0' : value);

/**
 * Opens a connection: the first that succeeds of the ways the address has.
 *
 * @throws CannotConnect.
 */
export async function connect(
  address: Address,
  onEnd: (connection: Connection) => void = () => {},
): Promise<Connection> {
  let failure: unknown;
  let unreachable: string | undefined;
  for (const way of address.ways) {
    const place = `${way.host}:${way.port}`;
    if (place === unreachable) continue;
    const socket = new Socket();
    const client = new Client({ ...way, stream: () => socket });
    // Also where the server goes away between two steps of this.
    client.on('error', () => {});
    try {
      await client.connect();
      const session = await prepareSession(client, way.options ?? process.env['PGOPTIONS'] ?? '');
      if (!address.mustWrite || !session.isReadOnly) return new Connection(client, socket, session.silence, onEnd);
      failure = new Error('The server takes no writes.');
    } catch (error) {
      // What the server itself has said is worth more than that it has no TLS for another attempt.
      if (sqlState(failure) === undefined || sqlState(error) !== undefined) failure = error;
      // Who gives no answer gives none with or without TLS.
      if (socket.bytesRead === 0) unreachable = place;
    }
    socket.destroy();
    // A password that is wrong in this way is wrong in the others, and so is the name of the database.
    if (['28P01', '3D000'].includes(sqlState(failure) ?? '')) break;
  }
  throw new CannotConnect(explain(failure), { cause: failure });
}

/** Does work on a connection of its own, which ends afterwards. */
export async function withConnection<T>(address: Address, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connect(address);
  const watch = setInterval(() => connection.endIfSilent(performance.now()), 1_000);
  try {
    return await work(connection);
  } finally {
    clearInterval(watch);
    await connection.end();
  }
}

/** Says how long anything may take, where the URL does not. @returns what holds for the session now. */
async function prepareSession(client: Client, options: string): Promise<{ isReadOnly: boolean; silence: number }> {
  const limits = Object.entries({
    statement_timeout: statementTimeout,
    lock_timeout: lockTimeout,
    idle_in_transaction_session_timeout: transactionTimeout,
  }).filter(([name]) => !options.includes(name));
  const statements = limits.map(([name, milliseconds]) => `set ${name} = ${milliseconds}`);
  const asked =
    `select current_setting('transaction_read_only'), ` +
    `extract(epoch from current_setting('statement_timeout')::interval) * 1000`;
  const results: unknown = await client.query({ text: [...statements, asked].join('; '), rowMode: 'array' });
  const last = (Array.isArray(results) ? results.at(-1) : results) as QueryArrayResult<Row>;
  const [[isReadOnly, timeout] = []] = last.rows;
  // 0 is no limit: then only a line that is dead ends the wait.
  return { isReadOnly: isReadOnly === 'on', silence: Number(timeout) > 0 ? Number(timeout) + grace : Infinity };
}

/** The driver's and the server's words on a connection that was not made: they hold no password. */
function explain(error: unknown): string {
  const failures = error instanceof AggregateError && error.errors.length > 0 ? (error.errors as unknown[]) : [error];
  return [...new Set(failures.map((one) => (one instanceof Error ? one.message : String(one))))].join(', ');
}
