import { readSettings } from '../server/settings.ts';
import { CliError } from '../model/errors.ts';
import { exitCodes } from '../model/exit-codes.ts';
import { distribute, planDistribution } from '../migrations/distribute.ts';
import { computedRewrites } from '../migrations/computed.ts';
import { countRows, findProblems, findReports, migrateSchema, planMigration, recount } from '../migrations/driver.ts';
import type { Database, DestructiveChanges, Orphan, Rewrite, Step } from '../migrations/types.ts';
import { transact } from '../migrations/transact.ts';
import { describeOrphan, orphanName } from '../migrations/plan.ts';
import { command } from '../migrations/conversions.ts';
import {
  describeRewrite,
  foldedRewrite,
  namesRewrite,
  rewriteRows,
  rewriteTogether,
  searchRewrite,
} from '../migrations/rewrites.ts';
import type { Table } from '../model/table.ts';
import type { Service } from '../api/service.ts';
import { parseArguments } from './arguments.ts';
import { withDatabase } from './with-database.ts';

export const help = `Migrates the database to the spec, with renames and the destructive changes that are requested, and
prints the steps.

Usage: npm run migrate -- [options]

Options:
  --plan                  prints what would be done, and changes nothing; the exit code is 3 if there is
                          something to do
  --recount               rebuilds the row counters and computed fields
  --distribute            distributes the tables among the nodes of Citus
  --drop TABLE[.COLUMN]   deletes a table or a column that the spec does not have any more, with its
                          data; can be given several times
  --convert TABLE.COLUMN  converts the values of a column to the type that the spec gives it now; can be
                          given several times
  --help, -h              prints this

Examples:
  npm run migrate -- --plan           shows the steps
  npm run migrate                     does them
  npm run migrate -- --drop lead.fax  does them, and deletes the column fax of lead
`;

const flag = { type: 'boolean', default: false } as const;
const names = { type: 'string', multiple: true } as const;
const options = { plan: flag, recount: flag, distribute: flag, drop: names, convert: names };

type Arguments = DestructiveChanges & Readonly<Record<'plan' | 'recount' | 'distribute', boolean>>;

/**
 * Migrates the database to the spec, with renames and the destructive changes that are requested, and prints the steps.
 * `--plan` prints what it would do and changes nothing.
 *
 * @throws CliError when something of it cannot be done.
 */
export async function run(service: Service, args: readonly string[]): Promise<void> {
  const { values } = parseArguments({ help, options }, args);
  const given: Arguments = { ...values, drop: values.drop ?? [], convert: values.convert ?? [] };
  if (given.distribute && readSettings(process.env).DATABASE_URL.kind === 'sqlite') {
    throw new CliError(
      '--distribute needs a PostgreSQL with the extension Citus, and DATABASE_URL names an SQLite file.',
    );
  }
  await withDatabase(service, given.plan ? 'read' : 'create', (database) =>
    (given.plan ? printPlan : migrate)(database, service.tables, given),
  );
}

async function printPlan(database: Database, tables: readonly Table[], given: Arguments): Promise<void> {
  const { steps, blockers, errors, orphaned, notes } = await planMigration(database, tables, given);
  const reasons = [...errors, ...blockers, ...(await findProblems(database, steps))];
  const all = [...steps, ...(await distribution(database, tables, given))];
  const isNeeded = all.length > 0 || given.recount;
  printList('The migration is blocked, and would change nothing:', reasons);
  if (isNeeded) console.log(reasons.length > 0 ? '\nSteps without that:' : 'Steps of the migration:');
  if (given.recount)
    console.log('\n-- The row counters, computed fields, and the words that searches find, are rebuilt.');
  all.forEach(stepPrinter());
  await printOrphaned(database, orphaned);
  printList('\nNotes:', [...notes, ...(await findReports(database, steps))]);
  if (reasons.length > 0) process.exitCode = exitCodes.failed;
  else if (isNeeded) process.exitCode = exitCodes.somethingToDo;
  else console.log('Nothing to do. The schema matches the spec.');
}

async function migrate(database: Database, tables: readonly Table[], given: Arguments): Promise<void> {
  const print = stepPrinter();
  let done = 0;
  const onStep = (step: Step): void => {
    if (done++ === 0) console.log('Done:');
    print(step);
  };
  // Refused before anything is done.
  await distribution(database, tables, given);
  await migrateSchema(database, tables, {
    requested: given,
    incompatible: true,
    onStep,
    onNote: (note) => console.error(note),
  });
  if (given.distribute) await distribute(database, tables, onStep);
  if (given.recount) {
    const wrong = await recount(database, tables);
    console.log(
      `The row counters were rebuilt. ${wrong.length === 0 ? 'None was wrong.' : `Wrong were those of ${wrong.join(', ')}.`}`,
    );
    const printChanged = (rewrite: Rewrite, changed = 0): void => {
      if (changed > 0) console.log(`${describeRewrite(rewrite)} Changed: ${changed}.`);
    };
    for (const rewrite of computedRewrites(tables))
      printChanged(rewrite, await rewriteRows(database, rewrite, transact));
    for (const table of tables) {
      // The names are last: words and folded texts are made of the values that were read.
      const rewrites = [searchRewrite(table), foldedRewrite(table), namesRewrite(table)];
      const changed = await rewriteTogether(database, table, rewrites);
      rewrites.forEach((rewrite, at) => printChanged(rewrite, changed[at]));
    }
  }
  console.log(`${done === 0 && !given.recount ? 'Nothing to do. ' : ''}The schema matches the spec.`);
}

const distribution = (database: Database, tables: readonly Table[], given: Arguments): Promise<Step[]> =>
  given.distribute ? planDistribution(database, tables) : Promise.resolve([]);

const headings: Readonly<Record<Step['kind'], string>> = {
  addition: 'Compatible with servers of another version:',
  incompatible: 'Incompatible with servers of another version; stop them first:',
  destructive: 'Destructive, as requested; stop servers that still use it first:',
};

/** Prints steps, each kind under its heading. */
function stepPrinter(): (step: Step) => void {
  let last: Step['kind'] | undefined;
  return ({ kind, statements, rewrite }) => {
    if (kind !== last) console.log(`\n-- ${headings[kind]}`);
    last = kind;
    if (rewrite) console.log(`-- ${describeRewrite(rewrite)}`);
    for (const statement of statements) console.log(`${statement};`);
  };
}

async function printOrphaned(database: Database, orphaned: readonly Orphan[]): Promise<void> {
  const sentences: string[] = [];
  for (const orphan of orphaned) {
    const name = orphanName(orphan);
    const rows = await countRows(database, orphan);
    const drop = `to drop them: ${command('drop', name)}`;
    const advice = orphan.note === undefined ? drop : 'see the notes before you drop them.';
    sentences.push(`${describeOrphan(orphan)} ${rows} ${rows === 1 ? 'row' : 'rows'}; ${advice}`);
  }
  printList('\nOrphaned data, which the spec does not have and the database keeps:', sentences);
}

function printList(title: string, items: readonly string[]): void {
  if (items.length > 0) console.log(`${title}${items.map((item) => `\n  ${item}`).join('')}`);
}
