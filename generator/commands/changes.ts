import { parseArgs } from 'node:util';
import { isUnaccepted } from '../changes/acceptance.ts';
import { findBase, GitError } from '../git.ts';
import { printPage } from '../changes/page.ts';
import { formatWithExcerpt } from '../diagnostic.ts';

const usage = 'Usage: npm run changes [-- BASE] [--fail-on-breaking] [--format markdown|json]';

const formats = ['markdown', 'json'] as const;

/**
 * Says what the edit of the spec since a Git revision does to the API, to the database and to the code. Exit code 1
 * where the spec is wrong, or with `--fail-on-breaking` where a break is not accepted; 2 where the arguments are not
 * understood or there is nothing to compare with.
 */
async function run(): Promise<number> {
  const options = readArguments();
  if (!options) return 2;
  const root = process.cwd();
  const base = findBase(root, options.revision);
  // All else takes longer to load than it takes to see that there is no base.
  const { compareWith, printJson } = await import('../changes/comparison.ts');
  const comparison = await compareWith(root, base);
  if ('diagnostics' in comparison) {
    const { diagnostics, specs } = comparison;
    for (const diagnostic of diagnostics)
      console.error(`${formatWithExcerpt(diagnostic, specs.get(diagnostic.file))}\n`);
    return 1;
  }
  const { changes } = comparison;
  process.stdout.write(options.format === 'json' ? printJson(changes) : printPage(changes));
  return options.failOnBreaking && changes.api.some(isUnaccepted) ? 1 : 0;
}

interface Options {
  readonly revision: string | undefined;
  readonly format: (typeof formats)[number];
  readonly failOnBreaking: boolean;
}

function readArguments(): Options | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        'fail-on-breaking': { type: 'boolean', default: false },
        format: { type: 'string', default: 'markdown' },
      },
    });
    const format = formats.find((name) => name === values.format);
    if (format === undefined) throw new Error(`There is no format ${JSON.stringify(values.format)}.`);
    if (positionals.length > 1) throw new Error(`There can be one BASE, not ${positionals.length}.`);
    return { revision: positionals[0], format, failOnBreaking: values['fail-on-breaking'] };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    return undefined;
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof GitError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
