import { isDeepStrictEqual } from 'node:util';
import { folders } from '../read/paths.ts';
import { readSpecs } from '../read/spec-files.ts';
import type { Given } from '../../runtime/commands/arguments.ts';
import { exitCodes } from '../../runtime/kernel/model/exit-codes.ts';
import { parseFormat, runCommand } from './command.ts';
import { compareGenerated, type GeneratedTree, readGenerated } from './generated-files.ts';
import { LastRun } from './last-run.ts';
import { type Format, hasErrors, type Report, reports } from './report.ts';

const command = {
  help: `Brings the generated code up to date with the spec.

Usage: npm run generate -- [options]

Options:
  --check                    writes nothing, and fails if something is not up to date
  --format text|json|github  of the report; github: annotations of a pull request (default: text)
  --help, -h                 prints this

Examples:
  npm run generate             writes what has changed
  npm run generate -- --check  fails if something has
`,
  options: { check: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } },
} as const;

/**
 * Brings `generated/` up to date with `spec/`, or with `--check` only reports what is stale. It fails if the spec has
 * errors or something is stale.
 */
async function run({ values }: Given<typeof command>): Promise<number> {
  const { check } = values;
  const format = parseFormat(command.help, values.format, Object.keys(reports) as Format[]);
  const { report, specs } = await follow(process.cwd(), check);
  reports[format](report, specs);
  const { written, removed, stale, blocked } = report;
  if (hasErrors(report) || stale.length + blocked.length > 0) return exitCodes.failed;
  if (!check && format === 'text' && written.length + removed.length === 0)
    console.log(`${folders.generated}/ is up to date.`);
  return exitCodes.done;
}

async function follow(root: string, check: boolean): Promise<{ report: Report; specs: ReadonlyMap<string, string> }> {
  const [written, removed] = [new Set<string>(), new Set<string>()];
  const lastRun = new LastRun(root);
  let specs = readSpecs(root);
  const last = lastRun.reportFor(specs, readGenerated(root));
  if (last) return { report: last, specs };
  // Loading them takes longer than all that a run without changes does.
  const [{ generate }, { update, verify }] = await Promise.all([import('../generate.ts'), import('./update.ts')]);
  for (;;) {
    const generated = await generate(specs);
    const report = (check ? verify : update)(root, generated);
    for (const path of report.written) written.add(path);
    for (const path of report.removed) removed.add(path);
    const isWriter = report.written.length + report.removed.length > 0;
    const now = isWriter ? readSpecs(root) : specs;
    // A run that began later may have written before this one, from newer specs.
    if (isDeepStrictEqual(specs, now)) {
      const tree = readGenerated(root);
      if (isUpToDate(report, tree, generated.files)) lastRun.keep(specs, tree, { ...report, written: [], removed: [] });
      return { report: { ...report, written: [...written], removed: [...removed] }, specs };
    }
    specs = now;
  }
}

/** Whether nothing is left to do. Another run may have written after this one. */
function isUpToDate(report: Report, tree: GeneratedTree, files: ReadonlyMap<string, string>): boolean {
  if (hasErrors(report)) return false;
  const { changed, stale, blocked, staging, empty } = compareGenerated(tree, files);
  return [changed, stale, blocked, staging, empty].every(({ length }) => length === 0);
}

await runCommand(command, run);
