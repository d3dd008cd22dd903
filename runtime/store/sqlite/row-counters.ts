import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Value } from '../../schema/fields.ts';
import { isCounted, rowCounters } from '../ddl.ts';
import { addCount } from '../dml.ts';

interface Change {
  readonly table: string;
  readonly parent: string;
  rows: number;
}

/** The changes of row counters in one transaction, written once for each counter. */
export class RowCounters {
  readonly #add: StatementSync;
  readonly #prune: StatementSync;
  readonly #changes = new Map<string, Change>();

  constructor(database: DatabaseSync) {
    this.#add = database.prepare(addCount('values (?, ?, 0, ?)'));
    this.#prune = database.prepare(
      `delete from ${rowCounters} where "table" = ? and "parent" = ? and "parent" <> '' and "count" = 0`,
    );
  }

  /** Adds rows to the counter of a parent, or with an empty parent to that of a table of records. */
  add(table: string, parent: Value, rows: number): void {
    if (!isCounted(parent)) return;
    const key = `${table} ${parent}`;
    const change = this.#changes.get(key);
    if (change) change.rows += rows;
    else this.#changes.set(key, { table, parent, rows });
  }

  /** Writes the changes. */
  flush(): void {
    for (const { table, parent, rows } of this.#changes.values()) {
      if (rows === 0) continue;
      this.#add.run(table, parent, rows);
      // Nothing reports the deletion of a parent outside this service: its counter must not remain.
      if (rows < 0) this.#prune.run(table, parent);
    }
    this.#changes.clear();
  }

  /** Drops the changes of a failed transaction. */
  discard(): void {
    this.#changes.clear();
  }
}
