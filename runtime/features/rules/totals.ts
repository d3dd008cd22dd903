import type { RecordValue } from '../../kernel/model/fields.ts';
import type { Column, ShownRecord, Table } from '../../kernel/model/table.ts';
import { unitsOf } from '../../kernel/values/decimal.ts';
import { decimal } from './expressions/decimal.ts';
import { type Logic, type RowTest, type Total, type Totals, totalName } from './expressions/logic.ts';
import { compareText } from '../../kernel/values/text.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import type { Rows, Statement, Steps } from '../../kernel/sql/types.ts';
import type { ItemChange } from '../../kernel/sql/stale-records.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import { exactSums, sumOf, unitsIn } from '../../kernel/sql/sums.ts';
import { shownValue, sortableValue } from '../../kernel/sql/values.ts';

type Entry = readonly [expression: string, total: Total];

/** The totals over the rows of one table that name a record by one column. */
interface RowTotals {
  readonly rows: TableSql;
  readonly column: string;
  readonly totals: readonly Entry[];
}

const totalsOf = ({ table }: TableSql): Entry[] => Object.entries((table.logic as Logic | undefined)?.totals ?? {});

const byRows = (dml: Dml, { organization }: TableSql, totals: readonly Entry[]): RowTotals[] =>
  [...Map.groupBy(totals, ([, { items, by = '' }]) => `${items} ${by}`).values()].map((some) => {
    const [[, { items, by }]] = some as [Entry];
    const rows = dml.of(items, organization);
    return { rows, column: by ?? rows.parentField, totals: some };
  });

/** Selects totals of a record over all of its rows: a statement for each table and column of these. */
export const selectTotals = (dml: Dml, sql: TableSql, id: string, totals = totalsOf(sql)): Statement[] =>
  byRows(dml, sql, totals).map(({ rows, column, totals: some }) =>
    rows.statement(`totals ${column} ${some.map(([name]) => name).join()}`, [id], () => {
      const isOfRecord =
        column === rows.parentField
          ? rows.equals(column, rows.param(1))
          : `${rows.sortable(column)} = ${rows.param(1)}`;
      return `select ${some.map(([, total]) => aggregate(rows, total)).join(', ')} from ${rows.organizationRows([isOfRecord])}`;
    }),
  );

const columnOf = ({ columns }: Table, { field }: Total): Column | undefined =>
  columns.find(({ name }) => name === field);

function aggregate(sql: TableSql, total: Total): string {
  const { table, dialect } = sql;
  const { engine, values } = dialect;
  const column = columnOf(table, total);
  const rows = total.when ? ` filter (where ${conditionSql(sql, total.when)})` : '';
  if (!column) return `count(*)${rows}`;
  if (total.of === 'sum') return exactSums[engine](column, shownValue(column, values), rows);
  return values.shown(column, `${total.of}(${sortableValue(column, values)})${rows}`);
}

type Tests = NonNullable<Total['when']>;

/** A condition: a row counts. */
const conditionSql = (sql: TableSql, when: Tests): string =>
  when.map((tests) => `(${tests.map((test) => testSql(sql, test)).join(' and ')})`).join(' or ');

function testSql(sql: TableSql, { field, is, value }: RowTest): string {
  const column = sql.sortable(field);
  if (value === null) return `${column} is ${is === '==' ? '' : 'not '}null`;
  const literal = sql.dialect.values.literal(sql.column(field), value);
  if (is === '!=') return `(${column} <> ${literal} or ${column} is null)`;
  return `${column} ${is === '==' ? '=' : is} ${literal}`;
}

/** Whether a row counts. */
const isCounted = ({ columns }: Table, when: Tests, row: ShownRecord): boolean =>
  when.some((tests) =>
    tests.every(({ field, is, value }) => {
      const held = row[field] ?? null;
      if (held === null || value === null) return is === '!=' ? held !== value : is === '==' && held === value;
      const order = compare(
        columns.find(({ name }) => name === field),
        held,
        value,
      );
      return comparisons[is](order);
    }),
  );

const comparisons: Readonly<Record<RowTest['is'], (order: number) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Totals of a record. @param results the rows of `selectTotals`; none if it is new */
export const totalsIn = (dml: Dml, sql: TableSql, results: Rows, totals = totalsOf(sql)): Totals =>
  Object.fromEntries(
    byRows(dml, sql, totals).flatMap(({ rows, totals: some }, i) =>
      some.map(([expression, total], j) => {
        const column = columnOf(rows.table, total);
        return [expression, totalIn(total, column, results[i]?.[0]?.[j] ?? null)] as const;
      }),
    ),
  );

