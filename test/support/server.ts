import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

import { features } from '../../runtime/features.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { settingsOf } from '../../runtime/server/settings.ts';
import type { Engine, TestDatabase } from './databases.ts';
import type { Job } from './server-host.ts';

export const testKey = 'test-key-0123456789abcdef0123456789abcdef';

/** The actor of events whose request had a key of `API_KEYS`. */
export const actorOf = (key: string): string => `API_KEYS ${hash('sha256', key, 'hex').slice(0, 8)}`;

export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** The tests' own service: its spec and what is generated from it, as in the root of a project. */
export const testProject = join(projectRoot, 'test/service');

const startLimit = 45_000; // milliseconds; then the start fails with what the server has said

export type Answer = {
  status: number;
  headers: Headers;
  /** The parsed JSON, undefined for anything else. */
  body: unknown;
  text: string;
};

type ServerDatabase = Pick<TestDatabase, 'url' | 'serverUrl'> & AsyncDisposable;

export type ServerOptions = {
  /** Added to the environment of the server, over what the tests set themselves. */
  env?: Record<string, string>;
  /** The folder of the database; without it a fresh folder that goes away with the server. */
  folder?: string;
  /** Makes the database; without it an SQLite file in the folder. It goes away with the server. */
  database?: () => Promise<ServerDatabase>;
  /** Makes the database in place of `database`, with these tables: `server.database` then is it. */
  engine?: Engine;
  tables?: readonly Table[];
  /** The project whose service runs; without it the tests' own. */
  project?: string;
  /** Whether it has a process of its own, for tests of the process. It has one, too, if `env` has more than settings of one process. */
  alone?: boolean;
};

/** A null takes away a header that is sent by default. */
type RequestHeaders = Record<string, string | null>;

type ServerProcess = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };

/** Processes that have served, and can serve again: loading what a server needs is most of a start. */
const idle: ServerProcess[] = [];

const host = fileURLToPath(new URL('server-host.ts', import.meta.url));

const isRunning = ({ exitCode, signalCode }: ServerProcess): boolean => exitCode === null && signalCode === null;

const settings = settingsOf(features);

const runtime = join(projectRoot, 'runtime');

/** Whether a project runs this runtime, and no copy of it. */
const sharesRuntime = (project: string): boolean =>
  project === testProject || realpathSync(join(project, 'runtime')) === runtime;

const isOfOneProcess = (name: string): boolean => name in settings && name !== 'WORKERS';

/** The real server in a process of its own, which may have served before, over a database of its own. */
export class TestServer implements AsyncDisposable {
  url = '';
  folder = '';
  process!: ServerProcess;
  /** The output of the running server, on both streams. */
  output = '';
  /** Its database, if the options name the engine. */
  database!: TestDatabase;
  readonly #options: ServerOptions;
  #database: ServerDatabase | undefined;
  #isServing = false;
  #code: number | null = null;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(options: ServerOptions = {}) {
    this.#options = options;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** The DATABASE_URL of commands. */
  get databaseUrl(): string {
    return this.#database?.url ?? `sqlite:${join(this.folder, 'records.db')}`;
  }

