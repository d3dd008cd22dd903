import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { expect } from 'vitest';

import { projectRoot, testProject } from '../support/server.ts';

const endLimit = 30_000; // milliseconds; what hangs is killed, and its test sees the signal

/** The settings of a server, and what Node takes from the environment: no test may inherit them. */
const names = ['PORT', 'HOST', 'DATABASE_URL', 'READ_DATABASE_URL', 'API_KEYS'];
const notInherited = Object.fromEntries(names.map((name) => [name, undefined]));

/** Ends processes and folders of a test process that exits early. */
const leftovers = new Set<() => void>();
process.once('exit', () => {
  for (const remove of leftovers) remove();
});

export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** In a process group of its own, which `signal` can reach as a whole. */
  readonly detached?: boolean;
}

/** A program that runs as a person starts it; gone, with all it has started, when its scope ends. */
export class Command implements AsyncDisposable {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly ended: Promise<End>;
  stdout = '';
  stderr = '';
  readonly #detached: boolean;

  constructor(
    program: string,
    args: readonly string[],
    { cwd = projectRoot, env, detached = false }: CommandOptions = {},
  ) {
    this.#detached = detached;
    this.process = spawn(program, args, {
      cwd,
      env: { ...process.env, NODE_OPTIONS: undefined, ...notInherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached,
    });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    leftovers.add(this.#kill);
    this.ended = new Promise((resolve, reject) => {
      this.process.once('error', reject);
      this.process.once('close', (code, signal) => {
        leftovers.delete(this.#kill);
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  /** Waits for the URL that the server prints. */
  async url(): Promise<string> {
    const found = (): string | undefined => /http:\/\/[\w.]+:\d+(?=\s)/.exec(this.stdout)?.[0];
    const named = new Promise<void>((resolve) => {
      this.process.stdout.on('data', () => {
        if (found()) resolve();
      });
    });
    if (!found()) await this.#inTime(Promise.race([named, this.ended]));
    const url = found();
    if (url === undefined) throw new Error(`No address was named, only:\n${this.stdout}${this.stderr}`);
    return url;
  }

  /** How the program ends; what has not ended in time is killed. */
  end(): Promise<End> {
    return this.#inTime(this.ended);
  }

  async #inTime<T>(event: Promise<T>): Promise<T> {
    const timer = setTimeout(this.#kill, endLimit);
    try {
      return await event;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a signal and waits for the end. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<End> {
    this.process.kill(signal);
    return this.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill();
    await this.ended;
  }

  readonly #kill = (): void => {
    const { pid } = this.process;
    if (pid === undefined) return;
    try {
      process.kill(this.#detached ? -pid : pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
}

/** `node generated/server.ts` of the tests' own service, by the Node that runs the tests. */
export const serverCommand = (options: CommandOptions = {}, ...args: string[]): Command =>
  new Command(process.execPath, [join(testProject, 'generated/server.ts'), ...args], {
    ...options,
    env: { PORT: '0', ...options.env },
  });

/** A folder that goes away with its scope. */
export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'records-test-'));

  constructor() {
    leftovers.add(this.#remove);
  }

  file(name: string): string {
    return join(this.path, name);
  }

  [Symbol.dispose](): void {
    leftovers.delete(this.#remove);
    this.#remove();
  }

  readonly #remove = (): void => rmSync(this.path, { recursive: true, force: true });
}

/** `npm start` as in the root of this project, but of the tests' own service; `folder` becomes that project. */
export function npmStart(folder: Folder, options: CommandOptions, ...args: string[]): Command {
  for (const part of ['package.json', 'node_modules', 'runtime']) {
    symlinkSync(join(projectRoot, part), folder.file(part));
  }
  symlinkSync(join(testProject, 'generated'), folder.file('generated'));
  return new Command('npm', ['start', '--', ...args], { ...options, cwd: folder.path });
}

/** Checks that a start was refused in words for a person: the exit code, no stack trace, nothing on stdout. */
export function expectRefusedStart(end: End, code = 1): string {
  expect(end).toMatchObject({ code, signal: null, stdout: '' });
  expect(end.stderr).toMatch(/\S/);
  expect(end.stderr).not.toMatch(/^\s+at |node:|Node\.js v|\w*Error\b|runtime\/|\bthrow\b/m);
  return end.stderr;
}
