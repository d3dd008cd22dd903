import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { creationOrder, isCounted, placeInOrder, quote, rowCounters } from '../ddl.ts';
import type { Page } from '../store.ts';
import { bind, selectPieces, type Statements } from './statements.ts';

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

/** What of a table's rows is asked for: `rest` says which rows, in which order. */
type Columns = (name: string, json: string, rest: string) => string;

function prepare(
  statements: Statements,
  what: string,
  { where, behind, isReversed = false }: Range,
  columns: Columns,
): { statement: StatementSync; values: SQLInputValue[] } {
  const filters = Object.keys(where);
  const statement = statements.prepare(
    `${what} ${filters.join()} ${behind !== undefined} ${isReversed}`,
    (name, json) => {
      const { keys, isDescending } = orderOf(statements.table);
      const falls = isDescending !== isReversed;
      const conditions = filters.map((column) => `${quote(column)} is ?`);
      if (behind) conditions.push(`(${keys.join(', ')}) ${falls ? '<' : '>'} (${keys.map(() => '?').join(', ')})`);
      const filter = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
      const order = keys.map((key) => (falls ? `${key} desc` : key)).join(', ');
      return columns(name, json, `${filter} order by ${order} limit ? offset ?`);
    },
  );
  return { statement, values: [...Object.values(where), ...(behind ?? [])].map(bind) };
}

/** The keys that order the row behind the first `offset` ones of a range. */
export function keysAt(statements: Statements, range: Range, offset: number): Value[] | undefined {
  const { keys } = orderOf(statements.table);
  const { statement, values } = prepare(
    statements,
    'keys',
    range,
    (name, _, rest) => `select ${keys.join(', ')} from ${name}${rest}`,
  );
  return statement.get(...values, 1, offset) as unknown as Value[] | undefined;
}

/** The ids of so many rows of a range, behind the first `offset` ones. */
export function idsOf(statements: Statements, range: Range, limit: number, offset: number): string[] {
  const { statement, values } = prepare(statements, 'ids', range, (name, _, rest) => `select "id" from ${name}${rest}`);
  return (statement.all(...values, limit, offset) as unknown as [string][]).map(([id]) => id);
}

/** The same rows as JSON, one by one: the long ones as bytes. */
export function piecesOf(
  statements: Statements,
  range: Range,
  limit: number,
  offset: number,
): Iterable<[string | Uint8Array]> {
  const { statement, values } = prepare(statements, 'pieces', range, (name, json, rest) =>
    selectPieces(`select ${json} as j from ${name}${rest}`),
  );
  return statement.iterate(...values, limit, offset) as unknown as Iterable<[string | Uint8Array]>;
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
        () => `select "count" from ${rowCounters} where "table" = ? and "parent" = ? and "shard" = 0`,
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
