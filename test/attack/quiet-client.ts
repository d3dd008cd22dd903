/**
 * The quiet client, in a process of its own so that nobody's work disturbs its clock: one GET each 20 ms over one
 * connection, the next only when the last is answered. It is forked with a port, a path and a key, and for each message
 * it gets, it sends what it has seen since the message before.
 */
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';

import type { Seen } from './quiet.ts';

const interval = 20; // milliseconds
const reconnectAfter = 100; // milliseconds

const [port, path, key] = process.argv.slice(2);
const request = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: quiet\r\nAuthorization: Bearer ${key}\r\n\r\n`);

let latencies: number[] = [];
let errors: string[] = [];
/** When the request under way was sent; undefined where none is. */
let sentAt: number | undefined;
let socket: Socket;

function connected(): void {
  let answer = '';
  let next: NodeJS.Timeout | undefined;
  const send = (): void => {
    sentAt = performance.now();
    socket.write(request);
  };
  socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true }, send);
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
    const head = answer.indexOf('\r\n\r\n');
    const length = /\r\ncontent-length: *(\d+)/i.exec(answer.slice(0, head + 2))?.[1];
    if (head < 0 || answer.length < head + 4 + Number(length ?? 0)) return;
    const took = performance.now() - (sentAt as number);
    latencies.push(took);
    if (!answer.startsWith('HTTP/1.1 200 ')) errors.push(answer.slice(0, answer.indexOf('\r\n')));
    answer = '';
    sentAt = undefined;
    next = setTimeout(send, Math.max(0, interval - took));
  });
  let reason = 'closed';
  socket.on('error', (error: NodeJS.ErrnoException) => (reason = error.code ?? error.message));
  socket.on('close', () => {
    clearTimeout(next);
    errors.push(`the connection: ${reason}`);
    if (sentAt !== undefined) latencies.push(performance.now() - sentAt);
    sentAt = undefined;
    setTimeout(connected, reconnectAfter);
  });
}

try {
  setPriority(-10);
} catch {
  // Only for who may: the machine may have other work.
}
process.on('message', () => {
  // What is not answered yet takes at least so long.
  const open = sentAt === undefined ? [] : [performance.now() - sentAt];
  process.send?.({ latencies: [...latencies, ...open], errors } satisfies Seen);
  latencies = [];
  errors = [];
});
process.once('disconnect', () => process.exit());
connected();
