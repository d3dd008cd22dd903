import { explainDrift } from '../drift.ts';
import { generate, type Generated, type Generator } from '../generate.ts';
import { specHistory } from '../git.ts';
import { generatedFile } from '../paths.ts';
import { compareGenerated, type Difference, writeGenerated } from '../tree.ts';
import { hasErrors, nothingDone, type Report } from './report.ts';

type Specs = ReadonlyMap<string, string>;

/** How many edits of the spec are searched for the one that gave a stale file. */
const edits = 10;

/** Writes what differs from the specs into `generated/`, unless they have errors or a file of others is in the way. */
export const update = (root: string, specs: Specs, generator: Generator): Report =>
  compared(root, generator.generate(specs), ({ files }, difference) => writeGenerated(root, files, difference));

/** Says what `update` would write, and why. */
export const checkGenerated = (root: string, specs: Specs): Report =>
  compared(root, generate(specs), ({ files }, difference) => ({
    stale: explainDrift(root, files, difference, specHistory(root, edits)),
  }));

function compared(
  root: string,
  generated: Generated,
  act: (generated: Generated, difference: Difference) => Partial<Report>,
): Report {
  const { files, diagnostics } = generated;
  if (hasErrors(generated)) return { ...nothingDone, diagnostics };
  const difference = compareGenerated(root, files);
  const [foreign, blocked] = [difference.foreign.map(generatedFile), difference.blocked.map(generatedFile)];
  const report = { ...nothingDone, diagnostics, foreign, blocked };
  return blocked.length > 0 ? report : { ...report, ...act(generated, difference) };
}
