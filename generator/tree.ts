import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, sep } from 'node:path';
import { compare } from './diagnostic.ts';
import { sourceOf } from './header.ts';
import { generatedFile } from './paths.ts';

const slashes = (path: string): string => path.split(sep).join(posix.sep);

function filesUnder(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => slashes(join(entry.parentPath, entry.name).slice(folder.length + 1)))
      .toSorted(compare);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The content of a file; undefined where there is none. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Reads the specs of a project: contents by path, like `spec/crm/lead.yaml`, with the line ends of Unix. Files that are
 * not YAML are not specs.
 */
export function readSpecs(root: string): Map<string, string> {
  const paths = filesUnder(join(root, 'spec')).filter((path) => /\.ya?ml$/.test(path));
  return new Map(
    paths.map((path) => [`spec/${path}`, readFileSync(join(root, 'spec', path), 'utf8').replaceAll('\r\n', '\n')]),
  );
}

/** How a folder of generated files differs from what a spec gives. */
export interface Difference {
  /** Paths of files to be written, because they are missing or differ. */
  readonly changed: readonly string[];
  /** Paths of files whose header says that they are generated, and that no longer are. */
  readonly stale: readonly string[];
  /** Paths of files that somebody else put there; they stay. */
  readonly foreign: readonly string[];
  /** Paths of such files where generated ones belong: nothing can be written until they are out of the way. */
  readonly blocked: readonly string[];
}

/** Compares `generated/` with the files that belong there. */
export function compareGenerated(root: string, files: ReadonlyMap<string, string>): Difference {
  const folder = join(root, 'generated');
  const changed: string[] = [];
  const stale: string[] = [];
  const foreign: string[] = [];
  const present = new Map(filesUnder(folder).map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  // JSON has no comments, and so no header: a file of a name that we give is ours.
  const isOurs = (path: string, content: string): boolean =>
    sourceOf(content) !== undefined || (files.has(path) && path.endsWith('.json'));
  for (const [path, content] of files) if (present.get(path) !== content) changed.push(path);
  for (const [path, content] of present) {
    if (!files.has(path)) (isOurs(path, content) ? stale : foreign).push(path);
  }
  const blocked = changed.filter((path) => present.has(path) && !isOurs(path, present.get(path) ?? ''));
  return { changed: changed.toSorted(compare), stale, foreign, blocked: blocked.toSorted(compare) };
}

/**
 * Writes the changed files, each at once and whole, then removes the stale ones and the folders they leave empty.
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
