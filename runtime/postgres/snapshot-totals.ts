import { setTimeout } from 'node:timers/promises';
import { BoundedMap } from '../records/bounded-map.ts';
import type { Statement } from '../sql/table-sql.ts';

/** Totals that are known. */
const maxTotals = 1_000;

/** Milliseconds for which one page waits for another with the same total: it has its own limit of time besides. */
const patience = 5_000;

/** A total, and when it was counted. */
export interface KnownTotal {
  readonly total: number;
  /**
   * The snapshot that it was counted in, and the start of the database: while both are the same, nothing was written. A database
   * that has lost transactions, as at a failover, gives their numbers to others.
   */
  readonly version: string;
}

/** Totals of filtered lists: while nothing is written, they are not counted again. */
export class SnapshotTotals {
  /** Whether the database tells its snapshots. */
  isSupported: boolean;
  readonly #totals = new BoundedMap<string, KnownTotal>(maxTotals);
  readonly #underWay = new Map<string, Promise<void>>();

  /** @param isSupported not of replicas: a snapshot of theirs does not name the transactions that are in progress */
  constructor(isSupported: boolean) {
    this.isSupported = isSupported;
  }

  /** @param statement the one that counts it */
  get(statement: Statement): KnownTotal | undefined {
    return this.#totals.get(keyOf(statement));
  }

  set(statement: Statement, known: KnownTotal): void {
    this.#totals.set(keyOf(statement), known);
  }

  /**
   * Ends when the page that this total is being counted for is read, or that has failed, or takes long; undefined if there is
   * none.
   */
  underWay(statement: Statement): Promise<void> | undefined {
    const page = this.#underWay.get(keyOf(statement));
    return page && Promise.race([page, setTimeout(patience, undefined, { ref: false })]);
  }

  /**
   * Reads a page whose total is not known, for others to wait for: many clients that request one page at one moment would each have the
   * database count the same rows.
   */
  async counting<T>(statement: Statement, read: () => Promise<T>): Promise<T> {
    const key = keyOf(statement);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#underWay.set(key, promise);
    try {
      return await read();
    } finally {
      if (this.#underWay.get(key) === promise) this.#underWay.delete(key);
      resolve();
    }
  }
}

const keyOf = ({ text, values }: Statement): string => JSON.stringify([text, ...values]);
