import type { Value } from '../schema/fields.ts';
import { isCounted } from './ddl.ts';
import type { CounterChange, Statement, TableSql } from './dml.ts';

/**
 * Changes of row counters that a transaction has still to write, each counter once: writes of the same table or parent share
 * them, and those who write them last and in one order cannot wait for each other in a circle.
 */
export class RowCounts {
  readonly #changes = new Map<string, Required<CounterChange>>();

  /** Counts the rows that a statement has returned, if it leaves that to its caller. */
  note({ counts }: Statement, rows: readonly (readonly unknown[])[]): void {
    if (counts)
      for (const [, parent] of rows) this.#add({ sql: counts.sql, parent: parent as Value, rows: counts.rows });
  }

  /** Takes over a statement that only changes a row counter: whether it need not be executed. */
  takesOver({ counter }: Statement): boolean {
    if (!counter) return false;
    const { sql, parent, rows } = counter;
    if (rows === undefined) this.#changes.delete(keyOf(sql, parent));
    else this.#add({ sql, parent, rows });
    return rows !== undefined;
  }

  /** What is to be added to a row counter. */
  pending(sql: TableSql, parent: Value): number {
    return this.#changes.get(keyOf(sql, parent))?.rows ?? 0;
  }

  /** The statements that write the changes, which are forgotten here. */
  take(): Statement[] {
    const changes = [...this.#changes].toSorted(([a], [b]) => (a < b ? -1 : 1));
    this.clear();
    return changes.flatMap(([, { sql, parent, rows }]) => [
      ...(rows === 0 ? [] : [sql.addToCounter(String(parent), rows)]),
      // Nothing reports the deletion of a parent outside this service: its counter must not remain.
      ...(rows <= 0 && parent !== '' ? [sql.deleteCounter(String(parent), true)] : []),
    ]);
  }

  clear(): void {
    this.#changes.clear();
  }

  #add({ sql, parent, rows }: Required<CounterChange>): void {
    if (!isCounted(parent)) return;
    const key = keyOf(sql, parent);
    const before = this.#changes.get(key)?.rows ?? 0;
    this.#changes.set(key, { sql, parent, rows: before + rows });
  }
}

const keyOf = ({ organization, table }: TableSql, parent: Value): string => `${organization} ${table.name} ${parent}`;
