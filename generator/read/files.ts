import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

/** A path of this platform with slashes. */
export const slashes = (path: string): string => path.split(sep).join(posix.sep);

/** Everything in a folder and in those below, unsorted. Links are not followed, which `recursive` of Node does. */
export function entriesUnder(folder: string): Dirent[] {
  const entries: Dirent[] = [];
  for (const open = [folder]; open.length > 0;) {
    for (const entry of readdirSync(open.pop() ?? folder, { withFileTypes: true })) {
      entries.push(entry);
      if (entry.isDirectory()) open.push(join(entry.parentPath, entry.name));
    }
  }
  return entries;
}

/** The content of a file; undefined where there is none. */
export const readIfExists = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined;
