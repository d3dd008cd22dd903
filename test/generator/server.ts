import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

import { testKey } from '../support/server.ts';

/** A generated server in a process of its own. */
export interface Running {
  /** The parsed JSON of an answer that must have this status. */
  request(method: string, path: string, status: number, body?: object): Promise<unknown>;
  /** Asks the server to end. @returns its exit code. */
  stop(): Promise<number | null>;
}

/**
 * Starts a generated `server.ts`.
 *
 * @param folder where its database goes, and the compiled code that all servers share, which halves their start
 */
export async function start(file: string, folder: string): Promise<Running> {
  const child = spawn(process.execPath, [file], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: `sqlite:${join(folder, `${basename(dirname(file))}.db`)}`,
      API_KEYS: testKey,
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = once(child, 'exit');
  const url = await addressOf(child);
  return {
    async request(method, path, status, body) {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${testKey}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status !== status)
        throw new Error(`${method} ${path} is ${response.status}, not ${status}: ${text}`);
      return JSON.parse(text);
    },
    async stop() {
      child.kill('SIGTERM');
      await exit;
      return child.exitCode;
    },
  };
}

async function addressOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<string> {
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text;
    const address = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(output)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error(`The server has ended before it named its address.\n${output}${errors}`);
}
