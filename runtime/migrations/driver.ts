import { CliError } from '../model/errors.ts';
import type { Value } from '../model/fields.ts';
import { newId } from '../model/ids.ts';
import { absentValue, shownValues, type Table } from '../model/table.ts';
import { log } from '../observability/log.ts';
import { countByParent, literal, quote, rebuildCounter } from '../sql/schema.ts';
import { createRowCounters, organizationColumn, organizations, rowCounters } from '../sql/helper-tables.ts';
import { breaksServers, planSchema, stepsFor } from './plan.ts';
import type { Database, DestructiveChanges, Orphan, SchemaPlan, Step } from './types.ts';
import { noDestructiveChanges } from './requests.ts';
import { rowsPerSlice } from './limits.ts';
import { computedOf } from './computed.ts';
import { transact } from './transact.ts';
import { addHookRows, replaceHookFilters } from './webhook-rows.ts';
import { rewriteRows } from './rewrites.ts';

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
  database: Database,
  tables: readonly Table[],
  requested?: DestructiveChanges,
): Promise<SchemaPlan> {
  const { actual, dialect } = await database.readSchema();
  return planSchema(tables, actual, dialect, requested);
}

/**
 * Migrates a database to the tables, and inserts the record of each singleton. Several processes may do so concurrently.
 *
 * @returns the steps that were not executed, because `incompatible` does not allow them
 * @throws CliError if data would be lost, or rows do not match the spec: then nothing is changed. The errors of the database
 */
export async function migrateSchema(
  database: Database,
  tables: readonly Table[],
  { requested = noDestructiveChanges, incompatible, onStep = () => {}, onNote = () => {} }: MigrateOptions,
): Promise<readonly Step[]> {
  const done: Step[] = [];
  let notes: readonly string[] = [];
  const run = (isExclusive: boolean): Promise<readonly Step[]> =>
    database.attempt(async () => {
      const plan = await planMigration(database, tables, requested);
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
      await addRows(database, tables);
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
  const { rewrite, isLate, statements } = step;
  const prepare = async (): Promise<void> => {
    if (rewrite) await rewriteRows(database, rewrite);
    if (isLate) await requireRows(database, [step], true);
  };
  if (rewrite?.converted) {
    const [addColumn = '', ...others] = statements;
    await database.apply({ ...step, statements: others }, async (run) => {
      // Values that other programs store meanwhile would be lost with the former column.
      await database.lockTable(rewrite.table.name, 'access exclusive');
      await run(addColumn);
      await prepare();
    });
  } else {
    await prepare();
    if (statements.length > 0) await database.apply(step);
  }
}

/** Migrates a database at the start of a server, and logs that. See `migrateSchema`. */
export async function migrateAtStart(
  database: Database,
  tables: readonly Table[],
  incompatible: boolean,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const onStep = (step: Step): void => void steps.push(step);
  const remaining = await migrateSchema(database, tables, { incompatible, onStep, onNote: (note) => log.warn(note) });
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

const requireRows = async (database: Database, steps: readonly Step[], isLate = false): Promise<void> => {
  const isPartly = isLate && !database.isAtomic;
  const title = `The rows do not match the spec.${isPartly ? '' : ' Nothing was changed:'}`;
  refuse(title, await findProblems(database, steps, isLate));
};

/**
 * Describes the rows that keep the steps from being executed. Reads the rows of the tables that the steps name.
 *
 * @param isLate whether the steps before were executed, which a late check needs
 */
export async function findProblems(database: Database, steps: readonly Step[], isLate = false): Promise<string[]> {
  // A field has an index for each direction, with the same check.
  const problems = new Set<string>();
  for (const step of steps) {
    if (!step.check || (step.isLate && !isLate)) continue;
    for (const problem of await step.check(database)) problems.add(problem);
  }
  return [...problems];
}

/** Describes the rows that steps leave as they are, and that could not be written so. */
export async function findReports(database: Database, steps: readonly Step[]): Promise<string[]> {
  const reports: string[] = [];
  for (const { report } of steps) reports.push(...((await report?.(database)) ?? []));
  return reports;
}

/**
 * Prepares a database whose schema is current: checks that required columns are filled, notes it, and adds singletons.
 *
 * @throws CliError if rows have no value for a required field
 */
export async function prepareRows(database: Database, tables: readonly Table[], steps: readonly Step[]): Promise<void> {
  const notes = steps.filter(({ isNote }) => isNote);
  await requireRows(database, notes);
  for (const report of await findReports(database, notes)) log.warn(report);
  for (const note of notes) {
    if (note.rewrite) await rewriteRows(database, note.rewrite);
    await database.apply(note);
  }
  await addRows(database, tables);
}

/** Adds the rows that organizations lack. */
const addRows = (database: Database, tables: readonly Table[]): Promise<void> =>
  database.whenComplete(async (complete) => {
    await addSingletons(complete, tables);
    await addHookRows(complete, tables);
    await replaceHookFilters(complete, tables);
  });

/** Inserts the records of singletons that organizations lack. If several processes try, one succeeds. */
async function addSingletons(database: Database, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    if (table.kind !== 'singleton') continue;
    const lacking = await database.query(
      `select "id" from ${quote(organizations)} where "deleted_at" is null ` +
        `except select ${quote(organizationColumn)} from ${quote(table.name)}`,
    );
    const statements = lacking.map(([organization]) => insertSingleton(database, tables, table, Number(organization)));
    for (let from = 0; from < statements.length; from += rowsPerSlice) {
      await database.apply({ kind: 'addition', statements: statements.slice(from, from + rowsPerSlice) });
    }
  }
}

/** A statement that inserts the record of a singleton if the organization has none. */
export function insertSingleton(
  database: Database,
  tables: readonly Table[],
  table: Table,
  organization: number,
): string {
  const { name, columns } = table;
  const { id, time } = newId(name);
  const given: Readonly<Record<string, Value>> = { id, created_at: time, updated_at: time };
  const all = Object.fromEntries(
    columns.map((column) => [column.name, given[column.name] ?? absentValue(column, time)]),
  );
  const complete = { ...all, ...computedOf(database, tables, table, shownValues(table, all), time) };
  const values = columns.map((column) => database.dialect.values.literal(column, complete[column.name] ?? null));
  return (
    `insert into ${quote(name)} (${[organizationColumn, ...columns.map((column) => column.name)].map(quote).join(', ')}) ` +
    `select ${[organization, ...values].join(', ')} where not exists ` +
    `(select 1 from ${quote(name)} where ${quote(organizationColumn)} = ${organization})`
  );
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
