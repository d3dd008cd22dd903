import { parseArgs } from 'node:util';
import { generate } from '../generate.ts';
import { explainStaleness } from '../staleness.ts';
import { compareGenerated, readSpecs, writeGenerated } from '../tree.ts';
import { type Format, hasErrors, nothingDone, type Outcome, reports } from './report.ts';

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
  const outcome = bringUpToDate(root, specs, check);
  reports[format](outcome, specs);
  const { written, removed, stale, blocked } = outcome;
  if (hasErrors(outcome) || stale.length + blocked.length > 0) return 1;
  if (!check && format === 'text' && written.length + removed.length === 0) console.log('generated/ is up to date.');
  return 0;
}

function bringUpToDate(root: string, specs: ReadonlyMap<string, string>, check: boolean): Outcome {
  const { files, problems } = generate(specs);
  if (hasErrors({ problems })) return { ...nothingDone, problems };
  const difference = compareGenerated(root, files);
  const foreign = difference.foreign.map((path) => `generated/${path}`);
  const blocked = difference.blocked.map((path) => `generated/${path}`);
  if (blocked.length > 0) return { ...nothingDone, problems, foreign, blocked };
  if (check) return { ...nothingDone, problems, foreign, stale: explainStaleness(root, files, difference) };
  return { ...nothingDone, problems, foreign, ...writeGenerated(root, files, difference) };
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
