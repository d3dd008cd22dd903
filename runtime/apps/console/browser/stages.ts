import type { Resource } from './model.ts';

/** The stage of a state: records begin in the first ones, and no transition leads on from the last ones. */
export type Stage = 'first' | 'middle' | 'last';

/** Tells the stage of a state. */
export type StageOf = (state: string) => Stage;

/** The stages of the states of a resource, by its state fields. */
export function stagesOf({ fields, transitions }: Resource): ReadonlyMap<string, StageOf> {
  const stagesIn = (field: string): StageOf => {
    const start = fields.find(({ name }) => name === field)?.default;
    const moves = transitions.filter((move) => move.field === field && move.to !== undefined);
    return (state) => {
      const next = moves.filter(({ from }) => from.includes(state));
      const isReached = moves.some(({ to }) => to === state);
      if (state === start || (next.length > 0 && !isReached)) return 'first';
      // A state from which records only begin again ends them, too.
      return next.every(({ to }) => to === start) ? 'last' : 'middle';
    };
  };
  return new Map(transitions.map(({ field }) => [field, stagesIn(field)]));
}
