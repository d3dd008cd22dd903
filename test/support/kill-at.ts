/**
 * Loaded before a command: kills it at the change of the file system that KILL_AT counts, from 1. A file that is being written
 * then is half written. The file CHANGES gets the number of changes of a command that comes to its end.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const killAt = Number(process.env['KILL_AT']);
const changesFile = process.env['CHANGES'];
const changing = ['mkdirSync', 'mkdtempSync', 'writeFileSync', 'renameSync', 'rmSync', 'rmdirSync'] as const;
const { writeFileSync } = fs;
let changes = 0;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal takes a moment.
  for (;;);
}

const patched = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
for (const name of changing) {
  const original = patched[name] as (...args: unknown[]) => unknown;
  patched[name] = (...args) => {
    changes += 1;
    if (changes !== killAt) return original(...args);
    if (name === 'writeFileSync') {
      const [file, content] = args as [string, string];
      writeFileSync(file, content.slice(0, content.length / 2));
    }
    return die();
  };
}
syncBuiltinESMExports();
process.once('exit', () => changesFile !== undefined && writeFileSync(changesFile, String(changes)));
