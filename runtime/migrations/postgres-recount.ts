import { type Counted, literal, organizationColumn, parentPrefix, quote, rowCounters } from '../sql/schema.ts';
import { addCount } from '../sql/table-sql.ts';
import type { Row, Values } from '../postgres/connection.ts';
import { indexedParent, shards } from '../postgres/dialect.ts';
import { type Database, inTransaction } from './driver.ts';

/** A database whose statements may have parameters. */
type Parameterized = Database & { query: (text: string, values?: Values) => Promise<Row[]> };

/** Parents whose line items are counted in one transaction. */
const parentsPerTransaction = 500;

const counters = quote(rowCounters);

/**
 * Rebuilds the row counters of a table while servers write. The lock of a counter divides the writes: earlier ones have
 * committed and are counted; later ones wait and add to the new count.
 *
 * @returns whether the counters were wrong
 */
export async function recountTable(database: Parameterized, table: Counted): Promise<boolean> {
  // Rows may have been added in bulk: without new statistics, the planner would not use the indexes.
  const analyze = (name: string): Promise<unknown> => database.attempt(() => database.query(`analyze ${quote(name)}`));
  for (const name of [table.name, rowCounters]) await analyze(name);
  const owner = quote(organizationColumn);
  const organizationIds = await database.query(
    `select distinct ${owner} from ${quote(table.name)} union ` +
      `select distinct ${owner} from ${counters} where "table" = ${literal(table.name)} order by 1`,
  );
  let isWrong = false;
  let counted = 0;
  let analyzed = parentsPerTransaction / 2;
  for (const [organization] of organizationIds) {
    const parents = table.parent ? await parentsOf(database, Number(organization), table) : [''];
    for (let from = 0; from < parents.length; from += parentsPerTransaction) {
      const some = parents.slice(from, from + parentsPerTransaction);
      const work = () => recountParents(database, Number(organization), table, some);
      const transact = () => inTransaction(database, 'begin isolation level read committed', work);
      isWrong = (await database.attempt(transact)) || isWrong;
      counted += some.length;
      if (counted < 2 * analyzed) continue;
      // Counters were inserted: the planner would expect the few that there were, and compare each with all of them.
      await analyze(rowCounters);
      analyzed = counted;
    }
  }
  return isWrong;
}

const ofOrganization = (organization: number): string => `${quote(organizationColumn)} = ${organization}`;

/** The parents that have a row counter or should have one. Counters with longer keys are only locks. */
async function parentsOf(database: Parameterized, organization: number, { name, parent }: Counted): Promise<string[]> {
  const field = quote(parent?.field ?? '');
  const own = ofOrganization(organization);
  const rows = await database.query(
    `select ${field} from ${quote(name)} where ${own} and length(${field}) < ${parentPrefix} union ` +
      `select "parent" from ${counters} where ${own} and "table" = ${literal(name)} ` +
      `and length("parent") < ${parentPrefix} order by 1`,
  );
  return rows.map(([id]) => String(id));
}

/** @param parents those of line items; of records, one that is empty */
async function recountParents(
  database: Parameterized,
  organization: number,
  table: Counted,
  parents: string[],
): Promise<boolean> {
  const field = table.parent ? quote(table.parent.field) : "''";
  const filter = table.parent ? ` and ${indexedParent(field)} = any($1::text[])` : '';
  const ofTable = `${ofOrganization(organization)} and "table" = ${literal(table.name)}`;
  const own = `${ofTable} and "parent" = any($1::text[])`;
  // Adding nothing locks a counter, and inserts a missing one.
  const lock = addCount(
    `select ${organization}, ${literal(table.name)}, _parent, _shard, 0 from unnest($1::text[]) _parent, ` +
      `generate_series(0, ${table.parent ? 0 : shards - 1}) _shard order by _parent, _shard`,
  );
  const correct =
    `with _counted as (select "parent", sum("count") as _rows from ${counters} where ${own} group by 1), ` +
    `_actual as (select ${field} as "parent", count(*) as _rows from ${quote(table.name)} ` +
    `where ${ofOrganization(organization)}${filter} group by 1), ` +
    '_wrong as (select "parent", coalesce(_actual._rows, 0) as _rows from _counted left join _actual using ("parent") ' +
    'where _counted._rows <> coalesce(_actual._rows, 0)) ' +
    `update ${counters} set "count" = case "shard" when 0 then _wrong._rows else 0 end from _wrong ` +
    `where ${ofTable} and ${counters}."parent" = _wrong."parent" returning 1`;
  await database.query(lock, [parents]);
  const changed = await database.query(correct, [parents]);
  if (table.parent) await database.query(`delete from ${counters} where ${own} and "count" = 0`, [parents]);
  return changed.length > 0;
}
