import { readGenerated } from './generated-files.ts';
import { LastRun } from './last-run.ts';
import { folders } from '../read/paths.ts';
import { readSpecs } from '../read/spec-files.ts';
import type { Given } from '../../runtime/cli/arguments.ts';
import { exitCodes } from '../../runtime/model/exit-codes.ts';
import { parseFormat, runCommand } from './command.ts';
import { commands } from './descriptions.ts';
import { type Format, hasErrors, type Report, reports } from './report.ts';

/**
 * Brings `generated/` up to date with `spec/`, or with `--check` only reports what is stale. It fails if the spec has
 * errors or something is stale.
 */
async function run({ values }: Given<typeof commands.generate>): Promise<number> {
  const { check } = values;
  const format = parseFormat(commands.generate, values.format, Object.keys(reports) as Format[]);
  const root = process.cwd();
  const specs = readSpecs(root);
  const lastRun = new LastRun(root);
  const last = lastRun.resultFor(specs, readGenerated(root)) as Report | undefined;
  const { report, specs: read } = last ? { report: last, specs } : await generate(root, specs, lastRun, check);
  reports[format](report, read);
  const { written, removed, stale, blocked } = report;
  if (hasErrors(report) || stale.length + blocked.length > 0) return exitCodes.failed;
  if (!check && format === 'text' && written.length + removed.length === 0)
    console.log(`${folders.generated}/ is up to date.`);
  return exitCodes.done;
}

/** Generates, and keeps the result for a next run where there is nothing else to do. */
async function generate(
  root: string,
  given: ReadonlyMap<string, string>,
  lastRun: LastRun,
  check: boolean,
): Promise<{ report: Report; specs: ReadonlyMap<string, string> }> {
  // Loading them takes longer than all that a run without changes does.
  const [{ Generator }, { update, verify }] = await Promise.all([import('../generate.ts'), import('./update.ts')]);
  const generator = new Generator();
  const done = { written: new Set<string>(), removed: new Set<string>() };
  for (let specs = given; ;) {
    const { report, upToDate } = check ? await verify(root, specs, generator) : update(root, specs, generator);
    if (upToDate) lastRun.keep(specs, upToDate, { ...report, written: [], removed: [] });
    for (const path of report.written) done.written.add(path);
    for (const path of report.removed) done.removed.add(path);
    const isWriter = report.written.length + report.removed.length > 0;
    const now = isWriter ? readSpecs(root) : specs;
    // A run that began later may have written before this one, from newer specs.
    if (isSame(specs, now))
      return { report: { ...report, written: [...done.written], removed: [...done.removed] }, specs };
    specs = now;
  }
}

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);

await runCommand(commands.generate, run);
