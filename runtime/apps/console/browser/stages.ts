import { type Field, isFreeText, type Resource } from './model.ts';

/** The meaning of a state: records wait in it to be begun, are in work, are done, or were given up. */
export type Stage = 'open' | 'progress' | 'done' | 'stopped';

/** Tells the meaning of a state; undefined if it is not known. */
export type StageOf = (state: string) => Stage | undefined;

/** States that usually mean the same, whatever resource they are of. */
const usualWords: Readonly<Record<Stage, string>> = {
  open: 'open, new, draft, to do, todo, not started, pending, planned, requested, waiting, unpaid, on hold, deferred',
  progress:
    'in progress, in work, started, active, ongoing, working, processing, running, in review, submitted, sent, replied, partially paid',
  done: 'done, closed, completed, complete, finished, resolved, paid, settled, delivered, fulfilled, won, converted, approved, accepted',
  stopped: 'cancelled, canceled, rejected, declined, refused, lost, failed, stopped, aborted, expired, void, dropped',
};

const stageOfWords: ReadonlyMap<string, Stage> = new Map(
  Object.entries(usualWords).flatMap(([stage, words]) => words.split(', ').map((word) => [word, stage as Stage])),
);

const stageOfWord: StageOf = (state) => stageOfWords.get(state.toLowerCase().replaceAll(/[_-]/g, ' '));

/** The meanings of the states of a field that transitions move: records begin in the first ones, and none leads on from the last ones. */
function stagesIn(field: Field | undefined, transitions: Resource['transitions']): StageOf {
  const start = field?.default;
  const moves = transitions.filter((move) => move.field === field?.name && move.to !== undefined);
  return (state) => {
    const word = stageOfWord(state);
    const next = moves.filter(({ from }) => from.includes(state));
    const isReached = moves.some(({ to }) => to === state);
    if (state === start || (next.length > 0 && !isReached)) return 'open';
    if (word === 'done' || word === 'stopped' || (next.length === 0 && !isReached)) return word;
    // A state from which records only begin again ends them, too.
    return next.every(({ to }) => to === start) ? 'done' : 'progress';
  };
}

/** Whether no transition moves a field, and its values are states nevertheless, as far as names tell. A state may be a part of a country, too. */
function isState(field: Field): boolean {
  if (field.values) return field.values.filter((value) => stageOfWord(value) !== undefined).length > 1;
  return isFreeText(field) && /(^|_)(status|stage)$/.test(field.name);
}

/** The meanings of the states of a resource, by its state fields. */
export function stagesOf({ fields, transitions }: Resource): ReadonlyMap<string, StageOf> {
  const moved = new Set(transitions.map(({ field }) => field));
  return new Map([
    ...fields
      .filter((field) => !moved.has(field.name) && isState(field))
      .map(({ name }) => [name, stageOfWord] as const),
    ...[...moved].map(
      (name) =>
        [
          name,
          stagesIn(
            fields.find((field) => field.name === name),
            transitions,
          ),
        ] as const,
    ),
  ]);
}
