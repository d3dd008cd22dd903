import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to a TCP server that can be cut, or go silent, and be mended. */
export class Proxy implements AsyncDisposable {
  readonly #host: string;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isSilent = false;
  port = 0;
  /** Is told of each piece of an answer before it is passed on. */
  onAnswer: (() => void) | undefined;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#port = port;
  }

  /** Connections are taken, on the port of the last time, and what they carry is passed on. */
  async open(): Promise<void> {
    this.#server = createServer((client) => this.#join(client)).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  /** All connections are reset, and new ones refused. */
  async cut(): Promise<void> {
    this.reset();
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise((resolve) => server.close(resolve));
  }

  /** All connections are reset. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Nothing is passed on any more, in silence, until `speak`; what was on the way is lost. */
  fallSilent(): void {
    this.#isSilent = true;
  }

  /** New connections are served again; those of the silence stay mute. */
  speak(): void {
    this.#isSilent = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cut();
  }

  #join(client: Socket): void {
    const target = connect(this.#port, this.#host);
    let isMute = false;
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        if (!isMute) to.destroy();
      });
      from.on('data', (bytes) => {
        isMute ||= this.#isSilent;
        if (from === target) this.onAnswer?.();
        if (!isMute) to.write(bytes);
      });
    }
  }
}
