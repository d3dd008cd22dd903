import { Generator } from '../generate.ts';
import { readSpecs } from '../spec-files.ts';
import { parseArguments, parseFormat, runCommand } from './command.ts';
import { type Format, hasErrors, reports } from './report.ts';
import { update } from './update.ts';

const usage = 'Usage: npm run generate [-- [--check] [--format text|json|github]]';

/**
 * Brings `generated/` up to date with `spec/`, or with `--check` only reports what is stale. Exit code 1 where the spec
 * has errors or the check fails, 2 where the arguments are not valid.
 */
function run(): number {
  const { values } = parseArguments(usage, {
    options: { check: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } },
  });
  const { check } = values;
  const format = parseFormat(usage, values.format, Object.keys(reports) as Format[]);
  const root = process.cwd();
  const specs = readSpecs(root);
  const report = update(root, specs, new Generator(), { check });
  reports[format](report, specs);
  const { written, removed, stale, blocked } = report;
  if (hasErrors(report) || stale.length + blocked.length > 0) return 1;
  if (!check && format === 'text' && written.length + removed.length === 0) console.log('generated/ is up to date.');
  return 0;
}

await runCommand(run);
