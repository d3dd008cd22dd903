import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { descendantsOf, sumOf, type Usage, usageOf } from './processes.ts';

/** The folder in which commands of the project are run. */
export const projectRoot = fileURLToPath(new URL('../../', import.meta.url));
const cpuUsage = new URL('./cpu-usage.ts', import.meta.url).href;

const startLimit = 20_000; // milliseconds
const stopLimit = 15_000; // milliseconds

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

interface ChildOptions {
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it can be asked for its usage; without it nothing is loaded but the program. */
  readonly observed?: boolean;
  /** Node's options, before the program. */
  readonly flags?: readonly string[];
  /** A file for what it prints. */
  readonly output?: string | undefined;
  /** A command that runs the program in its own process, with its arguments. */
  readonly wrapper?: readonly string[];
}

/** An HTTP server in a process of its own. It never outlives this one. */
export class Child {
  readonly port: number;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#process = child;
    this.port = port;
  }

  /**
   * Starts a program of the project.
   *
   * @param script its file, from the root of the project; it must print its address, `http://127.0.0.1:<port>`.
   * @returns when the address is printed.
   */
  static async start(script: string, options: ChildOptions = {}): Promise<Child> {
    const { env = {}, observed = false, flags = [], output, wrapper = [] } = options;
    const observing = observed ? ['--import', cpuUsage] : [];
    const [command, ...args] = [...wrapper, process.execPath, ...flags, ...observing, script];
    const child = spawn(command as string, args, {
      cwd: projectRoot,
      env: { ...process.env, ...(observed ? { BENCH_OBSERVED: '1' } : {}), ...env },
      stdio: [
        'ignore',
        output === undefined ? 'pipe' : openSync(output, 'w'),
        'inherit',
        ...(observed ? (['ipc'] as const) : []),
      ],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    try {
      return new Child(child, await portOf(child, script, output));
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  /**
   * The usage of an observed process so far, with that of the processes it started if the system shows them.
   */
  async usage(): Promise<Usage> {
    const own = await this.#ownUsage();
    return sumOf([own, ...descendantsOf(this.#process.pid as number).map(usageOf)]);
  }

  // It is asked, for its answer also counts threads that have ended.
  #ownUsage(): Promise<Usage> {
    return new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('A server ended before the benchmark did.'));
      this.#process.once('exit', ended);
      this.#process.once('message', (usage) => {
        this.#process.off('exit', ended);
        resolve(usage as Usage);
      });
      this.#process.send('usage', (error) => error && reject(error));
    });
  }

  /** Asks the process to end, as a service manager does. @returns when it is gone. */
  async stop(): Promise<void> {
    if (!running.has(this.#process)) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), stopLimit);
    await exit;
    clearTimeout(timer);
  }
}

function portOf(child: ChildProcess, script: string, file: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => reject(new Error(`${script} ${what}.`));
    const timer = setTimeout(() => fail(`has not named its address in ${startLimit / 1000} s`), startLimit);
    child.once('error', (error) => fail(`cannot be started: ${error.message}`));
    child.once('exit', (code, signal) => fail(`ended with ${signal ?? code} before it named its address`));
    let output = '';
    const look = (text: string): void => {
      output += text;
      const port = /http:\/\/127\.0\.0\.1:(\d+)\D/.exec(output)?.[1];
      if (port === undefined) return;
      end();
      child.stdout?.removeAllListeners('data').resume();
      resolve(Number(port));
    };
    child.stdout?.setEncoding('utf8').on('data', look);
    const looks = file === undefined ? undefined : setInterval(() => look(readFileSync(file, 'utf8')), 20);
    const end = (): void => {
      clearTimeout(timer);
      clearInterval(looks);
    };
    child.once('exit', end);
  });
}
