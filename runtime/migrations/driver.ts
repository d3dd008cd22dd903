import { CliError } from '../kernel/model/errors.ts';
import type { Feature } from '../kernel/feature.ts';
import type { Table } from '../kernel/model/table.ts';
import { log } from '../observability/log.ts';
import { literal, organizationColumn, quote, rowCounters } from '../kernel/sql/schema.ts';
import { breaksServers, planSchema, stepsFor } from './plan.ts';
import type { ConversionStep, Database, DestructiveChanges, Orphan, RowCheck, SchemaPlan, Step } from './types.ts';
import { noDestructiveChanges } from './requests.ts';
import { addRows } from './singletons.ts';
import { change } from './steps.ts';
import { transact } from './transact.ts';
import { partsOf } from './part.ts';
import { rewriteRows } from './rewrites.ts';
import { countByParent, rebuildCounter } from './counters.ts';
import { createRowCounters } from './own-tables.ts';

interface MigrateOptions {
  readonly requested?: DestructiveChanges;
  /** Executes all steps. Otherwise none is executed unless all of them are additions. */
  readonly incompatible: boolean;
  /** Called after each step. */
  readonly onStep?: (step: Step) => void;
  /** Called with each note of the plan, if all of its steps were executed. */
  readonly onNote?: (note: string) => void;
}

/** Plans the migration of a database to the tables; changes nothing. */
export async function planMigration(
  features: readonly Feature[],
  database: Database,
  tables: readonly Table[],
  requested?: DestructiveChanges,
): Promise<SchemaPlan> {
  const parts = await partsOf(features);
  const { actual, dialect } = await database.readSchema(parts.find(({ cluster }) => cluster)?.cluster);
  return planSchema(features, parts, tables, actual, dialect, requested);
}

/**
 * Migrates a database to the tables, and inserts the record of each singleton. Several processes may do so concurrently.
 *
 * @returns the steps that were not executed, because `incompatible` does not allow them
 * @throws CliError if data would be lost, or rows do not match the spec: then nothing is changed. The errors of the database
 */
export async function migrateSchema(
  features: readonly Feature[],
  database: Database,
  tables: readonly Table[],
  { requested = noDestructiveChanges, incompatible, onStep = () => {}, onNote = () => {} }: MigrateOptions,
): Promise<readonly Step[]> {
  const done: Step[] = [];
  let notes: readonly string[] = [];
  const run = (isExclusive: boolean): Promise<readonly Step[]> =>
    database.attempt(async () => {
      const plan = await planMigration(features, database, tables, requested);
      // A later plan finds that requests are done.
      if (done.length === 0) refuse('Nothing was changed:', plan.errors);
      refuse('The schema does not match the spec. Nothing was changed:', plan.blockers);
      const steps = stepsFor(incompatible, plan.steps);
      if (!isExclusive && breaksServers(steps)) return steps;
      await requireRows(database, steps);
      const reports = await findReports(database, steps);
      for (const step of steps) {
        await execute(database, step);
        done.push(step);
        if (!database.isAtomic) onStep(step);
      }
      await addRows(features, database, tables);
      notes = [...plan.notes, ...reports];
      return [];
    }, isExclusive);
  let remaining = await run(false);
  if (remaining.length > 0 && incompatible) remaining = await run(true);
  if (database.isAtomic) done.forEach(onStep);
  notes.forEach(onNote);
  return remaining;
}

async function execute(database: Database, step: Step): Promise<void> {
  if (step.kind === 'conversion') {
    await convert(database, step);
    return;
  }
  if (step.kind === 'rewrite') await rewriteRows(database, step.rewrite);
  if (step.kind === 'index' && step.lateCheck) await requireLate(database, step.lateCheck);
  if (step.statements.length > 0) await database.apply(step);
}

async function convert(database: Database, { effect, rewrite, lateCheck, statements }: ConversionStep): Promise<void> {
  const [addColumn = '', ...others] = statements;
  await database.apply(change(effect, ...others), async (run) => {
    // Values that other programs store meanwhile would be lost with the former column.
    await database.lockTable(rewrite.table.name, 'access exclusive');
    await run(addColumn);
    await rewriteRows(database, rewrite);
    await requireLate(database, lateCheck);
  });
}

