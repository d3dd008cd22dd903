import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { compare } from '../read/diagnostic.ts';
import { hasRestOfHeader, sourceOf } from '../emit/header.ts';
import { folders, generatedFile } from '../read/paths.ts';
import { describeSystemError, isSystemError } from '../read/system-error.ts';

/** The contents of `generated/`, by path in it. */
export interface GeneratedTree {
  readonly files: ReadonlyMap<string, string>;
  /** Folders without any file in them or below, and what is neither a file nor a folder. */
  readonly rest: readonly string[];
  /** Folders of runs that were interrupted, or go on beside this one. */
  readonly staging: readonly string[];
}

/** The differences between `generated/` and the files that a spec gives, as paths in it. */
export interface Difference {
  /** Files to be written, because they are missing or differ. */
  readonly changed: readonly string[];
  /** Files with the header of generated ones that the spec no longer gives. */
  readonly stale: readonly string[];
  /** Files of others, which stay. */
  readonly foreign: readonly string[];
  /** Other entries where generated files belong: nothing can be written until they are moved. */
  readonly blocked: readonly string[];
  /** Folders that interrupted runs have left. */
  readonly staging: readonly string[];
  /** Folders without any file. */
  readonly empty: readonly string[];
}

/**
 * Each run writes its files in a folder whose name begins so first, so that an interrupted one leaves nothing half written. A
 * start is refused while there is one: see `prepare-node.cjs`.
 */
const stagingPrefix = '.writing-';

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Runs an access to a file or folder; `missing` is the result where it is gone, as where another run has removed it. */
function orMissing<T, M>(path: string, access: () => T, missing: M): T | M {
  try {
    return access();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return missing;
    throw accessError(path, error);
  }
}

/** The error of the file system for users; any other error is returned as it is. */
const accessError = (path: string, error: unknown): unknown =>
  isSystemError(error)
    ? new CliError(`${generatedFile(path).replace(/\/$/, '')}: ${describeSystemError(error)}.`, { cause: error })
    : error;

/**
 * Reads `generated/`; it is empty where there is none.
 *
 * @throws CliError with the path of what cannot be read
 */
export function readGenerated(root: string): GeneratedTree {
  const top = join(root, folders.generated);
  const files = new Map<string, string>();
  const rest: string[] = [];
  const staging: string[] = [];
  const visit = (folder: string): void => {
    const entries = orMissing(folder, () => readdirSync(join(top, folder), { withFileTypes: true }), []);
    if (entries.length === 0 && folder !== '') rest.push(`${folder}/`);
    for (const entry of entries.toSorted((a, b) => compare(a.name, b.name))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (folder === '' && entry.isDirectory() && entry.name.startsWith(stagingPrefix)) {
        staging.push(path);
      } else if (entry.isDirectory()) {
        visit(path);
      } else if (entry.isFile()) {
        const content = orMissing(path, () => readFileSync(join(top, path), 'utf8'), undefined);
        if (content !== undefined) files.set(path, content);
      } else {
        rest.push(path);
      }
    }
  };
  visit('');
  return { files, rest, staging };
}

/** Compares the contents of `generated/` with the files that belong there. */
export function compareGenerated(tree: GeneratedTree, files: ReadonlyMap<string, string>): Difference {
  const { files: present, rest, staging } = tree;
  // JSON has no comments, and so no header; of a file that is empty, as after a power failure, nothing can be lost.
  const isRepairable = (path: string, content: string): boolean =>
    path.endsWith('.json') || content === '' || hasRestOfHeader(content);
  const isGenerated = (path: string, content: string): boolean =>
    sourceOf(content) !== undefined || (files.has(path) && isRepairable(path, content));
  const changed = [...files].flatMap(([path, content]) => (present.get(path) === content ? [] : [path]));
  const otherFiles = [...present].filter(([path]) => !files.has(path));
  const foreign = otherFiles.filter(([path, content]) => !isGenerated(path, content));
  const parents = new Set([...present.keys(), ...rest].flatMap(foldersOf));
  const isBlocked = (path: string): boolean => {
    const content = present.get(path);
    return content === undefined ? parents.has(path) || rest.includes(path) : !isGenerated(path, content);
  };
  const blockedFolders = [...new Set([...files.keys()].flatMap(foldersOf))].filter(
    (path) => present.has(path) || rest.includes(path),
  );
  const empty = rest.filter((path) => path.endsWith('/'));
  return {
    changed: changed.toSorted(compare),
    stale: otherFiles.filter(([path, content]) => isGenerated(path, content)).map(([path]) => path),
    foreign: foreign.map(([path]) => path),
    blocked: [...blockedFolders, ...changed.filter(isBlocked)].toSorted(compare),
    staging,
    empty,
  };
}

/** The folders that a path is in, the outermost first; for a path that ends with a slash also itself. */
const foldersOf = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

/**
 * Writes the changed files, each atomically, then removes the stale ones, what interrupted runs have left, and folders
 * without files. Other runs may do the same at the same time. From the first file to the last, also if it fails or is
 * killed in between, there is a staging folder: a start is refused.
 *
 * @returns the paths in the project of what was written and removed
 * @throws CliError with the path of what cannot be written or removed
 */
export function writeGenerated(
  root: string,
  files: ReadonlyMap<string, string>,
  { changed, stale, staging, empty }: Pick<Difference, 'changed' | 'stale' | 'staging' | 'empty'>,
): { written: string[]; removed: string[] } {
  const folder = join(root, folders.generated);
  // No process id in the name: runs in containers may have the same one.
  const stagingFolder = join(folder, stagingPrefix + randomBytes(4).toString('hex'));
  for (const path of changed) write(folder, stagingFolder, path, files.get(path) ?? '');
  rmSync(stagingFolder, { recursive: true, force: true });
  for (const path of staging) remove(folder, path);
  for (const path of stale) {
    remove(folder, path);
    removeEmpty(folder, posix.dirname(path));
  }
  for (const path of empty) removeEmpty(folder, path.slice(0, -1));
  return { written: changed.map(generatedFile), removed: [...staging, ...stale].map(generatedFile) };
}

/** Writes a file first in a staging folder and from there, whole, to its place. */
function write(folder: string, staging: string, path: string, content: string, attempt = 1): void {
  const [target, staged] = [join(folder, path), join(staging, 'file')];
  try {
    mkdirSync(staging, { recursive: true });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(staged, content);
    renameSync(staged, target);
  } catch (error) {
    // Another run takes the staging folder for that of an interrupted one, and removes folders that are empty: at most
    // once each, when it begins and when it ends.
    if (codeOf(error) !== 'ENOENT' || attempt === 100) throw accessError(path, error);
    write(folder, staging, path, content, attempt + 1);
  }
}

function remove(folder: string, path: string): void {
  try {
    rmSync(join(folder, path), { recursive: true, force: true });
  } catch (error) {
    // The run that it belongs to goes on, and has written another file in it.
    if (codeOf(error) !== 'ENOTEMPTY') throw accessError(path, error);
  }
}

function removeEmpty(folder: string, path: string): void {
  for (let at = path; at !== '.'; at = posix.dirname(at)) {
    try {
      rmdirSync(join(folder, at));
    } catch (error) {
      // Another run has removed it.
      if (codeOf(error) !== 'ENOENT') return;
    }
  }
}
