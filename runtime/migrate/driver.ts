import { CliError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Value } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import { type Counted, literal, quote } from '../store/ddl.ts';
import {
  type DestructiveChanges,
  type MigrationDialect,
  noDestructiveChanges,
  type Orphan,
  planSchema,
  type SchemaPlan,
  type Step,
} from './plan.ts';
import { type ActualSchema, countedTables } from './schema.ts';

/** A connection to a database whose schema is read and changed: what each engine does in its own way. */
export interface Database {
  /** Whether the steps of an attempt are one transaction: where one fails, none is done. */
  readonly isAtomic: boolean;
  /** Runs a statement. @returns its rows, each an array of values */
  query(sql: string): Promise<unknown[][]>;
  readSchema(): Promise<{ actual: ActualSchema; dialect: MigrationDialect }>;
  /** Plans and takes steps; again where other connections were in the way. */
  attempt<T>(work: () => Promise<T>): Promise<T>;
  /** Makes attempts that servers of another version would fail on, where the engine can keep them out. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Takes a step: all of its statements or none, as if no other connection wrote at the same time. */
  apply(step: Step): Promise<void>;
  /** Counts the rows of a table, and corrects its counters. @returns whether they were wrong */
  recount(table: Counted): Promise<boolean>;
}

export interface MigrateOptions {
  readonly requested?: DestructiveChanges;
  /** Takes every step. Otherwise none is taken where one of them is more than an addition. */
  readonly incompatible: boolean;
  /** Is told of each step that is done. */
  readonly onStep?: (step: Step) => void;
}

/** Says what would turn a database into the tables; changes nothing. */
export async function planMigration(
  database: Database,
  tables: readonly Table[],
  requested: DestructiveChanges = noDestructiveChanges,
): Promise<SchemaPlan> {
  const { actual, dialect } = await database.readSchema();
  return planSchema(tables, actual, dialect, requested);
}

/**
 * Turns a database into the tables, with the one record of every singleton. Several may do so at one moment.
 *
 * @returns the steps that are left, because only `incompatible` allows them
 * @throws CliError where data would be lost: then nothing is changed. What the database throws.
 */
export async function migrateSchema(
  database: Database,
  tables: readonly Table[],
  { requested = noDestructiveChanges, incompatible, onStep = () => {} }: MigrateOptions,
): Promise<readonly Step[]> {
  let pending = requested;
  const run = async (mayTakeAll: boolean): Promise<readonly Step[]> => {
    const done: Step[] = [];
    const left = await database.attempt(async () => {
      const plan = await planMigration(database, tables, pending);
      await requireSafe(database, plan);
      if (!mayTakeAll && plan.steps.some(({ kind }) => kind !== 'addition')) return plan.steps;
      for (const step of plan.steps) {
        await database.apply(step);
        pending = without(pending, step);
        if (database.isAtomic) done.push(step);
        else onStep(step);
      }
      await addSingletons(database, tables);
      return [];
    });
    done.forEach(onStep);
    return left;
  };
  const left = await run(false);
  return left.length > 0 && incompatible ? database.exclusively(() => run(true)) : left;
}

/** @throws CliError where something of the plan cannot be done */
async function requireSafe(database: Database, { blockers, errors, steps }: SchemaPlan): Promise<void> {
  if (errors.length > 0) throw new CliError(['Nothing was changed:', ...errors].join('\n  '));
  if (blockers.length > 0) {
    throw new CliError(['The schema does not match the spec. Nothing was changed:', ...blockers].join('\n  '));
  }
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

const without = ({ drop, convert }: DestructiveChanges, { request }: Step): DestructiveChanges => ({
  drop: drop.filter((name) => name !== request),
  convert: convert.filter((name) => name !== request),
});

/** Does work in a transaction, which `begin` begins. */
export async function inTransaction<T>(
  run: (sql: string) => Promise<unknown>,
  begin: string,
  work: () => Promise<T>,
): Promise<T> {
  await run(begin);
  try {
    const result = await work();
    await run('commit');
    return result;
  } catch (error) {
    // Where the engine has rolled back by itself, there is no transaction any more.
    await run('rollback').catch(() => undefined);
    throw error;
  }
}

/** Gives every singleton its one record, where it has none yet; of several that try at one moment, one succeeds. */
export async function addSingletons(database: Database, tables: readonly Table[]): Promise<void> {
  for (const { kind, name, columns } of tables) {
    const table = quote(name);
    if (kind !== 'singleton' || (await database.query(`select 1 from ${table} limit 1`)).length > 0) continue;
    const { id, time } = newId(name);
    const service: Readonly<Record<string, Value>> = { id, created_at: time, updated_at: time };
    const values = columns.map((column) => literal(service[column.name] ?? column.default));
    const insert =
      `insert into ${table} (${columns.map((column) => quote(column.name)).join(', ')}) ` +
      `select ${values.join(', ')} where not exists (select 1 from ${table})`;
    await database.apply({ kind: 'addition', statements: [insert] });
  }
}

/** Counts the rows of a table that no resource shows, or those with a value in such a column. */
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
