import { type Dirent, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { entriesUnder } from '../read/files.ts';
import { isSystemError } from '../read/system-error.ts';

/** Milliseconds between two looks at the folder: to look at a thousand files takes 2 of them. */
const interval = 100;

/**
 * Calls `onChange` after every change in a folder and those below. It looks again and again: the watchers of Node miss files
 * of folders that are replaced, and fail where one disappears while it is read.
 */
export function watchFolder(folder: string, onChange: () => void): void {
  let last = stateOf(folder);
  setInterval(() => {
    const now = stateOf(folder);
    if (now === last) return;
    last = now;
    onChange();
  }, interval);
}

/** A text that differs after a change; empty where the folder cannot be read. */
function stateOf(folder: string): string {
  try {
    return entriesUnder(folder).map(stateOfEntry).join('\n');
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return '';
  }
}

function stateOfEntry({ parentPath, name }: Dirent): string {
  const path = join(parentPath, name);
  const { ino, ctimeMs, size } = lstatSync(path);
  return `${path} ${ino} ${ctimeMs} ${size}`;
}
