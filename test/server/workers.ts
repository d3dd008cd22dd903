import { once } from 'node:events';
import { type Agent, request as send } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';

import { recordNamed } from '../service/resources.ts';
import { descendantsOf } from '../bench/processes.ts';
import type { Stored } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { testKey } from '../support/server.ts';
import { type Command, Folder, serverCommand } from './command.ts';

export const order = recordNamed('order');
/** How many processes serve. */
export const workers = 2;

export const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request over a connection of its own, which the next process gets, or over one that an agent keeps. */
export function ask(
  url: string,
  method: string,
  path: string,
  body?: object,
  agent: Agent | false = false,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${testKey}`, ...(body && { 'content-type': 'application/json' }) };
    const outgoing = send(url + path, { method, headers, agent, timeout: 10_000 }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', reject).on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
      });
    });
    outgoing.on('error', reject).on('timeout', () => outgoing.destroy(new Error('There was no answer in 10 s.')));
    outgoing.end(body && JSON.stringify(body));
  });
}

export async function asked<T = Stored>(status: number, ...args: Parameters<typeof ask>): Promise<T> {
  const reply = await ask(...args);
  expect(reply.status, JSON.stringify(reply.body)).toBe(status);
  return reply.body as T;
}

export const statuses = (replies: readonly Reply[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

export const env = (database: string, more: Readonly<Record<string, string | undefined>> = {}) => ({
  DATABASE_URL: database,
  API_KEYS: testKey,
  WORKERS: String(workers),
  ...more,
});

/** A server of several processes over a fresh SQLite file. */
export class Serving implements AsyncDisposable {
  readonly folder = new Folder();
  readonly command: Command;

  constructor(options: { detached?: boolean; env?: Readonly<Record<string, string | undefined>> } = {}) {
    this.command = serverCommand({ ...options, env: env(this.database, options.env) });
  }

  get file(): string {
    return this.folder.file('records.db');
  }

  get database(): string {
    return `sqlite:${this.file}`;
  }

  get pid(): number {
    return this.command.process.pid as number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const processes = descendantsOf(this.pid);
    await this.command[Symbol.asyncDispose]();
    await untilGone(processes);
    this.folder[Symbol.dispose]();
  }
}

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 40_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`After 40 s still not: ${what}.`);
    await pause(20);
  }
}

/** Until so many replacements of workers have begun to serve since the server was started. */
export const untilReplaced = (command: Command, count: number): Promise<void> =>
  until('the replacement serves', () => (command.stderr.match(/replacement .* is serving/g)?.length ?? 0) >= count);

export const untilGone = (processes: readonly number[]): Promise<void> =>
  until('the processes are gone', () => !processes.some(isThere));

/** A create of which each process has got one half; the other half completes it. */
export async function halfCreates(url: string, agent: Agent): Promise<{ complete(): void; replies: Promise<Reply[]> }> {
  const body = JSON.stringify(minimalBody(order));
  const halves = times(workers, () => {
    const headers = {
      authorization: `Bearer ${testKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    };
    const outgoing = send(url + order.path, { method: 'POST', headers, agent });
    const reply = new Promise<Reply>((resolve, reject) => {
      outgoing.on('error', reject).on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }));
      });
    });
    outgoing.flushHeaders();
    return { outgoing, reply };
  });
  // The server says so once a request has reached its handler: from here on it is under way.
  await Promise.all(halves.map(({ outgoing }) => once(outgoing, 'continue')));
  for (const { outgoing } of halves) outgoing.write(body.slice(0, 10));
  const replies = Promise.all(halves.map(({ reply }) => reply));
  replies.catch(() => undefined);
  return { complete: () => halves.forEach(({ outgoing }) => outgoing.end(body.slice(10))), replies };
}

/** Until it takes no more connections; one that comes just then may be left waiting until the server is gone. */
export async function untilStopping(url: string): Promise<void> {
  for (let isOpen = true; isOpen; await pause(20)) {
    const probe = fetch(`${url}/healthz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(1_000) });
    isOpen = await probe.then(
      () => true,
      () => false,
    );
  }
}
