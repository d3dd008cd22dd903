import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Value } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import {
  type LiveSchema,
  noDestructiveChanges,
  type DestructiveChanges,
  planSchema,
  type SchemaPlan,
  type Step,
} from './plan.ts';
import { describeUnequal, refuse } from './report.ts';
import { creation, quote, rowCounters } from '../store/ddl.ts';
import { defineConverted, sqliteEngine, unequalValues } from './sqlite-convert.ts';
import { busy, primaryCode } from '../store/sqlite/failure.ts';
import { bind } from '../store/sqlite/statements.ts';

const allRows = <T>(database: DatabaseSync, sql: string): T[] => database.prepare(sql).all() as T[];

/** The schema that a database has. */
export function readSchema(database: DatabaseSync): LiveSchema {
  const tables = new Map(
    allRows<{ name: string }>(database, `select name from sqlite_schema where type = 'table'`).map(({ name }) => [
      name,
      new Map(
        allRows<{ name: string; type: string; notnull: number; dflt_value: string | null }>(
          database,
          `pragma table_info(${quote(name)})`,
        ).map((column) => [
          column.name,
          { type: column.type, mandatory: column.notnull === 1 && column.dflt_value === null },
        ]),
      ),
    ]),
  );
  const indexes = new Map(
    allRows<{ name: string }>(database, `select name from sqlite_schema where type = 'index' and sql is not null`).map(
      ({ name }) => [
        name,
        allRows<{ name: string | null }>(database, `pragma index_info(${quote(name)})`).map(
          (column) => column.name ?? creation,
        ),
      ],
    ),
  );
  const counted = tables.has(rowCounters)
    ? allRows<{ table: string }>(database, `select "table" from ${quote(rowCounters)} where "parent" = ''`)
    : [];
  return { tables, indexes, counted: new Set(counted.map(({ table }) => table)) };
}

/** What would bring a database to the wanted tables. */
export function planFor(database: DatabaseSync, tables: readonly Table[], orders: DestructiveChanges): SchemaPlan {
  return planSchema(tables, readSchema(database), sqliteEngine, orders);
}

/**
 * Brings a database to the wanted tables, with the one record of every singleton: all of it or nothing.
 *
 * What servers of another version could not work with is only done while nobody else has the file open.
 *
 * @throws CliError where that would lose data, NotAlone; no transaction is open then.
 */
export function migrateSchema(
  database: DatabaseSync,
  tables: readonly Table[],
  orders: DestructiveChanges = noDestructiveChanges,
): SchemaPlan {
  return bring(database, tables, orders, false) ?? alone(database, () => bring(database, tables, orders, true));
}

/** @returns undefined where it must be alone and is not */
function bring(database: DatabaseSync, tables: readonly Table[], orders: DestructiveChanges, isAlone: true): SchemaPlan;
function bring(
  database: DatabaseSync,
  tables: readonly Table[],
  orders: DestructiveChanges,
  isAlone: boolean,
): SchemaPlan | undefined;
function bring(
  database: DatabaseSync,
  tables: readonly Table[],
  orders: DestructiveChanges,
  isAlone: boolean,
): SchemaPlan | undefined {
  database.exec('begin immediate');
  try {
    const outcome = planFor(database, tables, orders);
    refuse(outcome);
    if (!isAlone && outcome.steps.some(({ kind }) => kind !== 'addition')) {
      database.exec('rollback');
      return undefined;
    }
    for (const step of outcome.steps) run(database, step);
    addSingletons(database, tables);
    database.exec('commit');
    return outcome;
  } catch (error) {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function run(database: DatabaseSync, { conversion, statements }: Step): void {
  if (conversion) {
    defineConverted(database);
    const [unequal] = allRows<{ count: number; id: string }>(database, unequalValues(conversion));
    if (unequal && unequal.count > 0) throw new CliError(describeUnequal(conversion, unequal));
  }
  for (const statement of statements) database.exec(statement);
}

/** Somebody else has the file open, and would fail on what is to be done. */
export class NotAlone extends CliError {
  constructor() {
    super(
      'What is to be done (a rename or an order) would fail the other programs that have ' +
        'the database open. Stop the other servers of this database, then try again.',
    );
  }
}

/**
 * Does work while no other connection, of this process or another, has the file open.
 *
 * @throws NotAlone where one has.
 */
function alone<T>(database: DatabaseSync, work: () => T): T {
  database.exec('pragma locking_mode = exclusive');
  try {
    // A database leaves the WAL journal for its last connection only: https://www.sqlite.org/wal.html
    database.exec('pragma journal_mode = delete');
    return work();
  } catch (error) {
    throw primaryCode(error) === busy ? new NotAlone() : error;
  } finally {
    database.exec('pragma locking_mode = normal');
    keepWal(database);
  }
}

function keepWal(database: DatabaseSync): void {
  try {
    database.exec('pragma journal_mode = wal');
  } catch (error) {
    // Another one that has just opened the file is doing so.
    if (primaryCode(error) !== busy) throw error;
  }
}

/** Gives every singleton its one record, where it has none yet. */
function addSingletons(database: DatabaseSync, tables: readonly Table[]): void {
  for (const { kind, name, columns } of tables) {
    if (kind !== 'singleton') continue;
    const { id, time } = newId(name);
    const service: Readonly<Record<string, Value>> = { id, created_at: time, updated_at: time };
    database
      .prepare(
        `insert into ${quote(name)} (${columns.map((column) => quote(column.name)).join(', ')}) ` +
          `select ${columns.map(() => '?').join(', ')} where not exists (select 1 from ${quote(name)})`,
      )
      .run(...columns.map((column) => bind(service[column.name] ?? column.default)));
  }
}
