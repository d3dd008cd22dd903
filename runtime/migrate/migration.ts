import type { Kept, DestructiveChanges, SchemaPlan, Step } from './plan.ts';

/** What `npm run migrate` would do, or has done. */
export interface Preview {
  readonly plan: SchemaPlan;
  /** What happens notes the steps of the plan, in sentences. */
  readonly notes: readonly string[];
}

/** Brings one database to the tables of a service, when it is told to. */
export interface Migration {
  /** Says what would be done; changes nothing. */
  plan(orders: DestructiveChanges): Promise<Preview>;
  /**
   * Does it, and tells of each step.
   *
   * @throws CliError where something cannot be done.
   */
  run(orders: DestructiveChanges, onStep: (step: Step) => void): Promise<Preview>;
  /** In how many rows something that is kept has data. */
  rowsOf(kept: Kept): Promise<number>;
  /** Counts all rows anew. @returns the tables whose numbers were wrong */
  recount(): Promise<string[]>;
  close(): Promise<void>;
}
