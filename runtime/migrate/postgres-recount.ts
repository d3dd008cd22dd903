import { type Counted, literal, parentPrefix, quote, rowCounters } from '../store/ddl.ts';
import type { Row, Values } from '../store/postgres/connection.ts';
import { addCount } from '../store/dml.ts';
import { shards } from '../store/postgres/dialect.ts';

type Query = (text: string, values?: Values) => Promise<Row[]>;
type Transact = <T>(work: () => Promise<T>) => Promise<T>;

/** Parents whose line items are counted in one transaction. */
const parentsPerTransaction = 500;

const counters = quote(rowCounters);

/**
 * Rebuilds the row counters of a table while servers write. The lock of a counter divides the writes: earlier ones have
 * committed and are counted; later ones wait and add to the new count.
 *
 * @param transact runs a transaction at isolation level read committed, again after conflicts
 * @returns whether the counters were wrong
 */
export async function recountTable(table: Counted, query: Query, transact: Transact): Promise<boolean> {
  if (!table.parent) return transact(() => recountRecords(table.name, query));
  const [field, name] = [quote(table.parent.field), literal(table.name)];
  const rows = await query(
    `select ${field} from ${quote(table.name)} where length(${field}) < ${parentPrefix} ` +
      // A longer one has a lock among the counters, which stays 0.
      `union select "parent" from ${counters} where "table" = ${name} and length("parent") < ${parentPrefix} order by 1`,
  );
  const parents = rows.map(([parent]) => String(parent));
  let isWrong = false;
  for (let from = 0; from < parents.length; from += parentsPerTransaction) {
    const chunk = parents.slice(from, from + parentsPerTransaction);
    isWrong = (await transact(() => recountItems(table.name, field, chunk, query))) || isWrong;
  }
  return isWrong;
}

async function recountRecords(table: string, query: Query): Promise<boolean> {
  const own = `"table" = ${literal(table)} and "parent" = ''`;
  await query(
    // Adding nothing locks a counter, and inserts a missing one.
    addCount(`select ${literal(table)}, '', shard, 0 from generate_series(0, ${shards - 1}) shard order by shard`),
  );
  const [[counted, actual] = []] = await query(
    `select (select sum("count") from ${counters} where ${own}), (select count(*) from ${quote(table)})`,
  );
  if (counted === actual) return false;
  await query(`update ${counters} set "count" = case "shard" when 0 then ${Number(actual)} else 0 end where ${own}`);
  return true;
}

async function recountItems(table: string, field: string, parents: string[], query: Query): Promise<boolean> {
  const own = `${counters}."table" = ${literal(table)} and ${counters}."parent" = any($1::text[])`;
  await query(addCount(`select ${literal(table)}, parent, 0, 0 from unnest($1::text[]) parent order by parent`), [
    parents,
  ]);
  const changed = await query(
    `update ${counters} set "count" = coalesce(actual.rows, 0) from unnest($1::text[]) given(parent) ` +
      `left join (select ${field} as parent, count(*) as rows from ${quote(table)} ` +
      `where ${field} = any($1::text[]) group by 1) actual on actual.parent = given.parent ` +
      `where ${own} and ${counters}."parent" = given.parent and "shard" = 0 and "count" <> coalesce(actual.rows, 0) ` +
      'returning 1',
    [parents],
  );
  await query(`delete from ${counters} where ${own} and "count" = 0`, [parents]);
  return changed.length > 0;
}
