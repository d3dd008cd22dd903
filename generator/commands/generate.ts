import { parseArgs } from 'node:util';
import { generate } from '../generate.ts';
import { compareGenerated, type Difference, readSpecs, writeGenerated } from '../tree.ts';
import { type Format, formats, hasErrors, printChanges, printForeign, printProblems } from './report.ts';

const usage = 'Usage: npm run generate [-- [--check] [--format text|json|github]]';

/**
 * Brings `generated/` up to date with `spec/`, or with `--check` only says whether it is. Exit code 1 where the spec
 * is wrong or the check fails, 2 where the arguments are not understood.
 */
function run(): number {
  const options = readArguments();
  if (!options) return 2;
  const { check, format } = options;
  const root = process.cwd();
  const specs = readSpecs(root);
  const { files, problems } = generate(specs);
  printProblems(problems, specs, format);
  if (hasErrors(problems)) return 1;
  const difference = compareGenerated(root, files);
  if (check) return printCheck(difference);
  writeGenerated(root, files, difference);
  printChanges(files, difference);
  return 0;
}

function printCheck(difference: Difference): number {
  const { changed, stale } = difference;
  printForeign(difference);
  if (changed.length + stale.length === 0) return 0;
  for (const path of changed) console.error(`generated/${path} is not what the spec gives.`);
  for (const path of stale) console.error(`generated/${path} is no longer generated.`);
  console.error('\nRun `npm run generate` and commit what it changes.');
  return 1;
}

function readArguments(): { check: boolean; format: Format } | undefined {
  try {
    const { values } = parseArgs({
      options: { check: { type: 'boolean', default: false }, format: { type: 'string', default: 'text' } },
    });
    const format = formats.find((name) => name === values.format);
    if (format === undefined) throw new Error(`There is no format ${JSON.stringify(values.format)}.`);
    return { check: values.check, format };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    return undefined;
  }
}

process.exitCode = run();
