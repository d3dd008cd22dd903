import { literal, parentPrefix, quote, rowCounters } from '../store/ddl.ts';
import type { Connection } from '../store/postgres/connection.ts';
import { inTransaction, patiently, readDatabase } from './postgres-schema.ts';
import { shards } from '../store/postgres/statements.ts';

/** So many parents are counted in one transaction. */
const parentsAtOnce = 500;

const total = quote(rowCounters);

/**
 * Counts the rows of all tables anew, while servers write: whoever has changed a total has committed before it is
 * locked here, and is counted, or waits and adds to the new one.
 *
 * @returns the tables whose totals were wrong
 */
export async function recount(connection: Connection, patience: number): Promise<string[]> {
  const { live } = await readDatabase(connection);
  const wrong: string[] = [];
  for (const table of live.tables.keys()) {
    const field = live.indexes.get(`${table}_by_parent`)?.[0];
    const isWrong =
      field !== undefined
        ? await recountItems(connection, table, field, patience)
        : live.counted.has(table) && (await patiently(patience, () => recountRecords(connection, table)));
    if (isWrong) wrong.push(table);
  }
  return wrong;
}

async function recountRecords(connection: Connection, table: string): Promise<boolean> {
  return inTransaction(connection, 'begin isolation level read committed', async () => {
    await connection.query({
      text:
        `insert into ${total} select ${literal(table)}, '', shard, 0 from generate_series(0, ${shards - 1}) shard ` +
        `order by shard on conflict ("table", "parent", "shard") do update set "count" = ${total}."count"`,
    });
    const [[was, is] = []] = await connection.query({
      text:
        `select (select sum("count") from ${total} where "table" = ${literal(table)} and "parent" = ''), ` +
        `(select count(*) from ${quote(table)})`,
    });
    if (was === is) return false;
    await connection.query({
      text:
        `update ${total} set "count" = case "shard" when 0 then ${Number(is)} else 0 end ` +
        `where "table" = ${literal(table)} and "parent" = ''`,
    });
    return true;
  });
}

async function recountItems(connection: Connection, table: string, field: string, patience: number): Promise<boolean> {
  const rows = await connection.query({
    text:
      `select ${quote(field)} from ${quote(table)} where length(${quote(field)}) < ${parentPrefix} ` +
      `union select "parent" from ${total} where "table" = ${literal(table)} order by 1`,
  });
  const parents = rows.map(([parent]) => String(parent));
  let isWrong = false;
  for (let from = 0; from < parents.length; from += parentsAtOnce) {
    const some = parents.slice(from, from + parentsAtOnce);
    isWrong = (await patiently(patience, () => recountParents(connection, table, field, some))) || isWrong;
  }
  return isWrong;
}

async function recountParents(
  connection: Connection,
  table: string,
  field: string,
  parents: readonly string[],
): Promise<boolean> {
  const own = `${total}."table" = ${literal(table)} and ${total}."parent" = any($1::text[])`;
  return inTransaction(connection, 'begin isolation level read committed', async () => {
    await connection.query(
      {
        text:
          `insert into ${total} select ${literal(table)}, parent, 0, 0 from unnest($1::text[]) parent order by parent ` +
          `on conflict ("table", "parent", "shard") do update set "count" = ${total}."count"`,
      },
      [parents],
    );
    const changed = await connection.query(
      {
        text:
          `update ${total} set "count" = coalesce(found.rows, 0) from unnest($1::text[]) asked(parent) ` +
          `left join (select ${quote(field)} as parent, count(*) as rows from ${quote(table)} ` +
          `where ${quote(field)} = any($1::text[]) group by 1) found on found.parent = asked.parent ` +
          `where ${own} and ${total}."parent" = asked.parent and "shard" = 0 and "count" <> coalesce(found.rows, 0) ` +
          'returning 1',
      },
      [parents],
    );
    await connection.query({ text: `delete from ${total} where ${own} and "count" = 0` }, [parents]);
    return changed.length > 0;
  });
}
