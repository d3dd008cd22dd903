import { BoundedMap } from './bounded-map.ts';
import type { Statement } from './dml.ts';

/** Totals that are known. */
const maxTotals = 1_000;

interface KnownTotal<Version> {
  readonly total: number;
  /** What the database tells of itself: it is another one after any write. */
  readonly version: Version;
}

/** Totals of filtered lists: while nobody writes, they are not counted again. */
export class KnownTotals<Version> {
  readonly #totals = new BoundedMap<string, KnownTotal<Version>>(maxTotals);

  /** @param statement the one that counts it */
  get(statement: Statement): KnownTotal<Version> | undefined {
    return this.#totals.get(keyOf(statement));
  }

  set(statement: Statement, known: KnownTotal<Version>): void {
    this.#totals.set(keyOf(statement), known);
  }
}

const keyOf = ({ text, values }: Statement): string => JSON.stringify([text, ...values]);
