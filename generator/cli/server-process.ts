import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exitCodes } from '../../runtime/kernel/model/exit-codes.ts';
import { sibling } from '../../runtime/threads/sibling.ts';

/** The time for a server to stop, in milliseconds: it gives the requests in flight 8 seconds itself. */
const stopTimeout = 10_000;

const endWithParent = sibling('end-with-parent', import.meta).href;

/** `npm start` loads it as well; it reads the file .env. */
const prepare = fileURLToPath(new URL('../../runtime/cli/prepare-node.cjs', import.meta.url));

/** Why a server of the generated code would not start on the rows of the database; undefined if it would. @param file that starts it */
export async function whyNotStart(file: string): Promise<string | undefined> {
  try {
    await promisify(execFile)(process.execPath, ['-r', prepare, file, 'migrate', '--plan'], { maxBuffer: Infinity });
  } catch (error) {
    const { code, stdout, stderr } = error as Record<'stdout' | 'stderr', string> & { readonly code?: unknown };
    // Behind an empty line come the steps, which are possible.
    if (code !== exitCodes.somethingToDo) return `${stderr}${stdout.split('\n\n')[0]}`.trim();
  }
  return undefined;
}

/** The server in a process of its own, which ends at the latest when this process does. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #isStopping = false;

  /**
   * Starts the server.
   *
   * @param file the file that starts it
   * @param showsKey whether it prints the API key, and where everything is
   * @param onFailure is called where it ends without being stopped, with the reason
   */
  constructor(file: string, showsKey: boolean, onFailure: (reason: string) => void) {
    this.#child = spawn(
      process.execPath,
      ['-r', prepare, '--import', endWithParent, file, '--quick-stop', ...(showsKey ? ['--show-key'] : [])],
      { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
    );
    this.#ended = new Promise((resolve) => {
      const end = (reason: string): void => {
        if (!this.#isStopping) onFailure(reason);
        resolve();
      };
      this.#child.once('error', ({ message }) => end(`cannot be started: ${message}`));
      this.#child.once('exit', (code, signal) =>
        end(code === null ? `was ended by ${signal}` : `exited with code ${code}`),
      );
    });
  }

  /** Stops the server, and waits until it has ended. */
  async stop(): Promise<void> {
    this.terminate();
    const timer = setTimeout(() => this.kill(), stopTimeout);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Tells the server to stop. */
  terminate(): void {
    this.#isStopping = true;
    this.#child.kill('SIGTERM');
  }

  /** Ends the server at once. */
  kill(): void {
    this.#isStopping = true;
    this.#child.kill('SIGKILL');
  }
}
