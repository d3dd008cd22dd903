import { formatProblem, type Problem } from '../problem.ts';
import type { Difference } from '../tree.ts';

/** Tells what is wrong with a spec. */
export function printProblems(problems: readonly Problem[]): void {
  for (const problem of problems) console.error(formatProblem(problem));
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  console.error(`\n${count} in spec/; nothing was written.`);
}

/** Names files of others in `generated/`, which stay. */
export function printForeign({ foreign }: Difference): void {
  for (const path of foreign) console.error(`generated/${path} was not generated and is left alone.`);
}

/** Tells which files were written and removed. */
export function printChanges(files: ReadonlyMap<string, string>, difference: Difference): void {
  const { changed, stale } = difference;
  printForeign(difference);
  for (const path of changed) console.log(`wrote    generated/${path}`);
  for (const path of stale) console.log(`removed  generated/${path}`);
  console.log(`${files.size} files, ${changed.length} written, ${stale.length} removed.`);
}
