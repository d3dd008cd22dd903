import { databaseSettings } from '../commands/database-setting.ts';
import { CliError } from '../kernel/model/errors.ts';
import { exitCodes } from '../kernel/model/exit-codes.ts';
import { countRows, findProblems, findReports, migrateSchema, planMigration, recount } from '../migrations/driver.ts';
import type { Cluster, Database, DestructiveChanges, Effect, Orphan, Step } from '../migrations/types.ts';
import { describeOrphan, orphanName } from '../migrations/plan.ts';
import { partsOf } from '../migrations/part.ts';
import { command } from '../migrations/requests.ts';
import { rewriteAgain } from '../migrations/rewrites.ts';
import type { CommandContext, Feature } from '../kernel/feature.ts';
import type { Table } from '../kernel/model/table.ts';
import { parseArguments } from '../commands/arguments.ts';
import { withDatabase } from '../commands/with-database.ts';

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
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { values } = parseArguments({ help, options }, args);
  const given: Arguments = { ...values, drop: values.drop ?? [], convert: values.convert ?? [] };
  if (given.distribute && context.settings(databaseSettings).DATABASE_URL.kind === 'sqlite') {
    throw new CliError(
      '--distribute needs a PostgreSQL with the extension Citus, and DATABASE_URL names an SQLite file.',
    );
  }
  await withDatabase(context, given.plan ? 'read' : 'create', (database) =>
    (given.plan ? printPlan : migrate)(context.features.list, database, context.service.tables, given),
  );
}

async function printPlan(
  features: readonly Feature[],
  database: Database,
  tables: readonly Table[],
  given: Arguments,
): Promise<void> {
  const { steps, blockers, errors, orphaned, notes } = await planMigration(features, database, tables, given);
  const reasons = [...errors, ...blockers, ...(await findProblems(database, steps))];
  const cluster = await clusterOf(features, given);
  const all = [...steps, ...((await cluster?.planDistribution(features, database, tables)) ?? [])];
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

async function migrate(
  features: readonly Feature[],
  database: Database,
  tables: readonly Table[],
  given: Arguments,
): Promise<void> {
  const print = stepPrinter();
  let done = 0;
  const onStep = (step: Step): void => {
    if (done++ === 0) console.log('Done:');
    print(step);
  };
  // Refused before anything is done.
  const cluster = await clusterOf(features, given);
  await cluster?.planDistribution(features, database, tables);
  await migrateSchema(features, database, tables, {
    requested: given,
    incompatible: true,
    onStep,
    onNote: (note) => console.error(note),
  });
  for (const step of (await cluster?.planDistribution(features, database, tables)) ?? []) {
    await database.attempt(() => database.apply(step));
    onStep(step);
  }
  if (given.recount) {
    const wrong = await recount(database, tables);
    console.log(
      `The row counters were rebuilt. ${wrong.length === 0 ? 'None was wrong.' : `Wrong were those of ${wrong.join(', ')}.`}`,
    );
    const parts = await partsOf(features);
    const rewrites = parts.flatMap((part) => part.rewrites?.(tables, features) ?? []);
    await rewriteAgain(database, tables, rewrites, ({ description }, changed) => {
      if (changed > 0) console.log(`${description} Changed: ${changed}.`);
    });
  }
  console.log(`${done === 0 && !given.recount ? 'Nothing to do. ' : ''}The schema matches the spec.`);
}

/** @throws CliError if no feature knows clusters */
async function clusterOf(features: readonly Feature[], given: Arguments): Promise<Cluster | undefined> {
  if (!given.distribute) return undefined;
  const part = (await partsOf(features)).find(({ cluster }) => cluster);
  if (!part) throw new CliError('--distribute: this server has no feature for clusters.');
  return part.cluster;
}

const headings: Readonly<Record<Effect, string>> = {
  addition: 'Compatible with servers of another version:',
  incompatible: 'Incompatible with servers of another version; stop them first:',
  destructive: 'Destructive, as requested; stop servers that still use it first:',
};

/** Prints steps, under headings that say what they mean for servers of another version. */
function stepPrinter(): (step: Step) => void {
  let last: Effect | undefined;
  return (step) => {
    if (step.effect !== last) console.log(`\n-- ${headings[step.effect]}`);
    last = step.effect;
    if ('rewrite' in step) console.log(`-- ${step.rewrite.description}`);
    for (const statement of step.statements) console.log(`${statement};`);
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
