import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

/** A message of the server: its type, and its length, which includes the four bytes of the length itself. */
const headerLength = 5;

/** An error message of the server with this SQLSTATE. */
export function errorOf(code: string, text = 'fake'): Buffer {
  const fields = Buffer.from(`SERROR\0C${code}\0M${text}\0\0`);
  const header = Buffer.alloc(headerLength, 'E');
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, fields]);
}

/** A wire to PostgreSQL on which the answer to one command is lost, once the server has done it. */
export class Wire implements AsyncDisposable {
  /** The tag of the command, as the server writes it: COMMIT or UPDATE 1. */
  tag: string | undefined;
  /** The SQLSTATE that the client gets instead; without one the connection is reset. */
  code: string | undefined;
  /** The text of that error. */
  text: string | undefined;
  readonly #server: Server;

  constructor({ port, hostname }: URL) {
    this.#server = createServer((client) => {
      const server = connect(Number(port || 5432), hostname);
      let rest = Buffer.alloc(0);
      client.on('data', (bytes) => server.write(bytes)).on('close', () => server.destroy());
      server.on('close', () => client.destroy());
      for (const socket of [client, server]) socket.on('error', () => {});
      server.on('data', (bytes: Buffer) => {
        rest = Buffer.concat([rest, bytes]);
        while (rest.length >= headerLength && rest.length > rest.readInt32BE(1)) {
          const message = rest.subarray(0, rest.readInt32BE(1) + 1);
          rest = rest.subarray(message.length);
          if (this.tag === undefined || message.toString() !== `C${message.toString('latin1', 1, 5)}${this.tag}\0`) {
            client.write(message);
            continue;
          }
          this.tag = undefined;
          if (this.code === undefined) client.resetAndDestroy();
          else client.write(errorOf(this.code, this.text));
        }
      });
    });
  }

  /** Host and port of its end. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }
}