  async start(): Promise<void> {
    this.folder ||= this.#options.folder ?? (await mkdtemp(join(tmpdir(), 'records-test-')));
    const { engine, tables } = this.#options;
    this.#database ??= engine ? (this.database = await engine.create(tables)) : await this.#options.database?.();
    const { project = testProject, env: own = {}, folder, alone = false } = this.#options;
    const program = join(project, 'generated/server.ts');
    const env = {
      // About half of a start goes into compiling sources that have not changed since the last one.
      NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/node-compile'),
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: this.#database?.serverUrl ?? this.databaseUrl,
      API_KEYS: testKey,
      TEST_FOLDER: folder ? '' : this.folder,
      ...own,
    };
    const isHosted = !alone && sharesRuntime(project) && Object.keys(own).every(isOfOneProcess);
    this.process = (isHosted && idle.pop()) || startProcess(isHosted ? host : program, env);
    this.#isServing = true;
    this.#code = null;
    this.output = '';
    // A full pipe would block the server.
    for (const stream of [this.process.stdout, this.process.stderr]) stream.on('data', this.#hear);
    if (isHosted) this.process.send({ program, env } satisfies Job);
    this.url = await this.#address();
  }

  /**
   * Sends one request, with the key, over a kept-alive connection. A string, bytes or a stream go out as they are;
   * anything else as JSON.
   */
  async request(method: string, path: string, body?: unknown, headers: RequestHeaders = {}): Promise<Answer> {
    const wanted: RequestHeaders = {
      authorization: `Bearer ${testKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = Object.fromEntries(
      Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== null),
    );
    const { status, headers: answered, text } = await this.#exchange(method, path, bytesOf(body), sent);
    const isJson = /^application\/([\w.-]+\+)?json(;|$)/.test(answered.get('content-type') ?? '');
    return { status, headers: answered, body: isJson && text !== '' ? JSON.parse(text) : undefined, text };
  }

  /** Asks the server to end. @returns its exit code. */
  async stop(): Promise<number | null> {
    return this.#end('SIGTERM');
  }

  /** Ends the server as a power cut would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Starts over the same folder again; a server that still runs is stopped first. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Stops the server and removes its folder. */
  async close(): Promise<void> {
    if (this.process) await this.stop();
    await this.#database?.[Symbol.asyncDispose]();
    if (!this.#options.folder && this.folder) await rm(this.folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Not by fetch, which takes longer than most servers. */
  #exchange(
    method: string,
    path: string,
    body: Uint8Array | ReadableStream | undefined,
    headers: Record<string, string>,
  ): Promise<Omit<Answer, 'body'>> {
    return new Promise((resolve, reject) => {
      const outgoing = request(new URL(this.url + path), { agent: this.#agent, method, headers }, (incoming) => {
        const { socket } = incoming;
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
        incoming.on('end', () => {
          const { rawHeaders, statusCode: status = 0 } = incoming;
          // The server closes a connection soon if the rest of a refused body takes long: the next request would meet that.
          if (status === 413) socket.destroy();
          const answered = new Headers();
          for (let n = 0; n < rawHeaders.length; n += 2) answered.append(rawHeaders[n]!, rawHeaders[n + 1]!);
          resolve({ status, headers: answered, text: Buffer.concat(pieces).toString() });
        });
      });
      outgoing.on('error', reject);
      if (body instanceof ReadableStream) {
        outgoing.setHeader('transfer-encoding', 'chunked');
        Readable.fromWeb(body).on('error', reject).pipe(outgoing);
      } else {
        if (body) outgoing.setHeader('content-length', body.length);
        outgoing.end(body);
      }
    });
  }

  readonly #hear = (text: string): void => {
    this.output += text;
  };

  /** Waits for the URL that it prints. */
  #address(): Promise<string> {
    const child = this.process;
    return new Promise((resolve, reject) => {
      const fail = (what: string): void => {
        clearTimeout(timer);
        child.kill('SIGKILL');
        reject(new Error(`The server ${what}. It said:\n${this.output}`));
      };
      const onError = (error: Error): void => fail(`cannot be started: ${error.message}`);
      const onExit = (code: number | null, signal: string | null): void =>
        fail(`ended with ${signal ?? code} before it named its address`);
      const onEnd = (code: unknown): void => onExit(Number(code), null);
      const onData = (): void => {
        const address = /http:\/\/127\.0\.0\.1:\d+(?=\D)/.exec(this.output)?.[0];
        if (!address) return;
        clearTimeout(timer);
        child.off('error', onError).off('exit', onExit).off('message', onEnd).stdout.off('data', onData);
        resolve(address);
      };
      const timer = setTimeout(() => fail(`has not named its address in ${startLimit / 1_000} s`), startLimit);
      child.on('error', onError).on('exit', onExit).on('message', onEnd).stdout.on('data', onData);
    });
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.process;
    if (this.#isServing && isRunning(child)) {
      // A server that stops gives connections that were used lately a second for another request.
      for (const socket of Object.values(this.#agent.freeSockets).flat()) socket?.destroy();
      this.#code = await new Promise<number | null>((resolve) => {
        child.once('exit', resolve).once('message', resolve);
        child.kill(signal);
      });
      if (isRunning(child)) await this.#release();
    }
    this.#isServing = false;
    return this.#code ?? child.exitCode;
  }

  /** Leaves its process to other servers. */
  async #release(): Promise<void> {
    // Its last output is there, but maybe not read.
    await nextTurn();
    for (const stream of [this.process.stdout, this.process.stderr]) stream.off('data', this.#hear);
    idle.push(this.process.removeAllListeners('exit').removeAllListeners('message'));
  }
}

function startProcess(program: string, env: NodeJS.ProcessEnv): ServerProcess {
  const child = spawn(process.execPath, ['--import', './test/support/end-with-parent.ts', program], {
    cwd: projectRoot,
    env,
    stdio: ['pipe', 'pipe', 'pipe', ...(program === host ? (['ipc'] as const) : [])],
  }) as ServerProcess;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8');
  return child;
}

export async function startServer(options?: ServerOptions): Promise<TestServer> {
  const server = new TestServer(options);
  try {
    await server.start();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}

/** One server for all the tests of the file or group that calls this: there before the first, gone after the last. */
export function sharedServer(options?: ServerOptions): TestServer {
  const server = new TestServer(options);
  // A database of several nodes takes a while as well.
  const limit = startLimit + (options?.database || options?.engine ? 100_000 : 5_000);
  beforeAll(() => server.start(), limit);
  afterAll(() => server.close(), limit);
  return server;
}

function bytesOf(body: unknown): Uint8Array | ReadableStream | undefined {
  if (body === undefined || body instanceof ReadableStream || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
