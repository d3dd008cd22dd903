import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Value } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import { type LiveColumn, type LiveSchema, noDestructiveChanges, type DestructiveChanges, planSchema } from './plan.ts';
import type { SchemaPlan, Step } from './plan.ts';
import { describeUnequal, refuse } from './report.ts';
import { type Dialect, creation, quote, rowCounters } from '../store/ddl.ts';
import { indexedParent } from '../store/postgres/statements.ts';
import type { Connection } from '../store/postgres/connection.ts';
import { convert, unequalValues } from './postgres-convert.ts';
import { sqlState } from '../store/postgres/failure.ts';

/** Does work on a connection of its own, which ends afterwards. */
export type Connect = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** How long a change waits for a lock, and with it all that comes after it for the same table, in milliseconds. */
const lockTimeout = 500;

/** An index that is made while others write waits for them, and holds nobody up. */
const indexTimeout = 60_000;

/**
 * Other starts make the same schema at the same moment, and transactions of others are in the way. After these the
 * schema is looked at anew: 40001 serialization failure, 40P01 deadlock, 55P03 no lock in time, 23505 and 42P07 and
 * 42701 and 42710 made by another, 42P01 and 42703 and 42704 renamed or dropped by another, XX000 "tuple concurrently
 * updated".
 */
const passing = new Set([
  '40001',
  '40P01',
  '55P03',
  '23505',
  '42P07',
  '42701',
  '42710',
  '42P01',
  '42703',
  '42704',
  'XX000',
]);

/** What a failed change of the schema may be repeated after. */
export const isPassing = (error: unknown): boolean => passing.has(sqlState(error) ?? '');

/** The column that an index has the beginning of, as the engine spells it: `"left"(bom_id, 500)`. */
function parentIn(expression: string): string | undefined {
  const [, quoted, plain] = /^"?left"?\((?:"((?:[^"]|"")+)"|(\w+)), \d+\)$/.exec(expression) ?? [];
  return quoted?.replaceAll('""', '"') ?? plain;
}

/** The schema that a database has, and how this engine spells changes of it. */
export async function readDatabase(connection: Connection): Promise<{ live: LiveSchema; dialect: Dialect }> {
  const [[byBytes, version] = []] = await connection.query({ text: `select 'B'::text < 'a'::text, version()` });
  const columns = await connection.query({
    text: `select c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
        a.attnotnull and not a.atthasdef, l.collname
      from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute a on a.attrelid = c.oid
      left join pg_catalog.pg_collation l on l.oid = a.attcollation
      where n.nspname = current_schema() and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`,
  });
  const indexRows = await connection.query({
    text: `select i.relname, t.relname, x.indkey::text, x.indisvalid, pg_get_indexdef(x.indexrelid, 1, true)
      from pg_catalog.pg_index x
      join pg_catalog.pg_class i on i.oid = x.indexrelid
      join pg_catalog.pg_class t on t.oid = x.indrelid
      join pg_catalog.pg_namespace n on n.oid = t.relnamespace
      where n.nspname = current_schema() and not x.indisprimary`,
  });
  const tables = new Map<string, Map<string, LiveColumn>>();
  const names = new Map<string, string>();
  const unsorted = new Set<string>();
  for (const [table, place, name, type, mandatory, collation] of columns as [
    string,
    string,
    string,
    string,
    string,
    string | null,
  ][]) {
    const column = { type, mandatory: mandatory === 't' };
    tables.set(table, (tables.get(table) ?? new Map<string, LiveColumn>()).set(name, column));
    names.set(`${table} ${place}`, name);
    if (name === 'id' && byBytes !== 't' && collation !== 'C' && collation !== 'POSIX') unsorted.add(table);
  }
  const indexes = new Map<string, string[]>();
  const unfinished = new Set<string>();
  for (const [index, table, places, valid, first] of indexRows as [string, string, string, string, string][]) {
    if (valid === 'f') unfinished.add(index);
    else
      indexes.set(
        index,
        places
          .split(' ')
          .map((place, i) => names.get(`${table} ${place}`) ?? (i === 0 ? parentIn(first) : undefined) ?? creation),
      );
  }
  const counted = tables.has(rowCounters)
    ? await connection.query({ text: `select distinct "table" from ${quote(rowCounters)} where "parent" = ''` })
    : [];
  return {
    live: { tables, indexes, counted: new Set(counted.map(([table]) => String(table))), unfinished, unsorted },
    // A dump may be restored where text sorts otherwise. CockroachDB only sorts by bytes, and knows no word for it.
    dialect: {
      byBytes: version?.startsWith('CockroachDB') ? '' : 'collate "C"',
      concurrently: 'concurrently',
      indexedParent,
    },
  };
}

