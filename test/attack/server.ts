import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { usageOf } from '../bench/processes.ts';
import { startFlags, startVariables } from '../bench/start-command.ts';
import { projectRoot } from '../bench/child.ts';
import { attackerKey, quietKey } from './requests.ts';

/** From the root of the project. */
const program = 'test/service/generated/server.ts';

const endWithParent = './test/support/end-with-parent.ts';

const startLimit = 20_000; // milliseconds
const sampleInterval = 50; // milliseconds

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The service under attack: the tests' own, as `npm start` starts it, but with a heap of 256 MB. */
export class AttackedServer implements AsyncDisposable {
  port = 0;
  /** How it has ended; undefined while it lives. */
  end: string | undefined;
  /** The text of its stderr. */
  errors = '';
  /** The most resident memory so far, in bytes; 0 where it cannot be seen. */
  peak = 0;
  /** The memory in use after a garbage collection, in bytes, if an observer tells it. */
  live: number | undefined;
  readonly #process: ChildProcess;
  readonly #sampling: NodeJS.Timeout;

  private constructor(databaseUrl: string, observer: string | undefined) {
    const observing = observer === undefined ? [] : ['--expose-gc', '--import', observer];
    this.#process = spawn(
      process.execPath,
      [...startFlags, '--max-old-space-size=256', '--import', endWithParent, ...observing, program],
      {
        cwd: projectRoot,
        env: {
          ...process.env,
          ...startVariables,
          PORT: '0',
          HOST: '127.0.0.1',
          DATABASE_URL: databaseUrl,
          API_KEYS: `${attackerKey},${quietKey}`,
        },
        stdio: ['pipe', 'pipe', 'pipe', ...(observer === undefined ? [] : (['ipc'] as const))],
      },
    );
    running.add(this.#process);
    this.#process.on('message', (bytes) => (this.live = bytes as number));
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    this.#sampling = setInterval(() => {
      this.peak = Math.max(this.peak, usageOf(this.pid).peak);
    }, sampleInterval);
    this.#process.once('exit', (code, signal) => {
      clearInterval(this.#sampling);
      running.delete(this.#process);
      const reason = /^.*(?:FATAL|Error:).*$/m.exec(this.errors)?.[0].slice(0, 200);
      this.end = [signal ?? `exit code ${code}`, ...(reason === undefined ? [] : [reason])].join(', ');
    });
  }

  get pid(): number {
    return this.#process.pid as number;
  }

  /**
   * Starts it over a database.
   *
   * @param observer a module that is loaded into it, and sends `live`
   * @returns when it has named its address
   */
  static async start(databaseUrl: string, observer?: string): Promise<AttackedServer> {
    const server = new AttackedServer(databaseUrl, observer);
    const timer = setTimeout(() => server.#process.kill('SIGKILL'), startLimit);
    const stdout = (server.#process.stdout as NonNullable<ChildProcess['stdout']>).setEncoding('utf8');
    let output = '';
    try {
      for await (const text of stdout.iterator({ destroyOnReturn: false })) {
        output += String(text);
        server.port = Number(/http:\/\/127\.0\.0\.1:(\d+)\s/.exec(output)?.[1] ?? 0);
        if (server.port !== 0) break;
      }
    } finally {
      clearTimeout(timer);
    }
    // A full pipe would make the server keep 8 MiB of its log. While the iterator reads, this has no effect.
    stdout.resume();
    if (server.port !== 0) return server;
    throw new Error(`The server has ended instead of starting:\n${output}${server.errors}`);
  }

  /** Asks it to end. @returns when it has. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (this.end !== undefined) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill(signal);
    await exit;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop('SIGKILL');
  }
}
