import { type Diagnostic, formatForGitHub, formatWithExcerpts, isError } from '../read/diagnostic.ts';
import { folders } from '../read/paths.ts';

/** A generated file that differs from what the spec gives. */
export interface StaleFile {
  /** Path in the project, like `generated/crm/lead.schema.ts`. */
  readonly path: string;
  /** The spec file that it comes from, or `spec/` where it comes from all of them. */
  readonly source: string;
  readonly cause: 'differs' | 'missing' | 'left by an interrupted run';
  /** A unified diff from the file as it is to the file as the spec gives it. */
  readonly diff: string;
}

/** The result of a run of the generator; paths begin with `generated/`. */
export interface Report {
  readonly diagnostics: readonly Diagnostic[];
  /** Under `--check`, the files that differ from what the spec gives. */
  readonly stale: readonly StaleFile[];
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** Files of others in `generated/`, which are left alone. */
  readonly foreign: readonly string[];
  /** Files of others where generated ones belong. */
  readonly blocked: readonly string[];
}

export const nothingDone: Report = { diagnostics: [], stale: [], written: [], removed: [], foreign: [], blocked: [] };

export const hasErrors = ({ diagnostics }: Pick<Report, 'diagnostics'>): boolean => diagnostics.some(isError);

const counted = (count: number, noun: string): string =>
  count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;

const causes: Readonly<Record<StaleFile['cause'], (source: string) => string>> = {
  missing: () => 'is missing',
  'left by an interrupted run': () => 'was left by a run that was interrupted',
  differs: (source) => `was edited by hand, or was not generated again after an edit of ${source}`,
};

const staleMessage = ({ path, source, cause }: StaleFile): string => `${path} ${causes[cause](source)}.`;

const todo = 'Run `npm run generate` and commit the result.';

function printText(
  { diagnostics, stale, written, removed, foreign, blocked }: Report,
  specs: ReadonlyMap<string, string>,
): void {
  if (diagnostics.length > 0) {
    // At once: a write for each of many would take longer than the check.
    console.error(`${formatWithExcerpts(diagnostics, specs).join('\n\n')}\n`);
    const errors = diagnostics.filter(isError).length;
    const counts = [counted(errors, 'error'), counted(diagnostics.length - errors, 'warning')].filter(Boolean);
    console.error(`${counts.join(' and ')} in ${folders.spec}/${errors > 0 ? '; nothing was written' : ''}.`);
  }
  for (const path of foreign)
    if (!blocked.includes(path)) console.error(`${path} was not generated and is left alone.`);
  for (const path of blocked) {
    console.error(`${path} was not generated and stands where generated code belongs; move it. Nothing was written.`);
  }
  for (const file of stale) console.error(`${staleMessage(file)}\n${file.diff}`);
  if (stale.length > 0) console.error(todo);
  for (const path of written) console.log(`wrote    ${path}`);
  for (const path of removed) console.log(`removed  ${path}`);
}

function printAnnotations({ diagnostics, stale }: Report): void {
  for (const diagnostic of diagnostics) console.log(formatForGitHub(diagnostic));
  for (const file of stale) {
    const message = `${staleMessage(file)} ${todo}`;
    console.log(formatForGitHub({ file: file.path, line: 1, column: 1, endColumn: 1, severity: 'error', message }));
  }
}

/**
 * The formats of a report: text for people, with diagnostics on standard error; JSON for programs; GitHub's workflow
 * commands for pull requests.
 */
export const reports = {
  text: printText,
  json: (report: Report) => console.log(JSON.stringify(report, undefined, 2)),
  github: printAnnotations,
} as const;

export type Format = keyof typeof reports;
