import { parseArgs } from 'node:util';
import { Generator } from '../generate.ts';
import { readSpecs } from '../tree.ts';
import { type Format, hasErrors, reports } from './report.ts';
import { update } from './update.ts';

const usage = 'Usage: npm run generate [-- [--check] [--format text|json|github]]';

interface Options {
  readonly check: boolean;
  readonly format: Format;
}

/**
 * Brings `generated/` up to date with `spec/`, or with `--check` only says whether it is. Exit code 1 where the spec
 * is wrong or the check fails, 2 where the arguments are not understood.
 */
function run({ check, format }: Options): number {
  const root = process.cwd();
  const specs = readSpecs(root);
  const report = update(root, specs, new Generator(), { check });
  reports[format](report, specs);
  const { written, removed, stale, blocked } = report;
  if (hasErrors(report) || stale.length + blocked.length > 0) return 1;
  if (!check && format === 'text' && written.length + removed.length === 0) console.log('generated/ is up to date.');
  return 0;
}

function readOptions(): Options | undefined {
  try {
    const { values } = parseArgs({
      options: { check: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } },
    });
    const { check, format } = values;
    if (!Object.hasOwn(reports, format)) throw new Error(`There is no format ${JSON.stringify(format)}.`);
    return { check, format: format as Format };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    return undefined;
  }
}

const options = readOptions();
process.exitCode = options ? run(options) : 2;
