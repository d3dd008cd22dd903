import { explainDrift } from '../drift.ts';
import type { Generator } from '../generate.ts';
import { specHistory } from '../git.ts';
import { generatedFile } from '../paths.ts';
import { compareGenerated, writeGenerated } from '../generated-files.ts';
import { hasErrors, nothingDone, type Report } from './report.ts';

/** The number of commits that are searched for the one that gave a stale file. */
const edits = 10;

/**
 * Writes into `generated/` what differs from the specs, or with `check` only reports it. Nothing is written where the
 * specs have errors or a file of others has the name of a generated one.
 */
export function update(
  root: string,
  specs: ReadonlyMap<string, string>,
  generator: Generator,
  { check = false } = {},
): Report {
  const { files, diagnostics } = generator.generate(specs);
  if (hasErrors({ diagnostics })) return { ...nothingDone, diagnostics };
  const difference = compareGenerated(root, files);
  const [foreign, blocked] = [difference.foreign.map(generatedFile), difference.blocked.map(generatedFile)];
  const report = { ...nothingDone, diagnostics, foreign, blocked };
  if (blocked.length > 0) return report;
  return check
    ? { ...report, stale: explainDrift(root, files, difference, specHistory(root, edits)) }
    : { ...report, ...writeGenerated(root, files, difference) };
}
