import { join } from 'node:path';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { Generator } from '../generate.ts';
import { sourceOf } from '../emit/header.ts';
import { folders, generatedFile } from '../read/paths.ts';
import { type Difference } from './generated-files.ts';
import { readIfExists } from '../read/files.ts';

/** A generated file that differs from what the spec gives. */
export interface StaleFile {
  /** Path in the project, like `generated/crm/lead.schema.ts`. */
  readonly path: string;
  /** The spec file that it comes from, or `spec/` where it comes from all of them. */
  readonly source: string;
  readonly cause: 'edited' | 'missing' | 'not generated again' | 'left by an interrupted run';
  /** A unified diff from the file as it is to the file as the spec gives it. */
  readonly diff: string;
}

/**
 * Explains every changed or stale file, and every folder of an interrupted run. A file that an older spec gives was not generated again; any other was edited, or
 * printed by another version of the generator.
 *
 * @param olderSpecs earlier versions of the spec, newest first; read only as far as needed
 */
export function explainDrift(
  root: string,
  files: ReadonlyMap<string, string>,
  { changed, stale, staging }: Pick<Difference, 'changed' | 'stale' | 'staging'>,
  olderSpecs: Iterable<ReadonlyMap<string, string>>,
): StaleFile[] {
  const paths = [...changed, ...stale];
  const present = new Map(paths.map((path) => [path, readIfExists(join(root, generatedFile(path)))]));
  const older = givenByOlder(olderSpecs, present);
  const drifted = paths.map((path): StaleFile => {
    const content = present.get(path);
    const name = generatedFile(path);
    return {
      path: name,
      source: sourceOf(files.get(path) ?? content ?? '') ?? `${folders.spec}/`,
      cause: content === undefined ? 'missing' : older.has(path) ? 'not generated again' : 'edited',
      diff: createTwoFilesPatch(
        name,
        files.has(path) ? name : '/dev/null',
        content ?? '',
        files.get(path) ?? '',
        'as it is',
        'as the spec gives it',
        { headerOptions: FILE_HEADERS_ONLY },
      ),
    };
  });
  const left = { source: `${folders.spec}/`, cause: 'left by an interrupted run', diff: '' } as const;
  return [...drifted, ...staging.map((path) => ({ path: generatedFile(path), ...left }))];
}

/** Paths of the files that an older spec gives. */
function givenByOlder(
  olderSpecs: Iterable<ReadonlyMap<string, string>>,
  present: ReadonlyMap<string, string | undefined>,
): ReadonlySet<string> {
  const open = new Map([...present].filter(([, content]) => content !== undefined));
  const found = new Set<string>();
  if (open.size === 0) return found;
  const generator = new Generator();
  for (const specs of olderSpecs) {
    const { files } = generator.generate(specs);
    for (const [path, content] of open) if (files.get(path) === content) found.add(path);
    if (found.size === open.size) break;
  }
  return found;
}
