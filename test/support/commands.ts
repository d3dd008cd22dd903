import { type ChildProcess, execFile, fork, type ForkOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A program, with its arguments, folder and environment. */
export interface Job {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** The result of a command. */
export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const commandOf = (name: string): string => fileURLToPath(new URL(`../../generator/cli/${name}.ts`, import.meta.url));

/** Runs a command of the generator as its npm script does, in a process of its own. */
export const runCommand = (
  name: string,
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Run> => runFile(commandOf(name), folder, args, env);

/** Runs a command that is in this file, in a process of its own. */
export function runFile(
  file: string,
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** Runs commands one after the other in one process: starting it is most of what a run takes. */
export class Commands implements Disposable {
  readonly #options: ForkOptions;
  #host: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** `env` is the environment of the process that runs them, and `account` its user. */
  constructor(env: NodeJS.ProcessEnv = process.env, account: { uid?: number; gid?: number } = {}) {
    this.#options = { env, execArgv: [], ...account };
  }

  /** Runs a command of the generator. */
  run(name: string, folder: string, args: readonly string[] = []): Promise<Run> {
    return this.runFile(commandOf(name), folder, args);
  }

  /** Runs a command that is in this file. */
  runFile(program: string, folder: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Run> {
    const run = this.#last.then(() => this.#run({ program, args, folder, env }));
    this.#last = run.catch(() => {});
    return run;
  }

  [Symbol.dispose](): void {
    this.#host?.kill();
  }

  #run(job: Job): Promise<Run> {
    const host = (this.#host ??= fork(new URL('command-host.ts', import.meta.url), this.#options));
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => {
        this.#host = undefined;
        reject(new Error(`What runs the commands has ended with ${code}.`));
      };
      host.once('exit', onExit).once('message', (run) => {
        host.off('exit', onExit);
        resolve(run as Run);
      });
      host.send(job);
    });
  }
}
