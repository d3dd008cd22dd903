/**
 * The quiet client, in a process of its own so that no other work disturbs its clock: one request each 20 ms over one
 * connection, the next only when the last is answered. It is forked with the port
 * and the process id of a server, and a request; for each message it gets, it sends what it has seen since the last.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setPriority } from 'node:os';

import type { Seen } from './quiet.ts';

const interval = 20; // milliseconds
const reconnectAfter = 100; // milliseconds

const [port, server, bytes = ''] = process.argv.slice(2);
const request = Buffer.from(bytes);

/**
 * For how long the main threads of the server and of this process have been ready to run while other threads had the
 * processors, in milliseconds; 0 where the system does not say.
 */
function waitedForProcessor(): number {
  const ofProcess = (name: string | undefined): number => {
    try {
      return Number(readFileSync(`/proc/${name}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
    } catch {
      return 0;
    }
  };
  return ofProcess(server) + ofProcess('self');
}

let latencies: number[] = [];
let ownLatencies: number[] = [];
let errors: string[] = [];
/** When the request under way was sent; undefined where none is. */
let sentAt: number | undefined;
let waitedBefore = 0;
let socket: Socket;

/** How long the request under way has taken so far. */
function taken(): { latency: number; own: number } {
  const latency = performance.now() - (sentAt as number);
  return { latency, own: Math.max(0, latency - Math.max(0, waitedForProcessor() - waitedBefore)) };
}

function note({ latency, own } = taken()): void {
  latencies.push(latency);
  ownLatencies.push(own);
}

function connected(): void {
  let answer = '';
  let next: NodeJS.Timeout | undefined;
  const send = (): void => {
    waitedBefore = waitedForProcessor();
    sentAt = performance.now();
    socket.write(request);
  };
  socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true }, send);
  socket.setEncoding('latin1').on('data', (text: string) => {
    answer += text;
    const head = answer.indexOf('\r\n\r\n');
    const length = /\r\ncontent-length: *(\d+)/i.exec(answer.slice(0, head + 2))?.[1];
    if (head < 0 || answer.length < head + 4 + Number(length ?? 0)) return;
    const took = taken();
    note(took);
    if (!answer.startsWith('HTTP/1.1 2')) errors.push(answer.slice(0, answer.indexOf('\r\n')));
    answer = '';
    sentAt = undefined;
    next = setTimeout(send, Math.max(0, interval - took.latency));
  });
  let reason = 'closed';
  socket.on('error', (error: NodeJS.ErrnoException) => (reason = error.code ?? error.message));
  socket.on('close', () => {
    clearTimeout(next);
    errors.push(`the connection: ${reason}`);
    if (sentAt !== undefined) note();
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
  // The pending request takes at least this long.
  if (sentAt !== undefined) note();
  process.send?.({ latencies, ownLatencies, errors } satisfies Seen);
  latencies = [];
  ownLatencies = [];
  errors = [];
});
process.once('disconnect', () => process.exit());
connected();
