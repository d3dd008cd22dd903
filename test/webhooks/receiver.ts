import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message as it arrived. */
export interface Message {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly number: number;
    readonly time: string;
    readonly record: string;
    readonly resource: string;
    readonly operation: string;
  };
  /** The status that the receiver has responded with. */
  readonly status: number;
  readonly time: number;
}

/** A receiver of webhooks on a port of its own. */
export class Receiver implements AsyncDisposable {
  readonly messages: Message[] = [];
  /** Responds to a message; by default 204. @returns the status, undefined if it has responded itself */
  respond: (number: number, response: ServerResponse) => number | undefined = () => 204;
  #port = 0;
  readonly #server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const text = Buffer.concat(pieces).toString();
        const body = JSON.parse(text) as Pick<Message, 'type' | 'timestamp' | 'data'>;
        const status = this.respond(body.data.number, response);
        this.messages.push({ ...body, headers: incoming.headers, text, status: status ?? 0, time: Date.now() });
        if (status !== undefined) response.writeHead(status).end('thanks');
      });
  });

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await receiver.start();
    return receiver;
  }

  /** Listens, again on its port. */
  async start(): Promise<void> {
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Ends as if it was killed: connections break. */
  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  /** The messages that it has taken. */
  get taken(): Message[] {
    return this.messages.filter(({ status }) => status >= 200 && status < 300);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Whether a message is signed with a secret, as https://www.standardwebhooks.com has it. */
export function isSigned({ headers, text }: Message, secret: string): boolean {
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
  const given = Buffer.from(String(headers['webhook-signature']));
  return given.length === expected.length && timingSafeEqual(given, expected);
}
