import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { diffLines } from 'diff';
import { compare } from '../read/diagnostic.ts';
import { folders, generatedFile } from '../read/paths.ts';

/** A generated file that an edit of the spec touches, and the numbers of lines that it adds and removes. */
interface FileChange {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

// The exact numbers beyond this many edits mean nothing to a reviewer and take seconds.
const maxEditLength = 2_000;

const lineCount = (content: string): number => (content.match(/[^\n]*\n|[^\n]+$/g) ?? []).length;

/** Counts the lines that an edit adds and removes: all lines, where there are too many edits. */
export function countLines(before: string, after: string): Pick<FileChange, 'added' | 'removed'> {
  const parts = diffLines(before, after, { maxEditLength, ignoreNewlineAtEof: true });
  if (!parts) return { added: lineCount(after), removed: lineCount(before) };
  const sum = (key: 'added' | 'removed'): number =>
    parts.reduce((count, part) => count + (part[key] ? part.count : 0), 0);
  return { added: sum('added'), removed: sum('removed') };
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
      .map((path) => ({ path: generatedFile(path), ...countLines(before.get(path) ?? '', after.get(path) ?? '') }));
  return {
    added: files((path) => !before.has(path)),
    changed: files((path) => before.has(path) && after.has(path)),
    removed: files((path) => !after.has(path)),
    rules: touched
      .filter((path) => path.endsWith('.schema.ts'))
      .map((path) => `${folders.spec}/${path.replace(/\.schema\.ts$/, '.rules.ts')}`)
      .filter((path) => existsSync(join(root, path))),
  };
}
