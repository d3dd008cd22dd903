import { formatForGitHub, formatWithExcerpt, type Problem } from '../problem.ts';
import type { Difference } from '../tree.ts';

/** How problems are told: to a person, to a program, or to a pull request on GitHub. */
export const formats = ['text', 'json', 'github'] as const;
export type Format = (typeof formats)[number];

/**
 * Tells what is wrong with a spec: text to standard error; JSON and GitHub's workflow commands to standard output,
 * where they are read.
 */
export function printProblems(
  problems: readonly Problem[],
  specs: ReadonlyMap<string, string>,
  format: Format = 'text',
): void {
  if (format === 'json') console.log(JSON.stringify(problems, undefined, 2));
  if (format === 'github') for (const problem of problems) console.log(formatForGitHub(problem));
  if (format !== 'text' || problems.length === 0) return;
  for (const problem of problems) console.error(`${formatWithExcerpt(problem, specs.get(problem.file))}\n`);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const counts = [counted(errors, 'error'), counted(warnings, 'warning')].filter((text) => text !== '').join(' and ');
  console.error(`${counts} in spec/${errors > 0 ? '; nothing was written' : ''}.`);
}

const counted = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;

export const hasErrors = (problems: readonly Problem[]): boolean =>
  problems.some(({ severity }) => severity === 'error');

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
