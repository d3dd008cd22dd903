import { isUnaccepted } from '../changes/acceptance.ts';
import { compareWith, printJson } from '../changes/comparison.ts';
import { printPage } from '../changes/page.ts';
import { formatWithExcerpts } from '../read/diagnostic.ts';
import { findBase } from '../read/git.ts';
import type { Given } from '../../runtime/commands/arguments.ts';
import { exitCodes } from '../../runtime/kernel/model/exit-codes.ts';
import { parseFormat, runCommand } from './command.ts';

const command = {
  help: `Reports what an edit of the spec means for clients and the database.

Usage: npm run changes -- [BASE] [options]

BASE is a revision of Git; without it, the commit where this branch left the main one, or on that branch HEAD.

Options:
  --fail-on-breaking      fails if a change is breaking and not accepted
  --format markdown|json  of the report (default: markdown)
  --help, -h              prints this

Examples:
  npm run changes                               compares with the main branch
  npm run changes -- HEAD~1 --fail-on-breaking  fails if the last commit broke something
`,
  options: { 'fail-on-breaking': { type: 'boolean', default: false }, format: { type: 'string', default: 'markdown' } },
  names: [0, 1],
} as const;

/**
 * Prints the effects of the spec's changes since a Git revision on the API and the database.
 * It fails if the spec has errors, there is nothing to compare with, or, with `--fail-on-breaking`, a break is not accepted.
 */
function run({ values, positionals }: Given<typeof command>): number {
  const format = parseFormat(command.help, values.format, ['markdown', 'json']);
  const root = process.cwd();
  const base = findBase(root, positionals[0]);
  const comparison = compareWith(root, base);
  if ('diagnostics' in comparison) {
    console.error(`${formatWithExcerpts(comparison.diagnostics, comparison.specs).join('\n\n')}\n`);
    return exitCodes.failed;
  }
  const { changes } = comparison;
  process.stdout.write(format === 'json' ? printJson(changes) : printPage(changes));
  return values['fail-on-breaking'] && changes.api.some(isUnaccepted) ? exitCodes.failed : exitCodes.done;
}

await runCommand(command, run);
