import { connect, type Socket } from 'node:net';

export interface WireOptions {
  /** Whether it reads what the server sends; without it nothing is ever taken. */
  readonly reads?: boolean;
  /** How much is taken each 100 ms, in bytes; without it everything at once. */
  readonly pace?: number;
  /** Called for each answer that has begun, with its status. */
  readonly onStatus?: (status: number) => void;
}

/** The buffer of every connection that is read at once: nothing reads its contents later. */
const shared = Buffer.allocUnsafe(65_536);

const paceInterval = 100; // milliseconds

const mark = Buffer.from('HTTP/1.1 ');
/** Bytes from the mark to the end of the status. */
const statusEnd = mark.length + 3;

/**
 * A bare connection to 127.0.0.1 that sends whatever it is given. It costs as little as it can: answers are searched for
 * their status lines and thrown away.
 */
export class Wire {
  /** Resolves when the connection is there, or has failed. */
  readonly connected: Promise<void>;
  /** Resolves when the connection is gone, for whatever reason. */
  readonly closed: Promise<void>;
  readonly socket: Socket;
  /** The bytes that were read. */
  received = 0;
  /** The answers that have begun. */
  answers = 0;
  #rest: Buffer = Buffer.alloc(0);
  readonly #onStatus: (status: number) => void;

  constructor(port: number, { reads = true, pace, onStatus = () => undefined }: WireOptions = {}) {
    this.#onStatus = onStatus;
    const buffer = pace === undefined ? shared : Buffer.allocUnsafe(pace);
    const callback = (size: number): boolean => {
      this.#read(buffer.subarray(0, size));
      if (pace === undefined) return true;
      setTimeout(() => this.socket.resume(), paceInterval);
      return false;
    };
    this.socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer, callback } });
    if (!reads) this.socket.pause();
    // A reset is one of the answers that an attacker may get.
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()));
    this.connected = Promise.race([
      new Promise<void>((resolve) => this.socket.once('connect', () => resolve())),
      this.closed,
    ]);
  }

  get isOpen(): boolean {
    return !this.socket.destroyed;
  }

  /** @returns when the bytes are with the system, or can never be. */
  async send(bytes: string | Uint8Array): Promise<void> {
    if (!this.isOpen) return;
    await Promise.race([new Promise<void>((resolve) => this.socket.write(bytes, () => resolve())), this.closed]);
  }

  #read(chunk: Buffer): void {
    this.received += chunk.length;
    // The mark may be cut in two by the end of a chunk.
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let from = 0;
    for (;;) {
      const at = bytes.indexOf(mark, from);
      if (at < 0 || at + statusEnd > bytes.length) break;
      from = at + statusEnd;
      const status = Number(bytes.toString('latin1', at + mark.length, from));
      if (status < 200) continue;
      this.answers += 1;
      this.#onStatus(status);
    }
    this.#rest = Buffer.from(bytes.subarray(Math.max(from, bytes.length - statusEnd + 1)));
  }
}
