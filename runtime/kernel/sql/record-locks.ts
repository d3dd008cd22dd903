import type { QueryDialect } from './query-dialect.ts';
import type { Statement } from './types.ts';
import { parentColumns, quote, versionColumn } from './schema.ts';
import type { TableSql } from './table-sql.ts';

export type LockStrength = keyof QueryDialect['lock'];

/** The strengths of locks, from the weakest on. */
export const strengths = ['againstDelete', 'againstChange', 'exclusive', 'forDelete'] as const satisfies LockStrength[];

/** Selects the ids that a column of rows names, that of the parents of line items without another one. @param ids a parameter */
export function selectParents(sql: TableSql, ids: string, column = sql.parentField): string {
  const items = sql.fromPrimaryKey([sql.dialect.isIn(sql.column('id'), '"id"', ids)]);
  return `select ${quote(column)} from ${items}`;
}

/** Rows that name records by a column, by the ids of the rows. */
export interface Naming {
  readonly sql: TableSql;
  readonly column: string;
  readonly ids: readonly string[];
}

/**
 * Locks line items or records in the order of their ids, so that two such statements cannot deadlock, and returns their ids,
 * versions, and of line items the place and the parent.
 *
 * @param given a JSON array of objects with an id
 * @param naming rows of which those that they name are locked as well
 */
export function lockAll(
  sql: TableSql,
  given: string,
  strength: LockStrength,
  naming: readonly Naming[] = [],
): Statement {
  const { table, dialect } = sql;
  const names = naming.map((one) => `${one.sql.table.name}.${one.column}`).join();
  return sql.statement(`lock all ${strength} ${names}`, [given, ...naming.map((one) => one.ids)], () => {
    const place = table.parent ? ['idx', ...parentColumns(table)] : [];
    const columns = ['id', versionColumn, ...place].map(quote).join(', ');
    const ids = `select _given."id" from ${dialect.given(sql.param(1), 'idx', 'bigint')}`;
    const parents = naming.map((one, n) => selectParents(one.sql, sql.param(n + 2), one.column));
    const rows = sql.organizationRows([dialect.isSelected('"id"', [ids, ...parents].join(' union all '))]);
    return `select ${columns} from ${rows} order by "id"${dialect.lock[strength]}`;
  });
}
