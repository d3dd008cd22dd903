import { connect } from 'node:net';

import { testKey } from './server.ts';

/** The outcome of the requests of some clients. */
export interface Outcome {
  answered: number;
  /** Requests that were sent, and whose connection ended before a byte of the answer. */
  lost: string[];
  /** Answers of which only a part has come. */
  cut: string[];
  /** Answers other than 2xx. */
  failed: string[];
}

export const noOutcome = (): Outcome => ({ answered: 0, lost: [], cut: [], failed: [] });

const headEnd = '\r\n\r\n';
const lastChunk = Buffer.from('0\r\n\r\n');

/** The bytes of an answer, as far as they have come. */
class Arriving {
  #chunks: Buffer[] = [];
  #size = 0;
  #head: string | undefined;
  #bodyAt = 0;

  get hasBegun(): boolean {
    return this.#size > 0;
  }

  get head(): string {
    return this.#head ?? '';
  }

  get progress(): string {
    return `${this.#size} bytes of ${/content-length: (\d+)/i.exec(this.head)?.[1] ?? 'an unknown length'}`;
  }

  /** @returns whether the answer is whole. */
  add(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#head === undefined) {
      const bytes = Buffer.concat(this.#chunks);
      const end = bytes.indexOf(headEnd);
      if (end === -1) return false;
      this.#head = bytes.subarray(0, end).toString('latin1');
      this.#bodyAt = end + headEnd.length;
    }
    const length = /content-length: (\d+)/i.exec(this.#head)?.[1];
    if (length !== undefined) return this.#size - this.#bodyAt >= Number(length);
    const tail = Buffer.concat(this.#chunks.slice(-2));
    return tail.subarray(-lastChunk.length).equals(lastChunk);
  }
}

/** A request as it is sent over a connection that is kept. */
export const requestText = (method: string, path: string, body = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n` +
  (body && `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`) +
  `\r\n${body}`;

/**
 * A client that sends one request after the other over a connection that it keeps, and opens another where the server has
 * closed it, until it is refused.
 *
 * @param next the next request
 * @param goesOn whether there is one
 */
export async function busyClient(
  port: number,
  outcome: Outcome,
  next: () => string,
  goesOn: () => boolean = () => true,
): Promise<void> {
  while (goesOn()) {
    if ((await oneConnection(port, outcome, next, goesOn)) === 'refused') return;
  }
}

function oneConnection(
  port: number,
  outcome: Outcome,
  next: () => string,
  goesOn: () => boolean,
): Promise<'closed' | 'refused'> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let arriving: Arriving | undefined;
    let isConnected = false;
    let error = 'end';
    let sent = 0;
    const send = (): void => {
      if (!goesOn()) return void socket.end();
      sent++;
      arriving = new Arriving();
      socket.write(next());
    };
    socket.on('connect', () => {
      isConnected = true;
      send();
    });
    socket.on('data', (chunk: Buffer) => {
      if (!arriving?.add(chunk)) return;
      const { head } = arriving;
      arriving = undefined;
      if (head.startsWith('HTTP/1.1 2')) outcome.answered++;
      else outcome.failed.push(head.split('\r\n', 1)[0] as string);
      if (/^connection: close/im.test(head)) socket.end();
      else send();
    });
    socket.on('error', ({ message }) => (error = message));
    socket.on('close', () => {
      if (isConnected && arriving?.hasBegun) outcome.cut.push(`${error}: ${arriving.progress}`);
      else if (isConnected && arriving) outcome.lost.push(`${error}: request ${sent} of its connection`);
      resolve(isConnected ? 'closed' : 'refused');
    });
  });
}
