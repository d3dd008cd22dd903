import { isUnaccepted } from '../changes/acceptance.ts';
import { printPage } from '../changes/page.ts';
import { formatWithExcerpt } from '../diagnostic.ts';
import { findBase } from '../git.ts';
import { parseArguments, parseFormat, runCommand, UsageError } from './command.ts';

const usage = 'Usage: npm run changes [-- BASE] [--fail-on-breaking] [--format markdown|json]';

/**
 * Prints the effects of the spec's changes since a Git revision on the API, the database and the code. Exit code 1 where
 * the spec has errors, or with `--fail-on-breaking` where a break is not accepted; 2 where the arguments are not valid
 * or there is nothing to compare with.
 */
async function run(): Promise<number> {
  const { values, positionals } = parseArguments(usage, {
    allowPositionals: true,
    options: {
      'fail-on-breaking': { type: 'boolean', default: false },
      format: { type: 'string', default: 'markdown' },
    },
  });
  const format = parseFormat(usage, values.format, ['markdown', 'json']);
  if (positionals.length > 1) throw new UsageError(`There can be one BASE, not ${positionals.length}.\n${usage}`);
  const root = process.cwd();
  const base = findBase(root, positionals[0]);
  // The import takes longer than the search for a base, which may find none.
  const { compareWith, printJson } = await import('../changes/comparison.ts');
  const comparison = await compareWith(root, base);
  if ('diagnostics' in comparison) {
    const { diagnostics, specs } = comparison;
    for (const diagnostic of diagnostics)
      console.error(`${formatWithExcerpt(diagnostic, specs.get(diagnostic.file))}\n`);
    return 1;
  }
  const { changes } = comparison;
  process.stdout.write(format === 'json' ? printJson(changes) : printPage(changes));
  return values['fail-on-breaking'] && changes.api.some(isUnaccepted) ? 1 : 0;
}

await runCommand(run);
