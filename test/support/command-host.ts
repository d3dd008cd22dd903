/** Runs commands in this process, one after the other, as `Commands` asks for them. */
import { chdir } from 'node:process';
import { pathToFileURL } from 'node:url';

import { stopSignals } from '../../runtime/commands/stop.ts';
import type { Job } from './commands.ts';

let runs = 0;

async function run({ program, args, folder, env }: Job): Promise<void> {
  chdir(folder);
  if (env) process.env = { ...env };
  process.argv = [process.execPath, program, ...args];
  process.exitCode = 0;
  const written = { stdout: '', stderr: '' };
  const writers = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array): boolean => {
      written[name] += String(text);
      return true;
    };
  }
  try {
    // Under another name each time: it runs anew, while what it imports is there.
    await import(`${pathToFileURL(program).href}?run=${(runs += 1)}`);
  } catch (error) {
    process.exitCode = 1;
    written.stderr += `${(error as Error).stack}\n`;
  } finally {
    for (const name of ['stdout', 'stderr'] as const) process[name].write = writers[name];
    for (const signal of stopSignals) process.removeAllListeners(signal);
  }
  process.send?.({ code: process.exitCode, ...written });
}

// A command that fails ends a process that has a channel to another one.
process.exit = ((code = process.exitCode) => (process.exitCode = code)) as typeof process.exit;

process.on('message', (job: Job) => void run(job));
