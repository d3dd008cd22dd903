import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../diagnostic.ts';
import { countLines, type LineCount } from './lines.ts';

/** A generated file that an edit of the spec touches. */
export interface FileChange extends LineCount {
  readonly path: string;
}

/** The effects of an edit on code. */
export interface CodeChanges {
  readonly added: readonly FileChange[];
  readonly changed: readonly FileChange[];
  readonly removed: readonly FileChange[];
  /** Hand-written rules whose resource has other types now, or is gone. */
  readonly rules: readonly string[];
}

/**
 * Compares the files that two specs generate.
 *
 * @param root the project, where rules stand beside the specs
 */
export function codeChanges(
  root: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): CodeChanges {
  const touched = [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .toSorted(compare);
  const files = (isIn: (path: string) => boolean): FileChange[] =>
    touched
      .filter(isIn)
      .map((path) => ({ path: `generated/${path}`, ...countLines(before.get(path) ?? '', after.get(path) ?? '') }));
  return {
    added: files((path) => !before.has(path)),
    changed: files((path) => before.has(path) && after.has(path)),
    removed: files((path) => !after.has(path)),
    rules: touched
      .filter((path) => path.endsWith('.schema.ts'))
      .map((path) => `spec/${path.replace(/\.schema\.ts$/, '.rules.ts')}`)
      .filter((path) => existsSync(join(root, path))),
  };
}
