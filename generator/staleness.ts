import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { BaseError, readBaseSpecs, specHistory } from './changes/base.ts';
import { headerStart } from './emit/header.ts';
import { Generator } from './generate.ts';
import type { Difference } from './tree.ts';

/** A generated file that is not what the spec gives. */
export interface StaleFile {
  /** Path in the project, like `generated/crm/lead.schema.ts`. */
  readonly path: string;
  /** The spec file that it comes from, or `spec/` where it comes from all of them. */
  readonly source: string;
  /** How it came about: somebody edited it, or deleted it, or did not run the generator after an edit of the spec. */
  readonly cause: 'edited' | 'missing' | 'not generated again';
  /** A unified diff from what is there to what belongs there. */
  readonly diff: string;
}

/** How many edits of the spec are looked back for one that gave the file as it is. */
const edits = 10;

/**
 * Says of every changed or stale file what is wrong with it. A file that an older spec of the Git history gives was
 * not generated again; one that none of them gives was edited, or printed by another version of the generator.
 */
export function explainStaleness(
  root: string,
  files: ReadonlyMap<string, string>,
  { changed, stale }: Difference,
): StaleFile[] {
  const paths = [...changed, ...stale];
  const present = new Map(paths.map((path) => [path, readIfThere(join(root, 'generated', path))]));
  const older = olderTexts(root, paths, present);
  return paths.map((path) => {
    const text = present.get(path);
    const wanted = files.get(path) ?? '';
    const name = `generated/${path}`;
    const to = files.has(path) ? name : '/dev/null';
    return {
      path: name,
      source: sourceOf(files.get(path) ?? text ?? ''),
      cause: text === undefined ? 'missing' : older.has(path) ? 'not generated again' : 'edited',
      diff: createTwoFilesPatch(name, to, text ?? '', wanted, 'as it is', 'as the spec gives it', {
        headerOptions: FILE_HEADERS_ONLY,
      }),
    };
  });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Paths of files whose text an older spec gives. */
function olderTexts(
  root: string,
  paths: readonly string[],
  present: ReadonlyMap<string, string | undefined>,
): ReadonlySet<string> {
  const found = new Set<string>();
  const generator = new Generator();
  try {
    for (const base of specHistory(root, edits)) {
      if (paths.every((path) => found.has(path) || present.get(path) === undefined)) break;
      const { files } = generator.generate(readBaseSpecs(root, base));
      for (const path of paths) if (files.has(path) && files.get(path) === present.get(path)) found.add(path);
    }
  } catch (error) {
    // Without Git there is no history to tell from.
    if (!(error instanceof BaseError)) throw error;
  }
  return found;
}

function sourceOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return line.startsWith(headerStart) ? `spec/${line.slice(headerStart.length).split('. ')[0]}` : 'spec/';
}
