import { connect, type Socket } from 'node:net';

export interface Request {
  /** The whole of it, head and body. */
  readonly bytes: Buffer;
  /** The status that the answer must have. */
  readonly status: number;
}

/** The source of the requests. */
export interface Traffic {
  /** The next request; undefined when there are no more. */
  next(): Request | undefined;
}

const headLimit = 4096; // bytes

/**
 * Keeps a number of connections to 127.0.0.1 busy: each has one request under way at all times, the next one sent when
 * the answer to the last is read in full.
 *
 * It spends as little as it can, to leave the machine to the server: prepared requests, a fixed buffer for each
 * connection, no parsing but of the status and the length.
 */
export class Load {
  /**
   * Resolves when all connections have come to their end, after `stop` or the last request. Rejects at the first answer
   * that has another status, is chunked, or does not come: then all connections are closed.
   */
  readonly done: Promise<void>;
  readonly #connections: Connection[];
  #latencies: number[] = [];

  constructor(port: number, traffic: Traffic, connections: number) {
    const note = (milliseconds: number): void => void this.#latencies.push(milliseconds);
    this.#connections = Array.from({ length: connections }, () => new Connection(port, traffic, note));
    this.done = Promise.all(this.#connections.map(({ ended }) => ended)).then(
      () => undefined,
      (error: unknown) => {
        for (const connection of this.#connections) connection.destroy();
        throw error;
      },
    );
    // Callers meet the error where they wait, or at `stop`.
    this.done.catch(() => undefined);
  }

  /** Takes the latencies in milliseconds, one for each answer since the last call. */
  takeLatencies(): Float64Array {
    const taken = Float64Array.from(this.#latencies);
    this.#latencies = [];
    return taken;
  }

  /** Waits, or fails as `done` does. */
  async run(milliseconds: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
    await Promise.race([time, this.done]).finally(() => clearTimeout(timer));
  }

  /** Sends nothing more. @returns when the answers under way are read. */
  stop(): Promise<void> {
    for (const connection of this.#connections) connection.stop();
    return this.done;
  }
}

class Connection {
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  readonly #buffer = Buffer.allocUnsafe(65_536);
  readonly #traffic: Traffic;
  readonly #note: (milliseconds: number) => void;
  #stopping = false;
  #finished = false;
  #sent: Request | undefined;
  #sentAt = 0;
  #head = '';
  /** Bytes of the body still to come; -1 before the head is complete. */
  #left = -1;
  /** The body of an answer with an unexpected status. */
  #wrong: Buffer[] | undefined;

  constructor(port: number, traffic: Traffic, note: (milliseconds: number) => void) {
    this.#traffic = traffic;
    this.#note = note;
    const onread = {
      buffer: this.#buffer,
      callback: (size: number): boolean => {
        this.#read(size);
        return true;
      },
    };
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, onread });
    this.#socket.once('connect', () => this.#send());
    this.ended = new Promise((resolve, reject) => {
      this.#socket.once('error', (error: NodeJS.ErrnoException) =>
        reject(error.code === undefined ? error : new Error(`The connection to the server broke: ${error.message}.`)),
      );
      this.#socket.once('close', () => {
        if (this.#finished) resolve();
        else reject(new Error(`The server closed the connection before it had answered:\n${this.#request()}`));
      });
    });
  }

  stop(): void {
    this.#stopping = true;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #send(): void {
    this.#sent = this.#stopping ? undefined : this.#traffic.next();
    if (this.#sent === undefined) {
      this.#finished = true;
      this.#socket.destroy();
      return;
    }
    this.#sentAt = performance.now();
    this.#socket.write(this.#sent.bytes);
  }

  #read(size: number): void {
    let start = 0;
    if (this.#left < 0) {
      const before = this.#head.length;
      this.#head += this.#buffer.toString('latin1', 0, Math.min(size, headLimit));
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) {
        if (this.#head.length >= headLimit) this.#fail('has a head of more than 4 KB');
        return;
      }
      start = end + 4 - before;
      this.#head = this.#head.slice(0, end + 2);
      const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(this.#head)?.[1];
      if (length === undefined) return this.#fail(`has no Content-Length:\n${this.#head}`);
      this.#left = Number(length);
      if (this.#head.slice(9, 12) !== String(this.#sent?.status)) this.#wrong = [];
    }
    this.#left -= size - start;
    this.#wrong?.push(Buffer.from(this.#buffer.subarray(start, size)));
    if (this.#left > 0) return;
    if (this.#left < 0) return this.#fail(`is longer than its Content-Length:\n${this.#head}`);
    if (this.#wrong) {
      return this.#fail(`is not ${this.#sent?.status}:\n${this.#head}\n${Buffer.concat(this.#wrong).toString()}`);
    }
    this.#note(performance.now() - this.#sentAt);
    this.#head = '';
    this.#left = -1;
    this.#send();
  }

  #request(): string {
    return this.#sent?.bytes.toString() ?? '(nothing was sent)';
  }

  #fail(what: string): void {
    this.#socket.destroy(new Error(`The answer ${what}\n\nto the request:\n${this.#request()}`));
  }
}
