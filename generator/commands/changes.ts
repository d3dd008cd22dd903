import { isUnaccepted } from '../changes/acceptance.ts';
import { printPage } from '../changes/page.ts';
import { formatWithExcerpt } from '../diagnostic.ts';
import { findBase } from '../git.ts';
import type { Given } from '../../runtime/commands/arguments.ts';
import { parseFormat, runCommand } from './command.ts';
import { commands } from './descriptions.ts';

/**
 * Prints the effects of the spec's changes since a Git revision on the API, the database and the code. Exit code 1 where
 * the spec has errors, or with `--fail-on-breaking` where a break is not accepted; 2 where the arguments are not valid
 * or there is nothing to compare with.
 */
async function run({ values, positionals }: Given<typeof commands.changes>): Promise<number> {
  const format = parseFormat(commands.changes, values.format, ['markdown', 'json']);
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

await runCommand(commands.changes, run);
