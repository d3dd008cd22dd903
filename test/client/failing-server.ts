import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a request is answered; a string is the body. */
export type Reply =
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** The connection is closed before the answer, or in the middle of it. */
  | 'close'
  | 'cut off'
  /** There is no answer. */
  | 'silence';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server that fails on purpose: its replies are used up in their order, and the last one is repeated. */
export class FailingServer implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/behind/a/prefix/`;
  }

  static async start(...replies: readonly Reply[]): Promise<FailingServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const failing = new FailingServer(server);
    server.on('request', async (incoming, outgoing) => {
      const { method = '', url = '', headers } = incoming;
      const body = (await incoming.toArray()).join('');
      const reply = replies[Math.min(failing.received.push({ method, url, headers, body }), replies.length) - 1];
      if (reply) answer(reply, outgoing);
    });
    return failing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function answer(reply: Reply, outgoing: ServerResponse): void {
  if (reply === 'silence') return;
  if (reply === 'close') return void outgoing.destroy();
  if (reply === 'cut off') {
    outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' }).write('{"id":');
    setImmediate(() => outgoing.destroy());
    return;
  }
  const { status, body, headers } = reply;
  outgoing.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** A problem as the service answers it. */
export const problem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  body: { type: `/problems/${code}`, title: code, status, detail: `It is ${code}.`, code, request_id: 'request-1' },
  headers: { 'Content-Type': 'application/problem+json', ...headers },
});

export const success = (body: unknown, status = 200): Reply => ({
  status,
  body,
  headers: { 'Content-Type': 'application/json' },
});
