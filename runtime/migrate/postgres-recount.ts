import { type Counted, literal, parentPrefix, quote, rowCounters } from '../store/ddl.ts';
import type { Row, Values } from '../store/postgres/connection.ts';
import { shards } from '../store/postgres/dialect.ts';

type Query = (text: string, values?: Values) => Promise<Row[]>;
type Transact = <T>(work: () => Promise<T>) => Promise<T>;

/** Parents whose line items are counted in one transaction. */
const parentsPerTransaction = 500;

const counters = quote(rowCounters);

/** Makes rows of counters exist, and locks them. */
const lock = (rows: string): string =>
  `insert into ${counters} ${rows} on conflict ("table", "parent", "shard") do update set "count" = ${counters}."count"`;

/**
 * Counts the rows of a table while servers write: whoever has changed a counter has committed before it is locked here,
 * and is counted, or waits and adds to the new one.
 *
 * @param transact works in a transaction, which sees what others commit, and repeats it after conflicts
 * @returns whether the counters were wrong
 */
export async function recountTable(table: Counted, query: Query, transact: Transact): Promise<boolean> {
  if (!table.parent) return transact(() => recountRecords(table.name, query));
  const [field, name] = [quote(table.parent.field), literal(table.name)];
  const rows = await query(
    `select ${field} from ${quote(table.name)} where length(${field}) < ${parentPrefix} ` +
      `union select "parent" from ${counters} where "table" = ${name} order by 1`,
  );
  const parents = rows.map(([parent]) => String(parent));
  let isWrong = false;
  for (let from = 0; from < parents.length; from += parentsPerTransaction) {
    const some = parents.slice(from, from + parentsPerTransaction);
    isWrong = (await transact(() => recountItems(table.name, field, some, query))) || isWrong;
  }
  return isWrong;
}

async function recountRecords(table: string, query: Query): Promise<boolean> {
  const own = `"table" = ${literal(table)} and "parent" = ''`;
  await query(
    lock(`select ${literal(table)}, '', shard, 0 from generate_series(0, ${shards - 1}) shard order by shard`),
  );
  const [[was, is] = []] = await query(
    `select (select sum("count") from ${counters} where ${own}), (select count(*) from ${quote(table)})`,
  );
  if (was === is) return false;
  await query(`update ${counters} set "count" = case "shard" when 0 then ${Number(is)} else 0 end where ${own}`);
  return true;
}

async function recountItems(table: string, field: string, parents: string[], query: Query): Promise<boolean> {
  const own = `${counters}."table" = ${literal(table)} and ${counters}."parent" = any($1::text[])`;
  await query(lock(`select ${literal(table)}, parent, 0, 0 from unnest($1::text[]) parent order by parent`), [parents]);
  const changed = await query(
    `update ${counters} set "count" = coalesce(found.rows, 0) from unnest($1::text[]) asked(parent) ` +
      `left join (select ${field} as parent, count(*) as rows from ${quote(table)} ` +
      `where ${field} = any($1::text[]) group by 1) found on found.parent = asked.parent ` +
      `where ${own} and ${counters}."parent" = asked.parent and "shard" = 0 and "count" <> coalesce(found.rows, 0) ` +
      'returning 1',
    [parents],
  );
  await query(`delete from ${counters} where ${own} and "count" = 0`, [parents]);
  return changed.length > 0;
}
