import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { creationOrder, isCounted, placeInOrder, quote, totals } from '../sql.ts';
import type { Page } from '../store.ts';
import { bind, type Statements } from './statements.ts';

/** Where the rows of a page are looked for, in the order of the list or against it. */
export interface Range {
  readonly where: Readonly<Record<string, Value>>;
  /** The keys of the row that the range begins behind. */
  readonly behind?: readonly Value[];
  readonly isReversed?: boolean;
}

/** The expressions that order the rows of a table, all in one direction. */
function orderOf(table: Table): { keys: readonly string[]; isDescending: boolean } {
  const created = creationOrder(table);
  return table.kind === 'line-item'
    ? { keys: ['"idx"', created], isDescending: false }
    : { keys: [created], isDescending: true };
}

/** The ids of so many rows of a range, or the keys that order them, behind the first `offset` of them. */
export function select(
  statements: Statements,
  what: 'id' | 'keys',
  { where, behind, isReversed = false }: Range,
  limit: number,
  offset: number,
): Value[][] {
  const columns = Object.keys(where);
  const statement = statements.prepare(`${what} ${columns.join()} ${behind !== undefined} ${isReversed}`, (name) => {
    const { keys, isDescending } = orderOf(statements.table);
    const falls = isDescending !== isReversed;
    const conditions = columns.map((column) => `${quote(column)} is ?`);
    if (behind) conditions.push(`(${keys.join(', ')}) ${falls ? '<' : '>'} (${keys.map(() => '?').join(', ')})`);
    return (
      `select ${what === 'id' ? '"id"' : keys.join(', ')} from ${name}` +
      (conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '') +
      ` order by ${keys.map((key) => (falls ? `${key} desc` : key)).join(', ')} limit ? offset ?`
    );
  });
  const values = [...Object.values(where), ...(behind ?? [])].map(bind);
  return statement.all(...values, limit, offset) as unknown as Value[][];
}

/** How many rows there are on all pages together. */
export function totalOf(statements: Statements, where: Readonly<Record<string, Value>>): number {
  const { name, parent } = statements.table;
  const columns = Object.keys(where);
  const counted = parent ? where[parent.field] : '';
  const isKept = columns.length === (parent ? 1 : 0) && isCounted(counted ?? null);
  const total = isKept
    ? statements.one(
        'total',
        () => `select "count" from ${totals} where "table" = ? and "parent" = ? and "slot" = 0`,
        name,
        counted as string,
      )
    : statements.one(
        `count ${columns.join()}`,
        (table) =>
          `select count(*) from ${table} where ${columns.map((column) => `${quote(column)} is ?`).join(' and ')}`,
        ...Object.values(where),
      );
  return Number(total ?? 0);
}

/** The keys of the row that a page begins behind; undefined where it is no line item of the page's parent. */
export function keysOfAfter(statements: Statements, after: string, { where = {} }: Page): Value[] | undefined {
  const { table } = statements;
  const place = placeInOrder(table, after);
  if (table.kind !== 'line-item') return [place];
  const columns = Object.keys(where);
  const idx = statements.one(
    `idx ${columns.join()}`,
    (name) =>
      `select "idx" from ${name} where "id" = ? and ${columns.map((column) => `${quote(column)} is ?`).join(' and ')}`,
    after,
    ...Object.values(where),
  ) as Value | undefined;
  return idx === undefined ? undefined : [idx, place];
}
