import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { BenchProject } from './project.ts';

const limit = 60_000; // milliseconds
const serving = 'is serving on';

/** How long a save takes under `npm run dev`, in milliseconds. */
export interface Save {
  /** Until the last generated file is written. */
  readonly onDisk: number;
  /** Until the server with the new code listens. */
  readonly serving: number;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGTERM');
});

/** A program in a project, and the moments at which it says that it serves. */
class Program {
  readonly #child: ChildProcess;
  #output = '';

  constructor({ root }: BenchProject, args: readonly string[]) {
    const env = { ...process.env, PORT: '0', HOST: '127.0.0.1', API_KEYS: '', DATABASE_URL: '' };
    const child = spawn(process.execPath, args, { cwd: root, env });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    }
    running.add(child);
    child.once('exit', () => running.delete(child));
    this.#child = child;
  }

  /** Forgets what was printed so far. */
  forget(): void {
    this.#output = '';
  }

  /** Waits until the program serves. @throws Error with its output where it takes too long. */
  async served(): Promise<void> {
    const begin = performance.now();
    while (!this.#output.includes(serving)) {
      if (performance.now() - begin > limit) throw new Error(`It does not serve in time:\n${this.#output}`);
      await sleep(1);
    }
  }

  async stop(): Promise<void> {
    if (!running.has(this.#child)) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }
}

/** Starts the generated server of a project alone, without the generator. @returns milliseconds until it serves. */
export async function startServer(project: BenchProject): Promise<number> {
  const begin = performance.now();
  const program = new Program(project, project.nodeArguments('start'));
  await program.served();
  const elapsed = performance.now() - begin;
  await program.stop();
  return elapsed;
}

/** Runs `npm run dev` in a project and saves a spec several times, each time with one more field. */
export async function measureSaves(project: BenchProject, rounds: number): Promise<Save[]> {
  const path = project.specs.find((spec) => spec.endsWith('/competitor.yaml')) ?? project.specs[0] ?? '';
  const spec = join(project.root, path);
  const original = readFileSync(spec, 'utf8');
  // Written last.
  const last = join(project.root, 'generated/schema.sql');
  const program = new Program(project, project.nodeArguments('dev'));
  try {
    await program.served();
    const saves: Save[] = [];
    // The first is a warm-up.
    for (let round = 0; round <= rounds; round += 1) {
      await sleep(300);
      program.forget();
      const { mtimeMs } = statSync(last);
      const begin = performance.now();
      writeFileSync(spec, original.replace('fields:\n', `fields:\n  field_${round}:\n`));
      while (statSync(last).mtimeMs === mtimeMs) {
        if (performance.now() - begin > limit) throw new Error('A save was not followed in time.');
        await sleep(1);
      }
      const onDisk = performance.now() - begin;
      await program.served();
      if (round > 0) saves.push({ onDisk, serving: performance.now() - begin });
    }
    return saves;
  } finally {
    await program.stop();
    writeFileSync(spec, original);
  }
}
