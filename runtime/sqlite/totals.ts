import { BoundedMap } from '../records/bounded-map.ts';
import type { Statement } from '../sql/table-sql.ts';

/** Totals that are remembered. */
const maxTotals = 1_000;

/** Totals of filtered lists: while nothing is written, they are not counted again. */
export class Totals {
  readonly #totals = new BoundedMap<string, { readonly total: number; readonly version: unknown }>(maxTotals);
  readonly #version: () => unknown;

  /** @param version another value after any write that the connection sees */
  constructor(version: () => unknown) {
    this.#version = version;
  }

  /** @param statement the one that counts it */
  get(statement: Statement): number | undefined {
    const known = this.#totals.get(totalKey(statement));
    return known?.version === this.#version() ? known?.total : undefined;
  }

  set(statement: Statement, total: number): void {
    this.#totals.set(totalKey(statement), { total, version: this.#version() });
  }
}

const totalKey = ({ text, values }: Statement): string => JSON.stringify([text, ...values]);