function totalIn({ of }: Total, column: Column | undefined, found: unknown): string | number | null {
  if (of === 'sum') return sumOf(unitsIn(found), column);
  if (of === 'count') return Number(found);
  if (found === null) return null;
  return column?.type === 'text' || column?.type === 'decimal' ? String(found) : Number(found);
}

/**
 * The totals of a record, by the difference that changes of its rows make to those that it has: a write costs the same however
 * many rows there are. All of them are read for the totals that no field holds alone, and for the smallest or largest value if
 * that has left.
 *
 * @param record as it is stored; it is locked, so that no other write changes its totals
 * @param changes of its rows since then, in their order; undefined if they are unknown
 */
export function* changedTotals(
  dml: Dml,
  sql: TableSql,
  record: ShownRecord,
  changes: readonly ItemChange[] | undefined,
): Steps<Totals> {
  const entries = totalsOf(sql);
  if (entries.length === 0) return {};
  const known = changes ? byDifference(dml, sql, record, changes) : {};
  const unknown = entries.filter(([expression]) => known[expression] === undefined);
  if (unknown.length === 0) return known;
  const statements = selectTotals(dml, sql, record['id'] as string, unknown);
  const results = yield { statements, keepsTransactionOpen: true };
  return { ...known, ...totalsIn(dml, sql, results, unknown) };
}

/** The totals that follow from those that a record has; those of the others are left out. */
function byDifference(dml: Dml, sql: TableSql, record: ShownRecord, changes: readonly ItemChange[]): Totals {
  const known: Record<string, string | number | null> = {};
  for (const [expression, total] of totalsOf(sql)) {
    const rows = dml.of(total.items, sql.organization);
    const column = columnOf(rows.table, total);
    const field = fieldOf(sql.table, expression, column);
    if (field === undefined) continue;
    const { items, by = rows.parentField, when } = total;
    const counted = (row: ShownRecord | undefined): ShownRecord | undefined =>
      row && when && !isCounted(rows.table, when, row) ? undefined : row;
    const own = changes
      .filter((change) => change.table === items && change.column === by)
      .map((change) => ({ ...change, before: counted(change.before), after: counted(change.after) }));
    const value = changedTotal(total, column, record[field] ?? null, own);
    if (value !== undefined) known[expression] = value;
  }
  return known;
}

/** The field that holds a total as it is. @param added that of the rows; undefined for their number */
function fieldOf({ columns, logic }: Table, expression: string, added: Column | undefined): string | undefined {
  const type = added?.type ?? 'bigint';
  const isTotal = (name: string): boolean => totalName(logic?.computed[name]?.expression ?? '') === expression;
  return columns.find((column) => column.type === type && isTotal(column.name))?.name;
}

/** @returns undefined if it does not follow from the stored one */
function changedTotal(
  { of, field = '' }: Total,
  column: Column | undefined,
  stored: RecordValue,
  changes: readonly ItemChange[],
): string | number | null | undefined {
  if (of === 'count') {
    const added = changes.reduce(
      (sum, { before, after }) => sum + Number(after !== undefined) - Number(before !== undefined),
      0,
    );
    return stored === null ? undefined : Number(stored) + added;
  }
  const values = changes.map(({ before, after }) => [before?.[field] ?? null, after?.[field] ?? null] as const);
  if (of === 'sum') {
    const scale = column?.scale ?? 0;
    const units = (value: RecordValue): bigint => unitsOf(decimal.round(String(value ?? 0), scale), scale);
    if (stored === null) return undefined;
    return sumOf(
      values.reduce((sum, [before, after]) => sum + units(after) - units(before), units(stored)),
      column,
    );
  }
  const sign = of === 'max' ? 1 : -1;
  const isBeyond = (a: RecordValue, b: RecordValue): boolean => sign * compare(column, a, b) > 0;
  let extreme = stored;
  for (const [before, after] of values) {
    if (after !== null && (extreme === null || isBeyond(after, extreme))) extreme = after;
    if (before === null || (after !== null && !isBeyond(before, after))) continue;
    // It may have left.
    if (extreme === null || !isBeyond(extreme, before)) return undefined;
  }
  return extreme as string | number | null;
}

/** Compares two values of a column as lists are sorted by it. */
function compare(column: Column | undefined, a: RecordValue, b: RecordValue): number {
  if (column?.type === 'text') return compareText(String(a), String(b));
  return column?.type === 'decimal' ? decimal.compare(String(a), String(b)) : Number(a) - Number(b);
}
