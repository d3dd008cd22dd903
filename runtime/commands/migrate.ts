import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { CliError } from '../errors.ts';
import type { Service } from '../service.ts';
import type { Migration, Preview } from '../migrate/migration.ts';
import { openMigration } from '../migrate/open.ts';
import { command, describeKept, type Kept, type DestructiveChanges, type Step } from '../migrate/plan.ts';

interface Arguments {
  readonly planOnly: boolean;
  readonly recount: boolean;
  readonly orders: DestructiveChanges;
}

/** The exit code of `--plan` where something is to be done; 0 says that nothing is, 1 that something is refused. */
const somethingToDo = 2;

/**
 * Brings the database to the spec, renames and what is ordered by name included, and prints what it did. `--plan` prints
 * what it would do and changes nothing.
 *
 * @throws CliError when something of it cannot be done.
 */
export async function migrate(service: Service, args: readonly string[]): Promise<void> {
  const { planOnly, recount, orders } = readArguments(args);
  const migration = await openMigration(readConfig(process.env), service.tables);
  try {
    if (planOnly) await plan(migration, orders, recount);
    else await run(migration, orders, recount);
  } finally {
    await migration.close();
  }
}

function readArguments(args: readonly string[]): Arguments {
  const names = { type: 'string', multiple: true, default: [] as string[] } as const;
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { plan: flag, recount: flag, drop: names, convert: names },
    });
    const { drop, convert } = values;
    return { planOnly: values.plan, recount: values.recount, orders: { drop, convert } };
  } catch (error) {
    throw new CliError(
      `${(error as Error).message.split('. ')[0]}. It is: npm run migrate -- [--plan] [--recount] ` +
        '[--drop TABLE | --drop TABLE.COLUMN]… [--convert TABLE.COLUMN]…',
    );
  }
}

async function plan(migration: Migration, orders: DestructiveChanges, recount: boolean): Promise<void> {
  const preview = await migration.plan(orders);
  const { steps, refusals, mistakes, kept } = preview.plan;
  const notes = [...preview.notes, ...(recount ? ['All rows are counted anew.'] : [])];
  const isRefused = mistakes.length + refusals.length > 0;
  if (isRefused) printList('This cannot be done, and so nothing would be:', [...mistakes, ...refusals]);
  if (steps.length + notes.length > 0) console.log(isRefused ? '\nWithout that:' : 'This would be done:');
  for (const sentence of notes) console.log(`\n-- ${sentence}`);
  printSteps(steps);
  await printKept(migration, kept);
  if (isRefused) process.exitCode = 1;
  else if (steps.length + notes.length > 0) process.exitCode = somethingToDo;
  else console.log('The database fits the spec: nothing is to be done.');
}

async function run(migration: Migration, orders: DestructiveChanges, recount: boolean): Promise<void> {
  const print = stepPrinter();
  let done = 0;
  const preview: Preview = await migration.run(orders, (step) => {
    if (done++ === 0) console.log('Done:');
    print(step);
  });
  for (const sentence of preview.notes) console.log(sentence);
  if (recount) {
    const wrong = await migration.recount();
    console.log(
      `All rows are counted anew; ${wrong.length === 0 ? 'no number was wrong' : `wrong was ${wrong.join(', ')}`}.`,
    );
  }
  if (done + preview.notes.length === 0 && !recount) console.log('Nothing was to be done.');
  console.log('The database fits the spec.');
}

const headings: Readonly<Record<Step['kind'], string>> = {
  addition: 'Servers of another version do not notice:',
  exclusive: 'Servers of another version fail on it; stop them first:',
  order: 'As ordered; stop servers that still use it first:',
};

/** Prints steps, each kind under its heading. */
function stepPrinter(): (step: Step) => void {
  let last: Step['kind'] | undefined;
  return ({ kind, statements }) => {
    if (kind !== last) console.log(`\n-- ${headings[kind]}`);
    last = kind;
    for (const statement of statements) console.log(`${statement};`);
  };
}

const printSteps = (steps: readonly Step[]): void => steps.forEach(stepPrinter());

async function printKept(migration: Migration, kept: readonly Kept[]): Promise<void> {
  const sentences: string[] = [];
  for (const one of kept) {
    const name = one.column === undefined ? one.table : `${one.table}.${one.column}`;
    const rows = await migration.rowsOf(one);
    sentences.push(
      `${describeKept(one)} In ${rows} ${rows === 1 ? 'row' : 'rows'}; to lose them: ${command('drop', name)}`,
    );
  }
  printList('\nThis stays, although the spec does not have it:', sentences);
}

function printList(title: string, items: readonly string[]): void {
  if (items.length > 0) console.log(`${title}${items.map((item) => `\n  ${item}`).join('')}`);
}
