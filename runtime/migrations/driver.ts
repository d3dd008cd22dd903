import { CliError } from '../model/errors.ts';
import { newId } from '../model/ids.ts';
import { log } from '../observability/log.ts';
import type { Value } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import { type Counted, createRowCounters, literal, organizationColumn, organizations, quote } from '../sql/schema.ts';
import type { WordStorage } from '../sql/search.ts';
import { findLateRenames } from './late-renames.ts';
import {
  breaksServers,
  type DestructiveChanges,
  type MigrationDialect,
  noDestructiveChanges,
  type Orphan,
  planSchema,
  type SchemaPlan,
  type Step,
  stepsFor,
} from './plan.ts';
import { type ActualSchema, countedTables } from './schema.ts';
import { backfillSearch } from './words.ts';

/** A connection that reads and changes a database's schema. */
export interface Database {
  /** Whether the steps of an attempt are one transaction. */
  readonly isAtomic: boolean;
  /** How it stores the words of a row. */
  readonly words: WordStorage;
  /** Runs a statement. @returns its rows, each an array of values */
  query(sql: string): Promise<unknown[][]>;
  readSchema(): Promise<{ actual: ActualSchema; dialect: MigrationDialect }>;
  /**
   * Runs `work`, which plans and executes steps. Repeats it after conflicts with other connections.
   *
   * @param isExclusive while no other connection exists, if the engine can ensure that
   */
  attempt<T>(work: () => Promise<T>, isExclusive?: boolean): Promise<T>;
  /** Executes the statements of a step, all or none, in isolation from other connections. */
  apply(step: Step): Promise<void>;
  /** Rebuilds the row counters of a table. @returns whether they were wrong */
  recount(table: Counted): Promise<boolean>;
}

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
  const lateRenames = await findLateRenames(tables, actual, (sql) => database.query(sql));
  return planSchema(tables, actual, dialect, requested, lateRenames);
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
  let pending = requested;
  let notes: readonly string[] = [];
  const run = (isExclusive: boolean): Promise<readonly Step[]> =>
    database.attempt(async () => {
      const plan = await planMigration(database, tables, pending);
      requireUnblocked(plan);
      const steps = stepsFor(incompatible, plan.steps);
      if (!isExclusive && breaksServers(steps)) return steps;
      refuseRows([...(await findUnfilled(database, steps)), ...(await findTooLong(database, steps))]);
      await requireConvertible(database, steps);
      for (const step of steps) {
        if (step.statements.length > 0) await database.apply(step);
        if (step.fills) await backfillSearch(database, step.fills);
        const isPending = (name: string): boolean => name !== step.request;
        pending = { drop: pending.drop.filter(isPending), convert: pending.convert.filter(isPending) };
        if (database.isAtomic) done.push(step);
        else onStep(step);
      }
      await addSingletons(database, tables);
      notes = plan.notes;
      return [];
    }, isExclusive);
  let remaining = await run(false);
  if (remaining.length > 0 && incompatible) remaining = await run(true);
  done.forEach(onStep);
  notes.forEach(onNote);
  return remaining;
}

