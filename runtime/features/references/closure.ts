import type { Engine } from '../../kernel/sql/values.ts';

/**
 * The beginning of a query: a relation of the rows of a first query, and of those that others find for each of its rows, each
 * once.
 *
 * @param relation its name and columns
 * @param others `rows` follows `from`, and may name columns of the relation
 */
export function closure(
  engine: Engine,
  relation: string,
  first: string,
  others: readonly { readonly columns: string; readonly rows: string }[],
): string {
  const [name] = relation.split('(');
  if (engine === 'sqlite') {
    // SQLite reads the sides of a cross join in their order.
    const next = others.map(({ columns, rows }) => ` union select ${columns} from ${name} cross join ${rows}`);
    return `with recursive ${relation} as (${first}${next.join('')})`;
  }
  // The offset keeps the planner from a join that reads a whole table again for each level.
  const next = others.map(({ columns, rows }) => `select ${columns} from ${rows}`).join(' union all ');
  return `with recursive ${relation} as (${first} union select _next.* from ${name} cross join lateral (${next} offset 0) as _next)`;
}
