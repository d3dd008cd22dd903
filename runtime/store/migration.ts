import type { Kept, Orders, SchemaPlan, Step } from './schema-plan.ts';

/** What `npm run migrate` would do, or has done. */
export interface Outlook {
  readonly plan: SchemaPlan;
  /** What happens besides the steps of the plan, in sentences. */
  readonly besides: readonly string[];
}

/** Brings one database to the tables of a service, when it is told to. */
export interface Migration {
  /** Says what would be done; changes nothing. */
  plan(orders: Orders): Promise<Outlook>;
  /**
   * Does it, and tells of each step.
   *
   * @throws StartError where something cannot be done.
   */
  run(orders: Orders, onStep: (step: Step) => void): Promise<Outlook>;
  /** In how many rows something that is kept has data. */
  rowsOf(kept: Kept): Promise<number>;
  /** Counts all rows anew. @returns the tables whose numbers were wrong */
  recount(): Promise<string[]>;
  close(): Promise<void>;
}
