import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { rowCounters } from '../ddl.ts';

interface Change {
  readonly table: string;
  readonly parent: string;
  rows: number;
}

/** The changes of the totals within one transaction, written once for each total. */
export class Totals {
  readonly #add: StatementSync;
  readonly #prune: StatementSync;
  readonly #drop: StatementSync;
  readonly #changes = new Map<string, Change>();

  constructor(database: DatabaseSync) {
    this.#add = database.prepare(
      `insert into ${rowCounters} values (?, ?, 0, ?) on conflict do update set "count" = "count" + excluded."count"`,
    );
    this.#prune = database.prepare(
      `delete from ${rowCounters} where "table" = ? and "parent" = ? and "parent" <> '' and "count" = 0`,
    );
    this.#drop = database.prepare(`delete from ${rowCounters} where "table" = ? and "parent" = ?`);
  }

  /** Counts rows that have come, or gone where `rows` is negative. */
  add(table: string, parent: string, rows: number): void {
    const key = `${table} ${parent}`;
    const change = this.#changes.get(key);
    if (change) change.rows += rows;
    else this.#changes.set(key, { table, parent, rows });
  }

  /** Forgets the total of a parent that is gone with all of its line items. */
  drop(table: string, parent: string): void {
    this.#drop.run(table, parent);
    this.#changes.delete(`${table} ${parent}`);
  }

  /** Writes the changes into the transaction that they belong to. */
  flush(): void {
    for (const { table, parent, rows } of this.#changes.values()) {
      if (rows === 0) continue;
      this.#add.run(table, parent, rows);
      // Parents that are kept elsewhere come and go without a word: their totals must not pile up.
      if (rows < 0) this.#prune.run(table, parent);
    }
    this.#changes.clear();
  }

  /** Forgets the changes of a transaction that has failed. */
  discard(): void {
    this.#changes.clear();
  }
}
