import type { Generator } from '../generate.ts';
import {
  compareGenerated,
  type Difference,
  type GeneratedTree,
  readGenerated,
  writeGenerated,
} from './generated-files.ts';
import { generatedFile } from '../read/paths.ts';
import { hasErrors, nothingDone, type Report } from './report.ts';

/** The number of commits that are searched for the one that gave a stale file. */
const edits = 10;

/** The result of a run. */
export interface Outcome {
  readonly report: Report;
  /** The contents of `generated/` where they are what the spec gives now. */
  readonly upToDate?: GeneratedTree;
}

/**
 * Writes into `generated/` what differs from the specs. Nothing is written where the specs have errors or a file of
 * others has the name of a generated one.
 *
 * @throws CliError with the path of what cannot be read or written
 */
export function update(root: string, specs: ReadonlyMap<string, string>, generator: Generator): Outcome {
  const { report, files, difference } = compare(root, specs, generator);
  if (!difference) return { report };
  return { report: { ...report, ...writeGenerated(root, files, difference) }, upToDate: difference.after };
}

/**
 * Reports what `update` would write and remove.
 *
 * @throws CliError with the path of what cannot be read
 */
export async function verify(root: string, specs: ReadonlyMap<string, string>, generator: Generator): Promise<Outcome> {
  const { report, files, difference } = compare(root, specs, generator);
  if (!difference) return { report };
  const { changed, stale, staging, after } = difference;
  if (changed.length + stale.length + staging.length === 0) return { report, upToDate: after };
  // Only needed here, and slow to load.
  const [{ explainDrift }, { specHistory }] = await Promise.all([import('./drift.ts'), import('../read/git.ts')]);
  return { report: { ...report, stale: explainDrift(root, files, difference, specHistory(root, edits)) } };
}

/** Generates the files, and compares them with `generated/` unless something blocks writing there. */
function compare(
  root: string,
  specs: ReadonlyMap<string, string>,
  generator: Generator,
): { report: Report; files: ReadonlyMap<string, string>; difference?: Difference } {
  const { files, diagnostics } = generator.generate(specs);
  if (hasErrors({ diagnostics })) return { report: { ...nothingDone, diagnostics }, files };
  const difference = compareGenerated(readGenerated(root), files);
  const [foreign, blocked] = [difference.foreign.map(generatedFile), difference.blocked.map(generatedFile)];
  const report = { ...nothingDone, diagnostics, foreign, blocked };
  return blocked.length > 0 ? { report, files } : { report, files, difference };
}
