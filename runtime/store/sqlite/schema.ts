import type { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { birth } from '../../ids.ts';
import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { type LiveSchema, planSchema } from '../schema-plan.ts';
import { countAnew, createTotals, creation, quote, totals } from '../sql.ts';
import { bind } from './statements.ts';

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
  const counted = tables.has(totals)
    ? allRows<{ table: string }>(database, `select "table" from ${quote(totals)} where "parent" = ''`)
    : [];
  return { tables, indexes, counted: new Set(counted.map(({ table }) => table)) };
}

/**
 * Brings the schema to the wanted tables, in a transaction that somebody else has begun.
 *
 * @throws StartError where that would lose data.
 */
export function syncSchema(database: DatabaseSync, tables: readonly Table[]): void {
  bringToFormat(database);
  const { statements, refusals } = planSchema(tables, readSchema(database));
  if (refusals.length > 0) {
    throw new StartError(['The database does not fit the spec, and nothing was changed:', ...refusals].join('\n  '));
  }
  for (const statement of statements) database.exec(statement);
}

/** Counts the rows of a file of the older format as the current one keeps them. */
function bringToFormat(database: DatabaseSync): void {
  const [{ user_version: format } = { user_version: formats.current }] = allRows<{ user_version: number }>(
    database,
    'pragma user_version',
  );
  if (format === formats.current) return;
  const records = allRows<{ table: string }>(database, `select "table" from ${quote(totals)}`);
  database.exec(`drop table ${quote(totals)}`);
  database.exec(createTotals);
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
export function addSingletons(database: DatabaseSync, tables: readonly Table[]): void {
  for (const { kind, name, columns } of tables) {
    if (kind !== 'singleton') continue;
    const { id, time } = birth(name);
    const service: Readonly<Record<string, Value>> = { id, created_at: time, updated_at: time };
    database
      .prepare(
        `insert into ${quote(name)} (${columns.map((column) => quote(column.name)).join(', ')}) ` +
          `select ${columns.map(() => '?').join(', ')} where not exists (select 1 from ${quote(name)})`,
      )
      .run(...columns.map((column) => bind(service[column.name] ?? column.default)));
  }
}
