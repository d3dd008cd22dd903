import type { Value } from '../model/fields.ts';
import type { TableSql } from './table-sql.ts';
import type { Count } from './steps.ts';

/**
 * Changes of row counters that a transaction has still to write, each counter once: writes of the same table or parent share
 * them, and those who write them last and in one order cannot wait for each other in a circle.
 */
export class RowCounts {
  readonly #counts = new Map<string, Count>();

  add(count: Count): void {
    const { sql, parent, rows, isReset = false } = count;
    const key = keyOf(sql, parent);
    const before = this.#counts.get(key);
    if (isReset || !before) this.#counts.set(key, count);
    else this.#counts.set(key, { ...before, rows: before.rows + rows });
  }

  /** The number that a write adds to a row counter. */
  pending(sql: TableSql, parent: Value): number {
    return this.#counts.get(keyOf(sql, parent))?.rows ?? 0;
  }

  /** The changes, which are forgotten here. */
  take(): Count[] {
    const counts = [...this.#counts].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.clear();
    return counts.map(([, count]) => count);
  }

  clear(): void {
    this.#counts.clear();
  }
}

const keyOf = ({ organization, table }: TableSql, parent: Value): string => `${organization} ${table.name} ${parent}`;