/** What would bring a database to the wanted tables. */
export async function planFor(
  connection: Connection,
  tables: readonly Table[],
  orders = noDestructiveChanges,
): Promise<SchemaPlan> {
  const { live, dialect } = await readDatabase(connection);
  return planSchema(tables, live, { ...dialect, convert }, orders);
}

/** What a database is brought to the wanted tables with. */
export interface BringOptions {
  readonly orders?: DestructiveChanges;
  /** Does what servers of another version could not work with, too: otherwise nothing is done where that is needed. */
  readonly exclusive?: boolean;
  /** How long it may wait for locks, in milliseconds. */
  readonly patience: number;
  /** Is told of each step that is done. */
  readonly onStep?: (step: Step) => void;
}

/**
 * Brings a database to the wanted tables, with the one record of every singleton. Several may do so at one moment.
 *
 * @returns the steps that would be needed and were not done, because only `exclusive` allows them
 * @throws CliError where that would lose data: then nothing is changed. After `patience`, what was in the way.
 */
export async function migrateSchema(
  connection: Connection,
  tables: readonly Table[],
  { orders = noDestructiveChanges, exclusive = false, patience, onStep }: BringOptions,
): Promise<readonly Step[]> {
  await connection.liftLimit();
  let left = orders;
  return patiently(patience, async () => {
    const plan = await planFor(connection, tables, left);
    refuse(plan);
    if (!exclusive && plan.steps.some(({ kind }) => kind !== 'addition')) return plan.steps;
    for (const { conversion } of plan.steps) if (conversion) await refuseUnequal(connection, conversion, plan.steps);
    for (const step of plan.steps) {
      await run(connection, step);
      left = without(left, step.order);
      onStep?.(step);
    }
    await addSingletons(connection, tables);
    return [];
  });
}

/** Repeats what others were in the way of, until `patience` milliseconds have passed. */
export async function patiently<T>(patience: number, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patience;
  for (let pause = 25; ; pause = Math.min(2 * pause, 1_000)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || Date.now() + pause > deadline) throw error;
    }
    await sleep(pause * (0.5 + Math.random()));
  }
}

const without = ({ drop, convert: converted }: DestructiveChanges, done: string | undefined): DestructiveChanges => ({
  drop: drop.filter((name) => name !== done),
  convert: converted.filter((name) => name !== done),
});

async function refuseUnequal(
  connection: Connection,
  conversion: NonNullable<Step['conversion']>,
  steps: readonly Step[],
): Promise<void> {
  // Renames come first, and are not made yet.
  if (steps.some(({ kind }) => kind === 'exclusive')) return;
  const [[count, id] = []] = await connection.query({ text: unequalValues(conversion) });
  if (Number(count) > 0) throw new CliError(describeUnequal(conversion, { count: Number(count), id: String(id) }));
}

/** Does the statements of a step, all or none of them. */
async function run(connection: Connection, { statements, isAlone = false, conversion }: Step): Promise<void> {
  if (conversion) await refuseUnequal(connection, conversion, []);
  const all = async (): Promise<void> => {
    for (const text of statements) await connection.query({ text });
  };
  await connection.query({ text: `set lock_timeout = ${isAlone ? indexTimeout : lockTimeout}` });
  if (isAlone) await all();
  else await inTransaction(connection, 'begin', all);
}

/** Does work in a transaction, which `begin` begins. */
export async function inTransaction<T>(connection: Connection, begin: string, work: () => Promise<T>): Promise<T> {
  await connection.query({ text: begin });
  try {
    const result = await work();
    await connection.query({ text: 'commit' });
    return result;
  } catch (error) {
    await connection.query({ text: 'rollback' }).catch(() => undefined);
    throw error;
  }
}

/** Gives every singleton its one record, where it has none yet; of several that try at one moment, one succeeds. */
export async function addSingletons(connection: Connection, tables: readonly Table[]): Promise<void> {
  for (const { kind, name, columns } of tables) {
    if (kind !== 'singleton') continue;
    const table = quote(name);
    if ((await connection.query({ text: `select 1 from ${table} limit 1` })).length > 0) continue;
    const { id, time } = newId(name);
    const service: Readonly<Record<string, Value>> = { id, created_at: time, updated_at: time };
    // The engine sees that two transactions have both found nothing, and fails one of them.
    await inTransaction(connection, 'begin isolation level serializable', () =>
      connection.query(
        {
          text:
            `insert into ${table} (${columns.map((column) => quote(column.name)).join(', ')}) ` +
            `select ${columns.map(({ type }, place) => `$${place + 1}::${type}`).join(', ')} ` +
            `where not exists (select 1 from ${table})`,
        },
        columns.map((column) => service[column.name] ?? column.default),
      ),
    );
  }
}
