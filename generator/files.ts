import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { compare } from './diagnostic.ts';

const slashes = (path: string): string => path.split(sep).join(posix.sep);

/** The files in a folder and those below, as sorted paths with slashes. */
export function filesUnder(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => slashes(join(entry.parentPath, entry.name).slice(folder.length + 1)))
    .toSorted(compare);
}

/** The content of a file; undefined where there is none. */
export const readIfExists = (file: string): string | undefined =>
  existsSync(file) ? readFileSync(file, 'utf8') : undefined;
