import type { ShownRecord } from '../model/table.ts';
import { compareText } from '../values/text.ts';
import type { TotalOwner } from './total-owners.ts';
import type { Row } from './types.ts';

/** A change of a row, from which totals of a record that it names may follow: it comes there, leaves, or stays. */
export interface ItemChange {
  /** That of the row. */
  readonly table: string;
  /** The column that names the record. */
  readonly column: string;
  readonly before?: ShownRecord | undefined;
  readonly after?: ShownRecord | undefined;
}

/** A record that may have to change as others have: its computed fields follow from them. */
export interface StaleRecord {
  readonly table: string;
  readonly id: string;
  /** The changes of the rows that its totals are over since these were stored, in their order; undefined if they are unknown. */
  readonly items: readonly ItemChange[] | undefined;
  /** Its own fields have changed: its rules are checked even if no computed field changes. */
  readonly isChanged?: boolean | undefined;
  /** The last write that has made it stale names it: its fields are in the body. */
  readonly isNamed?: boolean | undefined;
  /** The index of the write of a batch that was the last one to make it stale. */
  readonly at?: number | undefined;
  /** Its row as `forUpdate` reads it, if it is locked. */
  readonly row?: Row | undefined;
}

/** Records that a write has still to look at, each once. */
export class StaleRecords {
  readonly #records = new Map<string, StaleRecord & { readonly items: ItemChange[] | undefined }>();
  /** Whether they are those of a write of a batch, which looks at them at its end. */
  readonly isOfBatch: boolean;

  constructor(isOfBatch = false) {
    this.isOfBatch = isOfBatch;
  }

  get isEmpty(): boolean {
    return this.#records.size === 0;
  }

  add(record: StaleRecord): void {
    const { table, id, items, isChanged, isNamed } = record;
    const key = keyOf({ table, id });
    const former = this.#records.get(key);
    // In place, as a record may have very many.
    if (former?.items && items) former.items.push(...items);
    const all = former ? former.items && items && former.items : items && [...items];
    this.#records.set(key, { ...former, ...record, items: all, isChanged: isChanged ?? former?.isChanged, isNamed });
  }

  /** Adds the records whose totals follow from a row. @param before undefined if it was created @param after undefined if it was deleted */
  addOwners(row: string, owners: readonly TotalOwner[], before?: ShownRecord, after?: ShownRecord): void {
    for (const { table, column, reads } of owners) {
      const [former, latter] = [before?.[column], after?.[column]];
      const add = (id: unknown, change: Pick<ItemChange, 'before' | 'after'>): void => {
        if (typeof id === 'string') this.add({ table, id, items: [{ table: row, column, ...change }] });
      };
      if (former !== latter) {
        add(former, { before });
        add(latter, { after });
      } else if ([...reads].some((field) => before?.[field] !== after?.[field])) add(former, { before, after });
    }
  }

  /** Adds those of a write of a batch. */
  addAll(others: StaleRecords, at: number): void {
    for (const record of others.#records.values()) this.add({ ...record, at });
  }

  /** Takes out a record; undefined if it is not here. */
  take(table: string, id: string): StaleRecord | undefined {
    const key = keyOf({ table, id });
    const record = this.#records.get(key);
    this.#records.delete(key);
    return record;
  }

  /**
   * Takes out all, also those that come meanwhile, in an order that all transactions share.
   *
   * @param placeOf that of a table, behind those of the tables by whose rows its records become stale
   */
  *takeAll(placeOf: (table: string) => number): Generator<StaleRecord> {
    while (this.#records.size > 0) {
      const all = [...this.#records.values()];
      const first = all.reduce((a, b) => (placeOf(b.table) < placeOf(a.table) ? b : a)).table;
      yield* this.takeOf(first);
    }
  }

  /** Takes out those of a table, each when it is asked for; none that comes meanwhile. */
  *takeOf(table: string): Generator<StaleRecord> {
    const ids = [...this.#records.values()].flatMap((record) => (record.table === table ? [record.id] : []));
    for (const id of ids.toSorted(compareText)) {
      const record = this.take(table, id);
      if (record) yield record;
    }
  }
}

const keyOf = ({ table, id }: Pick<StaleRecord, 'table' | 'id'>): string => `${table} ${id}`;
