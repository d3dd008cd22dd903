import type { FieldValue } from '../model/fields.ts';
import { type Column, type ShownRecord, shownValues, type Table } from '../model/table.ts';
import { decimal, decimalOf, unitsOf } from '../rules/decimal.ts';
import type { Total, Totals } from '../rules/logic.ts';
import { compareText } from '../rules/text.ts';
import type { Dml } from './dml.ts';
import type { Rows, Statement, Steps } from './types.ts';
import type { ItemChange } from './stale-records.ts';
import type { TableSql } from './table-sql.ts';
import { shownValue, sortableValue, sumPart } from './values.ts';
import { parentField, type WritePart } from './write-part.ts';

type Entry = readonly [expression: string, total: Total];

/** The totals over one table of line items. */
interface ItemTotals {
  readonly items: TableSql;
  readonly totals: readonly Entry[];
}

const totalsOf = ({ table }: TableSql): Entry[] => Object.entries(table.logic?.totals ?? {});

const byItems = (dml: Dml, { organization }: TableSql, totals: readonly Entry[]): ItemTotals[] =>
  [...Map.groupBy(totals, ([, { items }]) => items)].map(([name, some]) => ({
    items: dml.of(name, organization),
    totals: some,
  }));

/** Selects totals of a record over all of its line items: a statement for each table of these. */
export const selectTotals = (dml: Dml, sql: TableSql, id: string, totals = totalsOf(sql)): Statement[] =>
  byItems(dml, sql, totals).map(({ items, totals: some }) =>
    items.statement(`totals ${some.map(([name]) => name).join()}`, [id], () => {
      const rows = items.organizationRows([items.equals(items.table.parent?.field ?? '', items.param(1))]);
      return `select ${some.map(([, total]) => aggregate(items, total)).join(', ')} from ${rows}`;
    }),
  );

const columnOf = ({ columns }: Table, { field }: Total): Column | undefined =>
  columns.find(({ name }) => name === field);

function aggregate({ table, dialect: { values } }: TableSql, total: Total): string {
  const column = columnOf(table, total);
  if (!column) return 'count(*)';
  if (total.of === 'sum') return values.sum(column, shownValue(column, values));
  return values.shown(column, `${total.of}(${sortableValue(column, values)})`);
}

/** Totals of a record. @param results the rows of `selectTotals`; none if it is new, and has no line items */
export const totalsIn = (dml: Dml, sql: TableSql, results: Rows, totals = totalsOf(sql)): Totals =>
  Object.fromEntries(
    byItems(dml, sql, totals).flatMap(({ items, totals: some }, i) =>
      some.map(([expression, total], j) => {
        const column = columnOf(items.table, total);
        return [expression, totalIn(total, column, results[i]?.[0]?.[j] ?? null)] as const;
      }),
    ),
  );

function totalIn({ of }: Total, column: Column | undefined, found: unknown): string | number | null {
  if (of === 'sum') {
    const parts = String(found ?? 0).split(' ');
    return sumOf(
      parts.reduce((sum, part) => sum * BigInt(sumPart) + BigInt(part), 0n),
      column,
    );
  }
  if (of === 'count') return Number(found);
  if (found === null) return null;
  return column?.type === 'text' || column?.type === 'decimal' ? String(found) : Number(found);
}

/** A sum of so many units. Integers that JSON readers may not keep are infinite, so that no field can hold them. */
function sumOf(units: bigint, column: Column | undefined): string | number {
  if (column?.scale !== undefined) return decimalOf(units, column.scale);
  const sum = Number(units);
  return Number.isSafeInteger(sum) ? sum : sum * Infinity;
}

/** Whether totals of the parents of line items follow from one of these fields, or from one that is computed again. */
export function mayChangeTotals(dml: Dml, { table }: TableSql, changed: readonly string[]): boolean {
  const addedUp = dml.addedUp(table.name);
  const all = [...changed, ...Object.keys(table.logic?.computed ?? {})];
  return addedUp !== undefined && all.some((name) => name === table.parent?.field || addedUp.has(name));
}

/**
 * The totals of a record, by the difference that changes of its line items make to those that it has: a write costs the same
 * however many items there are. All items are read for the totals that no field holds alone, and for the smallest or largest
 * value if that has left.
 *
 * @param record as it is stored; it is locked, so that no other write changes its line items
 * @param changes of its line items since then, in their order; undefined if they are unknown
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
    const column = columnOf(dml.of(total.items, sql.organization).table, total);
    const field = fieldOf(sql.table, expression, column);
    if (field === undefined) continue;
    const own = changes.filter(({ table }) => table === total.items);
    const value = changedTotal(total, column, record[field] ?? null, own);
    if (value !== undefined) known[expression] = value;
  }
  return known;
}

/** The field that holds a total as it is. @param added that of the line items; undefined for their number */
function fieldOf({ columns, logic }: Table, expression: string, added: Column | undefined): string | undefined {
  const type = added?.type ?? 'bigint';
  const isTotal = (name: string): boolean => logic?.computed[name]?.expression.replaceAll(/\s+/g, '') === expression;
  return columns.find((column) => column.type === type && isTotal(column.name))?.name;
}

/** @returns undefined if it does not follow from the stored one */
function changedTotal(
  { of, field = '' }: Total,
  column: Column | undefined,
  stored: FieldValue,
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
    const units = (value: FieldValue): bigint => unitsOf(decimal.round(String(value ?? 0), scale), scale);
    if (stored === null) return undefined;
    return sumOf(
      values.reduce((sum, [before, after]) => sum + units(after) - units(before), units(stored)),
      column,
    );
  }
  const sign = of === 'max' ? 1 : -1;
  const isBeyond = (a: FieldValue, b: FieldValue): boolean => sign * compare(column, a, b) > 0;
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
function compare(column: Column | undefined, a: FieldValue, b: FieldValue): number {
  if (column?.type === 'text') return compareText(String(a), String(b));
  return column?.type === 'decimal' ? decimal.compare(String(a), String(b)) : Number(a) - Number(b);
}

/** Totals of parents, which follow from their line items. */
export const totalsOfParents: WritePart = {
  stored({ dml, sql, stale, changing, stored: { record }, set }) {
    const addedUp = dml.addedUp(sql.table.name);
    if (addedUp && changing.some((name) => name === parentField(sql) || addedUp.has(name)))
      stale?.addParents(sql, record, { ...record, ...shownValues(sql.table, set) });
  },
};
