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
import { countAnew, createRowCounters, creation, quote, rowCounters } from '../store/ddl.ts';
import { defineConverted, sqliteEngine, unequalValues } from './sqlite-convert.ts';
import { busy, primaryCode } from '../store/sqlite/failure.ts';
import { bind } from '../store/sqlite/statements.ts';

/** How the file is to be read, as its `user_version`: 1 counted only records, 2 counts line items as well. */
export const formats = { oldest: 1, current: 2 } as const;

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
  // The older format counted nothing but records.
  const isRecord = tables.get(rowCounters)?.has('parent') ? `where "parent" = ''` : '';
  const counted = tables.has(rowCounters)
    ? allRows<{ table: string }>(database, `select "table" from ${quote(rowCounters)} ${isRecord}`)
    : [];
  return { tables, indexes, counted: new Set(counted.map(({ table }) => table)) };
}

/** What `migrateSchema` has done, or would do. */
export interface Outcome extends SchemaPlan {
  /** The file is of an older format. */
  readonly isOldFormat: boolean;
}

const isOldFormat = (database: DatabaseSync): boolean =>
  allRows<{ user_version: number }>(database, 'pragma user_version')[0]?.user_version === formats.oldest;

/** What would bring a database to the wanted tables. */
export function planFor(database: DatabaseSync, tables: readonly Table[], orders: DestructiveChanges): Outcome {
  return { ...planSchema(tables, readSchema(database), sqliteEngine, orders), isOldFormat: isOldFormat(database) };
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
): Outcome {
  return bring(database, tables, orders, false) ?? alone(database, () => bring(database, tables, orders, true));
}

/** @returns undefined where it must be alone and is not */
function bring(database: DatabaseSync, tables: readonly Table[], orders: DestructiveChanges, isAlone: true): Outcome;
function bring(
  database: DatabaseSync,
  tables: readonly Table[],
  orders: DestructiveChanges,
  isAlone: boolean,
): Outcome | undefined;
function bring(
  database: DatabaseSync,
  tables: readonly Table[],
  orders: DestructiveChanges,
  isAlone: boolean,
): Outcome | undefined {
  database.exec('begin immediate');
  try {
    const outcome = planFor(database, tables, orders);
    refuse(outcome);
    if (!isAlone && (outcome.isOldFormat || outcome.steps.some(({ kind }) => kind !== 'addition'))) {
      database.exec('rollback');
      return undefined;
    }
    if (outcome.isOldFormat) bringToFormat(database);
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
      'What is to be done (a rename, an order, or a new way to keep the data) would fail the other programs that have ' +
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

/** Counts the rows of a file of the older format as the current one keeps them. */
function bringToFormat(database: DatabaseSync): void {
  const records = allRows<{ table: string }>(database, `select "table" from ${quote(rowCounters)}`);
  database.exec(`drop table ${quote(rowCounters)}`);
  database.exec(createRowCounters);
  const { tables, indexes } = readSchema(database);
  const counts = [...tables.keys()].flatMap((name) => {
    const [field] = indexes.get(`${name}_by_parent`) ?? [];
    if (field !== undefined) return countAnew({ name, kind: 'line-item', parent: { field } });
    return records.some(({ table }) => table === name) ? countAnew({ name, kind: 'record' }) : [];
  });
  for (const statement of counts) database.exec(statement);
  database.exec(`pragma user_version = ${formats.current}`);
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