/** Logs what the migration at a start has done. That a new database has got its schema is no news. */
export function logSteps(steps: readonly Step[]): void {
  if (steps.length === 0) return;
  const isNew = steps.some(({ statements }) => statements.includes(createRowCounters));
  const count = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`;
  log[isNew ? 'debug' : 'info'](`The schema was ${isNew ? 'created' : 'migrated'}: ${count}.`);
  for (const { statements } of steps) log.debug(statements.join(';\n'));
}

/** @throws CliError if no step may be executed */
function requireUnblocked({ blockers, errors }: SchemaPlan): void {
  if (errors.length > 0) throw new CliError(['Nothing was changed:', ...errors].join('\n  '));
  if (blockers.length > 0) {
    throw new CliError(['The schema does not match the spec. Nothing was changed:', ...blockers].join('\n  '));
  }
}

/** @throws CliError if a conversion would lose values */
async function requireConvertible(database: Database, steps: readonly Step[]): Promise<void> {
  for (const { conversion } of steps) {
    if (!conversion) continue;
    const { table, column, from, countLost } = conversion;
    const [[count, id] = []] = await database.query(countLost);
    if (Number(count) === 0) continue;
    throw new CliError(
      `Column ${quote(column.name)} of table ${quote(table)} stays ${from}: ${String(count)} of its values would not ` +
        `survive a conversion to ${column.type} and back, for example that of ${String(id)}. Nothing was changed.`,
    );
  }
}

/** Describes each required field that rows have no value for. Reads the rows of the tables that the steps name. */
export async function findUnfilled(database: Database, steps: readonly Step[]): Promise<string[]> {
  const found: string[] = [];
  for (const { mustBeFilled } of steps) {
    if (!mustBeFilled) continue;
    const { table, columns, countNulls } = mustBeFilled;
    const [counts = []] = await database.query(countNulls);
    for (const [index, column] of columns.entries()) {
      const rows = Number(counts[index]);
      if (rows === 0) continue;
      found.push(
        `The field ${column} of ${table} is required, and ${rows} ${rows === 1 ? 'row has' : 'rows have'} no value. ` +
          'Give the field a `backfill` in its spec, the value that such rows show; or make it optional, and required ' +
          'once every row has a value.',
      );
    }
  }
  return found;
}

/** Ids that a message names. */
const maxNamed = 10;

/** Describes each field with a new index that cannot hold its texts. */
export async function findTooLong(database: Database, steps: readonly Step[]): Promise<string[]> {
  const found = new Map<string, string>();
  for (const { mustFit } of steps) {
    // A field has an index for each direction.
    if (!mustFit || found.has(mustFit.findTooLong)) continue;
    const { table, column } = mustFit;
    const ids = (await database.query(mustFit.findTooLong)).map(([id]) => String(id));
    const named = `${ids.slice(0, maxNamed).join(', ')}${ids.length > maxNamed ? ' and others' : ''}`;
    found.set(
      mustFit.findTooLong,
      ids.length === 0
        ? ''
        : `Lists of ${table} are to be filtered or sorted by ${column}, and its text is too long for an index, which holds ` +
            `about 2,700 bytes, in ${named}. Shorten these texts with the version before, and give the field a ` +
            '`max_length`; or take it out of `list.filter` and `list.sort`.',
    );
  }
  return [...found.values()].filter((message) => message !== '');
}

/** @throws CliError with the reasons why rows do not match the spec, if there are any */
function refuseRows(reasons: readonly string[]): void {
  if (reasons.length === 0) return;
  throw new CliError(['The rows do not match the spec. Nothing was changed:', ...reasons].join('\n  '));
}

/** Runs `work` in a transaction; again after a conflict with other connections. */
export const transact = <T>(database: Database, work: () => Promise<T>): Promise<T> =>
  database.attempt(database.isAtomic ? work : () => inTransaction(database, 'begin', work));

/** Runs `work` in a transaction, which the statement `begin` begins. */
export async function inTransaction<T>(database: Database, begin: string, work: () => Promise<T>): Promise<T> {
  await database.query(begin);
  try {
    const result = await work();
    await database.query('commit');
    return result;
  } catch (error) {
    // Fails if the engine has rolled back by itself.
    await database.query('rollback').catch(() => undefined);
    throw error;
  }
}

/**
 * Prepares a database whose schema is current: checks that required columns are filled, notes it, and adds singletons.
 *
 * @throws CliError if rows have no value for a required field
 */
export async function prepareRows(database: Database, tables: readonly Table[], steps: readonly Step[]): Promise<void> {
  refuseRows(await findUnfilled(database, steps));
  for (const step of steps) if (step.isNote) await database.apply(step);
  await addSingletons(database, tables);
}

/** Organizations whose singletons are inserted in one transaction. */
const organizationsPerStep = 500;

/** Inserts the records of singletons that organizations lack. If several processes try, one succeeds. */
async function addSingletons(database: Database, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    if (table.kind !== 'singleton') continue;
    const lacking = await database.query(
      `select "id" from ${quote(organizations)} where "deleted_at" is null ` +
        `except select ${quote(organizationColumn)} from ${quote(table.name)}`,
    );
    const statements = lacking.map(([organization]) => insertSingleton(table, Number(organization)));
    for (let from = 0; from < statements.length; from += organizationsPerStep) {
      await database.apply({ kind: 'addition', statements: statements.slice(from, from + organizationsPerStep) });
    }
  }
}

/** A statement that inserts the record of a singleton if the organization has none. */
export function insertSingleton({ name, columns }: Table, organization: number): string {
  const { id, time } = newId(name);
  const set: Readonly<Record<string, Value>> = { id, created_at: time, updated_at: time };
  const values = columns.map((column) => literal(set[column.name] ?? column.default));
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

/** Rebuilds all row counters. @returns the tables whose counters were wrong */
export async function recount(database: Database): Promise<string[]> {
  const { actual } = await database.readSchema();
  const wrong: string[] = [];
  for (const table of countedTables(actual)) if (await database.recount(table)) wrong.push(table.name);
  return wrong;
}
