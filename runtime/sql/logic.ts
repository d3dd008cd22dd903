import { decimalOf } from '../rules/decimal.ts';
import { columnValue, type Value } from '../model/fields.ts';
import type { Column, ShownRecord } from '../model/table.ts';
import { evaluate } from '../rules/evaluate.ts';
import type { Logic, Total, Totals } from '../rules/logic.ts';
import type { WriteRejection } from '../records/write.ts';
import type { Rows } from './steps.ts';
import type { TableSql } from './table-sql.ts';
import type { Dml } from './dml.ts';
import type { Statement } from './query-dialect.ts';
import { shownValue, sortableValue, sumPart } from './values.ts';

/** A record that may have to change as others have: its computed fields follow from them. */
export interface StaleRecord {
  readonly table: string;
  readonly id: string;
  /** Its own fields have changed: its rules are checked even if no computed field changes. */
  readonly isChanged?: true;
}

/** Records that a write has still to look at, each once. */
export class StaleRecords {
  readonly #records = new Map<string, StaleRecord>();

  add(record: StaleRecord): void {
    this.#records.set(`${record.table} ${record.id}`, record);
  }

  /** Adds the parents of line items that were created, changed, moved or deleted. */
  addParents({ table: { parent } }: TableSql, ids: Iterable<unknown>): void {
    for (const id of ids)
      if (typeof id === 'string' && parent?.table !== undefined) this.add({ table: parent.table, id });
  }

  /** Takes one out; undefined if there are no more. */
  take(): StaleRecord | undefined {
    for (const [key, record] of this.#records) {
      this.#records.delete(key);
      return record;
    }
    return undefined;
  }
}

/** The totals over one table of line items, by their expressions. */
interface ItemTotals {
  readonly items: TableSql;
  readonly totals: readonly (readonly [expression: string, total: Total])[];
}

const totalsByItems = (dml: Dml, { table, organization }: TableSql): ItemTotals[] =>
  [...Map.groupBy(Object.entries(table.logic?.totals ?? {}), ([, { items }]) => items)].map(([name, totals]) => ({
    items: dml.of(name, organization),
    totals,
  }));

/** Selects the totals of a record: a statement for each table of its line items. */
export const selectTotals = (dml: Dml, sql: TableSql, id: string): Statement[] =>
  totalsByItems(dml, sql).map(({ items, totals }) =>
    items.statement('totals', [id], () => {
      const rows = items.organizationRows([items.equals(items.table.parent?.field ?? '', items.param(1))]);
      return `select ${totals.map(([, total]) => aggregate(items, total)).join(', ')} from ${rows}`;
    }),
  );

function aggregate({ table, dialect: { values } }: TableSql, { of, field }: Total): string {
  const column = table.columns.find(({ name }) => name === field);
  if (!column) return 'count(*)';
  if (of === 'sum') return values.sum(column, shownValue(column, values));
  return values.shown(column, `${of}(${sortableValue(column, values)})`);
}

/** The totals of a record. @param results the rows of `selectTotals`; none if it is new, and has no line items */
export const totalsIn = (dml: Dml, sql: TableSql, results: Rows): Totals =>
  Object.fromEntries(
    totalsByItems(dml, sql).flatMap(({ items, totals }, i) =>
      totals.map(([expression, total], j) => {
        const column = items.table.columns.find(({ name }) => name === total.field);
        return [expression, totalOf(total, column, results[i]?.[0]?.[j] ?? null)] as const;
      }),
    ),
  );

function totalOf({ of }: Total, column: Column | undefined, found: unknown): string | number | null {
  if (of === 'sum') return sumOf(column?.scale, String(found ?? 0));
  if (of === 'count') return Number(found);
  if (found === null) return null;
  return column?.type === 'text' || column?.type === 'decimal' ? String(found) : Number(found);
}

/** The sum that `ValueStorage.sum` has selected. Integers that JSON readers may not keep are infinite, so that no field can hold them. */
function sumOf(scale: number | undefined, found: string): string | number {
  const units = found.split(' ').reduce((sum, part) => sum * BigInt(sumPart) + BigInt(part), 0n);
  if (scale !== undefined) return decimalOf(units, scale);
  const sum = Number(units);
  return Number.isSafeInteger(sum) ? sum : sum * Infinity;
}

/** Computed fields of a record, and the reason why it cannot be stored with them. */
export interface Derived {
  readonly computed: Readonly<Record<string, Value>>;
  readonly rejection?: WriteRejection;
}

/**
 * Computes the fields of a record as it would be, and checks its rules.
 *
 * @param time that of the write
 * @param operation the name of a transition may have rules of its own
 */
export function derive(logic: Logic, record: ShownRecord, totals: Totals, time: string, operation?: string): Derived {
  const { computed: values, violations } = evaluate(logic, record, totals, time, operation);
  const computed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, columnValue(value)]));
  return { computed, ...(violations.length > 0 && { rejection: { outcome: 'rule_violated', violations } }) };
}