/** Migrates a database at the start of a server, and logs that. See `migrateSchema`. */
export async function migrateAtStart(
  features: readonly Feature[],
  database: Database,
  tables: readonly Table[],
  incompatible: boolean,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const onStep = (step: Step): void => void steps.push(step);
  const remaining = await migrateSchema(features, database, tables, {
    incompatible,
    onStep,
    onNote: (note) => log.warn(note),
  });
  if (steps.length > 0) {
    // That a new database has got its schema is no news.
    const isNew = steps.some(({ statements }) => statements.includes(createRowCounters));
    const count = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
    log[isNew ? 'debug' : 'info'](`The schema was ${isNew ? 'created' : 'migrated'}: ${count}.`);
    for (const { statements } of steps) log.debug(statements.join(';\n'));
  }
  return remaining;
}

/** @throws CliError with the reasons, if there are any */
function refuse(title: string, reasons: readonly string[]): void {
  if (reasons.length > 0) throw new CliError([title, ...reasons].join('\n  '));
}

const mismatch = 'The rows do not match the spec.';

const requireRows = async (database: Database, steps: readonly Step[]): Promise<void> =>
  refuse(`${mismatch} Nothing was changed:`, await findProblems(database, steps));

/** The steps before were executed: on SQLite, they are undone. */
const requireLate = async (database: Database, check: RowCheck): Promise<void> =>
  refuse(database.isAtomic ? `${mismatch} Nothing was changed:` : mismatch, await check(database));

/** Describes the rows that keep the steps from being executed. Reads the rows of the tables that the steps name. */
export async function findProblems(database: Database, steps: readonly Step[]): Promise<string[]> {
  // A field has an index for each direction, with the same check.
  const problems = new Set<string>();
  for (const { check } of steps) for (const problem of (await check?.(database)) ?? []) problems.add(problem);
  return [...problems];
}

/** Describes the rows that steps leave as they are, and that could not be written so. */
export async function findReports(database: Database, steps: readonly Step[]): Promise<string[]> {
  const reports: string[] = [];
  for (const step of steps) if ('report' in step) reports.push(...((await step.report?.(database)) ?? []));
  return reports;
}

/**
 * Prepares a database whose schema is current: checks that required columns are filled, notes it, and adds singletons.
 *
 * @throws CliError if rows have no value for a required field
 */
export async function prepareRows(
  features: readonly Feature[],
  database: Database,
  tables: readonly Table[],
  steps: readonly Step[],
): Promise<void> {
  const notes = steps.filter(({ need }) => need === 'start');
  await requireRows(database, notes);
  for (const report of await findReports(database, notes)) log.warn(report);
  for (const note of notes) await execute(database, note);
  await addRows(features, database, tables);
}

/** Counts the rows of an orphaned table, or those with a value in an orphaned column. */
export async function countRows(database: Database, { column, actualTable }: Orphan): Promise<number> {
  const counted = column === undefined ? '*' : quote(column);
  const [[count] = []] = await database.query(`select count(${counted}) from ${quote(actualTable)}`);
  return Number(count);
}

/** Rebuilds the row counters of tables, which are as in the database. @returns the tables whose counters were wrong */
export async function recount(database: Database, tables: readonly Table[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const table of tables) {
    if (table.kind === 'singleton') continue;
    if (await transact(database, () => recountTable(database, table))) wrong.push(table.name);
  }
  return wrong;
}

/** Rebuilds the row counters of a table if they are wrong. @returns whether they were */
async function recountTable(database: Database, table: Table): Promise<boolean> {
  await database.lockTable(table.name);
  const organization = quote(organizationColumn);
  const differences = await database.query(
    `select 1 from (${countByParent(table)} union all select ${organization}, "parent", -"count" ` +
      `from ${quote(rowCounters)} where "table" = ${literal(table.name)}) as _counted ` +
      `group by ${organization}, "parent" having sum("count") <> 0 limit 1`,
  );
  if (differences.length === 0) return false;
  for (const statement of rebuildCounter(table)) await database.query(statement);
  return true;
}
