import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { testKey } from '../support/server.ts';

/** A generated server. */
export interface Running {
  /** The parsed JSON of an answer that must have this status. */
  request(method: string, path: string, status: number, body?: object): Promise<unknown>;
}

/** Generated servers in a process of their own: loading what they run on is most of a start. */
export class Servers {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exit: Promise<unknown>;
  #output = '';
  readonly #order: ReadonlyMap<string, number>;

  /**
   * Starts generated files `server.ts`.
   *
   * @param databaseOf the URL of a file's database
   */
  constructor(files: readonly string[], databaseOf: (file: string) => string) {
    this.#order = new Map(files.map((file, index) => [file, index]));
    const args = files.map((file) => `${databaseOf(file)}=${file}`);
    this.#child = spawn(process.execPath, [fileURLToPath(new URL('boot.ts', import.meta.url)), ...args], {
      env: { ...process.env, PORT: '0', HOST: '127.0.0.1', API_KEYS: testKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exit = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
  }

  /** Waits until all of them have been started, or have failed. */
  async started(): Promise<void> {
    while (this.#child.exitCode === null && this.#child.signalCode === null && !this.#output.includes('\nall\n')) {
      await Promise.race([once(this.#child.stdout, 'data'), this.#exit]);
    }
  }

  of(file: string): Running {
    const said = this.#output.split(/^server \d+:$/m)[this.#order.get(file)! + 1] ?? this.#output;
    const url = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(said)?.[0];
    if (url === undefined) throw new Error(`The server has not named its address.\n${said}`);
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
    };
  }

  /** Asks them to end. @returns the exit code of their process. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#exit;
    return this.#child.exitCode;
  }
}
