import type { ShownRecord } from '../model/table.ts';
import type { TableSql } from './table-sql.ts';

/** A change of a line item, from which totals of its parent may follow: it comes there, leaves, or stays. */
export interface ItemChange {
  /** That of the line item. */
  readonly table: string;
  readonly before?: ShownRecord | undefined;
  readonly after?: ShownRecord | undefined;
}

/** A record that may have to change as others have: its computed fields follow from them. */
export interface StaleRecord {
  readonly table: string;
  readonly id: string;
  /** The changes of its line items since its totals were stored, in their order; undefined if they are unknown. */
  readonly items: readonly ItemChange[] | undefined;
  /** Its own fields have changed: its rules are checked even if no computed field changes. */
  readonly isChanged?: boolean | undefined;
  /** The last write that has made it stale names it: its fields are in the body. */
  readonly isNamed?: boolean | undefined;
  /** The index of the write of a batch that was the last one to make it stale. */
  readonly at?: number | undefined;
}

/** Records that a write has still to look at, each once. */
export class StaleRecords {
  readonly #records = new Map<string, StaleRecord>();
  /** Whether they are those of a write of a batch, which looks at them at its end. */
  readonly isOfBatch: boolean;

  constructor(isOfBatch = false) {
    this.isOfBatch = isOfBatch;
  }

  add(record: StaleRecord): void {
    const { table, id, items, isChanged, isNamed } = record;
    const key = `${table} ${id}`;
    const former = this.#records.get(key) ?? { table, id, items: [] };
    const all = items && former.items && [...former.items, ...items];
    this.#records.set(key, { ...former, ...record, items: all, isChanged: isChanged ?? former.isChanged, isNamed });
  }

  /** Adds the parents of a line item. @param before undefined if it was created @param after undefined if it was deleted */
  addParents({ table: { name, parent } }: TableSql, before?: ShownRecord, after?: ShownRecord): void {
    const table = parent?.table;
    if (table === undefined) return;
    const [former, latter] = [before, after].map((item) => item?.[parent?.field ?? '']);
    const add = (id: unknown, change: Omit<ItemChange, 'table'>): void => {
      if (typeof id === 'string') this.add({ table, id, items: [{ table: name, ...change }] });
    };
    if (former === latter) return add(former, { before, after });
    add(former, { before });
    add(latter, { after });
  }

  /** Adds parents of line items of which it is not known how they have changed. */
  addUnknown({ table: { parent } }: TableSql, ids: Iterable<unknown>): void {
    for (const id of ids)
      if (typeof id === 'string' && parent?.table !== undefined)
        this.add({ table: parent.table, id, items: undefined });
  }

  /** Adds those of a write of a batch. */
  addAll(others: StaleRecords, at: number): void {
    for (const record of others.#records.values()) this.add({ ...record, at });
  }

  /** Takes out a record; undefined if it is not here. */
  take(table: string, id: string): StaleRecord | undefined {
    const key = `${table} ${id}`;
    const record = this.#records.get(key);
    this.#records.delete(key);
    return record;
  }

  /** Takes out all, also those that come meanwhile. */
  *takeAll(): Generator<StaleRecord> {
    // A map goes on with what is added meanwhile.
    for (const [key, record] of this.#records) {
      this.#records.delete(key);
      yield record;
    }
  }
}
