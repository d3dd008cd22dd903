import type { Table } from '../../runtime/kernel/model/table.ts';
import { bomItemTable, leadTable } from '../service/generated/tables.ts';
import type { Database, Engine, Session } from './databases/database.ts';
import { findable } from './findable.ts';
import { itemOf, itemPath, itemsOf } from './items.ts';
import { leadId, leadOf, leadPath } from './leads.ts';
import { idOf, timeOf } from './numbered.ts';
import { ask, runCommand, startServer } from './server.ts';

/** Rows that the service itself makes; all others are copies of them, but for the columns that are their own. */
const templates = 100;

/** Rows of one statement. */
const batch = 10_000;

/** A new database of this name, made by `make`, or a copy of the kept one. */
async function madeOrKept(
  engine: Engine,
  name: string,
  keep: boolean,
  make: (database: Database) => Promise<void>,
): Promise<Database> {
  const database = engine.database(name);
  const kept = keep ? engine.database(name, true) : undefined;
  if (await kept?.exists()) {
    await kept?.copyTo(database);
    return database;
  }
  await make(database);
  if (kept) await database.copyTo(kept);
  return database;
}

/** A database of so many leads and as many line items. */
export const prepare = (engine: Engine, rows: number, keep: boolean): Promise<Database> =>
  filled(engine, String(rows), keep, async (session) => {
    await fillWithCopies(session, leadTable, ['id', 'created_at', 'updated_at'], leads(rows));
    await fillWithCopies(session, bomItemTable, ['id', 'idx', 'bom_id'], items(rows));
  });

/** A database of so many leads, each with values of its own to be found by: see `findable`. */
export const prepareFindable = (engine: Engine, rows: number, keep: boolean): Promise<Database> =>
  filled(engine, `findable-${rows}`, keep, (session) => {
    const found = leads(rows).map((lead, number) => ({ ...lead, ...findable(number, rows) }));
    return fillWithCopies(session, leadTable, Object.keys({ ...leads(1).next().value, ...findable(0, rows) }), found);
  });

/** A database that a server has made, with its first rows, and that `fill` has filled. */
const filled = (
  engine: Engine,
  name: string,
  keep: boolean,
  fill: (session: Session) => Promise<void>,
): Promise<Database> =>
  madeOrKept(engine, name, keep, async (database) => {
    await database.create();
    await makeTemplates(database);
    await database.fill(fill);
    await runCommand(database.url, 'migrate', '--recount');
    await database.tidyUp();
  });

/** Has the server make its schema and the first rows. */
async function makeTemplates(database: Database): Promise<void> {
  const server = await startServer(database.url);
  for (let number = 0; number < templates; number++) {
    await ask(server, leadPath, 'POST', leadOf(number));
    await ask(server, itemPath, 'POST', itemOf(number, 'BOM-template'));
  }
  await server.stop();
}

type Row = Readonly<Record<string, string | number>>;

function* leads(count: number): Generator<Row> {
  for (let number = 0; number < count; number++) {
    const time = timeOf(number);
    yield { id: leadId(number), created_at: time, updated_at: time };
  }
}

function* items(count: number): Generator<Row> {
  let number = 0;
  for (const { parent, idx } of itemsOf(count)) yield { id: idOf('bom_item', number++), idx, bom_id: parent };
}

const quote = (name: string): string => `"${name}"`;

/** Puts these rows in the place of those that are there: `own` are their columns, the others are copied in turn. */
async function fillWithCopies(
  session: Session,
  table: Table,
  own: readonly string[],
  rows: Iterable<Row>,
): Promise<void> {
  const name = quote(table.name);
  const template = quote(`template_${table.name}`);
  await session.run(
    `create temporary table ${template} as select row_number() over () - 1 as template, ${name}.* from ${name}`,
  );
  // Neither engine would build an index by itself to find so few rows.
  await session.run(`create index ${quote(`${table.name}_template`)} on ${template} (template)`);
  await session.run(`delete from ${name}`);

  const types: Readonly<Record<string, string>> = Object.fromEntries(
    table.columns.map(({ name: column, type }) => [column, type]),
  );
  const ownTypes = Object.fromEntries(own.map((column) => [column, types[column] as string]));
  const copied = Object.keys(types).filter((column) => !own.includes(column));
  const listOf = (columns: readonly string[], of = ''): string =>
    columns.map((column) => `${of}${quote(column)}`).join(', ');
  const insert =
    `insert into ${name} (_organization, ${listOf(own)}, ${listOf(copied)}) ` +
    `select 1, ${listOf(own, 'new.')}, ${listOf(copied, 'old.')} ` +
    `from (select * from ${session.rowsOf({ ...ownTypes, template: 'bigint' })}) as new ` +
    // In SQLite this also says which side is gone through: the new rows, in their order.
    `cross join ${template} as old where old.template = new.template`;

  let waiting: Row[] = [];
  let number = 0;
  for (const row of rows) {
    waiting.push({ ...row, template: number++ % templates });
    if (waiting.length === batch) {
      await session.run(insert, JSON.stringify(waiting));
      waiting = [];
    }
  }
  await session.run(insert, JSON.stringify(waiting));
}
