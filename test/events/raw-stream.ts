import { connect, type Socket } from 'node:net';

/** A stream of events over a bare socket. */
export class RawStream {
  text = '';
  /** Whether the server has ended the response, and not cut it off. */
  get hasEnded(): boolean {
    return this.text.endsWith('0\r\n\r\n');
  }
  readonly socket: Socket;

  constructor(port: number, key: string, headers: Readonly<Record<string, string | number>> = {}, query = '') {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    this.socket.on('error', () => undefined);
    const lines = Object.entries({
      Host: 'x',
      Authorization: `Bearer ${key}`,
      Accept: 'text/event-stream',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    this.socket.write(`GET /api/events${query} HTTP/1.1\r\n${lines.join('')}\r\n`);
  }

  /** The status of the response, once it is there. */
  async status(): Promise<number> {
    await this.until(() => this.text.includes('\r\n\r\n'));
    return Number(this.text.split(' ', 2)[1]);
  }

  /** The numbers of the events so far. */
  get ids(): number[] {
    return [...this.text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  }

  /** Resolves when something is so, or the connection is closed. */
  async until(isSo: () => boolean): Promise<void> {
    const { socket } = this;
    while (!isSo() && !socket.closed && !socket.readableEnded)
      await new Promise<void>((resolve) => {
        for (const event of ['data', 'end', 'close']) socket.once(event, () => resolve());
      });
  }

  /** Resolves when the server has ended the response, or its side of the connection. */
  ended(): Promise<void> {
    return this.until(() => this.hasEnded);
  }
}
