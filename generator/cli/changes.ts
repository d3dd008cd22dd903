import { isUnaccepted } from '../changes/acceptance.ts';
import { printPage } from '../changes/page.ts';
import { formatWithExcerpt } from '../read/diagnostic.ts';
import { findBase } from '../read/git.ts';
import type { Given } from '../../runtime/cli/arguments.ts';
import { exitCodes } from '../../runtime/model/exit-codes.ts';
import { parseFormat, runCommand } from './command.ts';
import { commands } from './descriptions.ts';

/**
 * Prints the effects of the spec's changes since a Git revision on the API, the database and the code.
 * It fails if the spec has errors, there is nothing to compare with, or, with `--fail-on-breaking`, a break is not accepted.
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
    return exitCodes.failed;
  }
  const { changes } = comparison;
  process.stdout.write(format === 'json' ? printJson(changes) : printPage(changes));
  return values['fail-on-breaking'] && changes.api.some(isUnaccepted) ? exitCodes.failed : exitCodes.done;
}

await runCommand(commands.changes, run);
