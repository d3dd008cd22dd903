import { join } from 'node:path';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { sourceOf } from '../emit/header.ts';
import type { Generated } from '../generate.ts';
import { readIfExists } from '../read/files.ts';
import { folders, generatedFile } from '../read/paths.ts';
import { compareGenerated, type Difference, readGenerated, writeGenerated } from './generated-files.ts';
import { hasErrors, nothingDone, type Report, type StaleFile } from './report.ts';

/**
 * Writes into `generated/` what differs from the files that the specs give. Nothing is written where the specs have errors or a file of
 * others has the name of a generated one.
 *
 * @throws CliError with the path of what cannot be read or written
 */
export function update(root: string, generated: Generated): Report {
  const { report, difference } = compare(root, generated);
  return difference ? { ...report, ...writeGenerated(root, generated.files, difference) } : report;
}

/**
 * Reports what `update` would write and remove.
 *
 * @throws CliError with the path of what cannot be read
 */
export function verify(root: string, generated: Generated): Report {
  const { report, difference } = compare(root, generated);
  return difference ? { ...report, stale: staleFiles(root, generated.files, difference) } : report;
}

/** Compares the files with `generated/` unless the specs have errors, or something blocks writing there. */
function compare(root: string, { files, diagnostics }: Generated): { report: Report; difference?: Difference } {
  if (hasErrors({ diagnostics })) return { report: { ...nothingDone, diagnostics } };
  const difference = compareGenerated(readGenerated(root), files);
  const [foreign, blocked] = [difference.foreign.map(generatedFile), difference.blocked.map(generatedFile)];
  const report = { ...nothingDone, diagnostics, foreign, blocked };
  return blocked.length > 0 ? { report } : { report, difference };
}

/** Every file that differs from what the spec gives, and every folder of an interrupted run. */
function staleFiles(
  root: string,
  files: ReadonlyMap<string, string>,
  { changed, stale, staging }: Difference,
): StaleFile[] {
  const differing = [...changed, ...stale].map((path): StaleFile => {
    const name = generatedFile(path);
    const content = readIfExists(join(root, name));
    const [before, after] = [content ?? '', files.get(path) ?? ''];
    const target = files.has(path) ? name : '/dev/null';
    return {
      path: name,
      source: sourceOf(after || before) ?? `${folders.spec}/`,
      cause: content === undefined ? 'missing' : 'differs',
      diff: createTwoFilesPatch(name, target, before, after, 'as it is', 'as the spec gives it', {
        headerOptions: FILE_HEADERS_ONLY,
      }),
    };
  });
  const left = { source: `${folders.spec}/`, cause: 'left by an interrupted run', diff: '' } as const;
  return [...differing, ...staging.map((path) => ({ path: generatedFile(path), ...left }))];
}
