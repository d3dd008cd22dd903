import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { compare } from './diagnostic.ts';
import { filesUnder } from './files.ts';
import { sourceOf } from './header.ts';
import { generatedFile } from './paths.ts';

/** The differences between `generated/` and the files that a spec gives, as paths in it. */
export interface Difference {
  /** Files to be written, because they are missing or differ. */
  readonly changed: readonly string[];
  /** Files with the header of generated ones that the spec no longer gives. */
  readonly stale: readonly string[];
  /** Files of others, which stay. */
  readonly foreign: readonly string[];
  /** Files of others where generated ones belong: nothing can be written until they are moved. */
  readonly blocked: readonly string[];
}

/** Compares `generated/` with the files that belong there. */
export function compareGenerated(root: string, files: ReadonlyMap<string, string>): Difference {
  const folder = join(root, 'generated');
  const present = new Map(filesUnder(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  // JSON has no comments, and so no header: a file with the name of a generated one is taken for it.
  const isGenerated = (path: string): boolean =>
    sourceOf(present.get(path) ?? '') !== undefined || (files.has(path) && path.endsWith('.json'));
  const changed = [...files].flatMap(([path, content]) => (present.get(path) === content ? [] : [path]));
  const others = [...present.keys()].filter((path) => !files.has(path));
  return {
    changed: changed.toSorted(compare),
    stale: others.filter(isGenerated),
    foreign: others.filter((path) => !isGenerated(path)),
    blocked: changed.filter((path) => present.has(path) && !isGenerated(path)).toSorted(compare),
  };
}

/**
 * Writes the changed files, each atomically, then removes the stale ones and the folders they leave empty.
 *
 * @returns the paths in the project of what was written and removed
 */
export function writeGenerated(
  root: string,
  files: ReadonlyMap<string, string>,
  { changed, stale }: Difference,
): { written: string[]; removed: string[] } {
  const folder = join(root, 'generated');
  for (const path of changed) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    const whole = `${target}.${process.pid}.tmp`;
    writeFileSync(whole, files.get(path) ?? '');
    renameSync(whole, target);
  }
  for (const path of stale) {
    rmSync(join(folder, path));
    removeEmpty(folder, posix.dirname(path));
  }
  return { written: changed.map(generatedFile), removed: stale.map(generatedFile) };
}

function removeEmpty(folder: string, path: string): void {
  for (let at = path; at !== '.'; at = posix.dirname(at)) {
    try {
      rmdirSync(join(folder, at));
    } catch {
      return;
    }
  }
}
