/** Runs commands in this process, one after the other, as `Commands` asks for them. */
import { chdir } from 'node:process';
import { pathToFileURL } from 'node:url';

import type { Job } from './commands.ts';

let runs = 0;

async function run({ command, args, folder }: Job): Promise<void> {
  chdir(folder);
  process.argv = [process.execPath, command, ...args];
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
    await import(`${pathToFileURL(command).href}?run=${(runs += 1)}`);
  } catch (error) {
    process.exitCode = 1;
    written.stderr += `${(error as Error).stack}\n`;
  } finally {
    for (const name of ['stdout', 'stderr'] as const) process[name].write = writers[name];
  }
  process.send?.({ code: process.exitCode, ...written });
}

process.on('message', (job: Job) => void run(job));
