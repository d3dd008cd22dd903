import { type Field, fieldOf, isFreeText, type Resource } from './model.ts';

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
function stagesIn(field: Field, transitions: Resource['transitions']): StageOf {
  const start = field.default;
  const moves = transitions.filter((move) => move.field === field.name && move.to !== undefined);
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

/**
 * Whether the values of a field are states, as far as its colors, its name or its values tell. A field called state may have a part of
 * a country, too.
 */
function isState(field: Field): boolean {
  const { name, values, colors } = field;
  if (colors || (values ?? []).filter((value) => stageOfWord(value) !== undefined).length > 1) return true;
  return (values !== undefined || isFreeText(field)) && /(^|_)(status|stage)$/.test(name);
}

/** The fields of the states of a resource, with the meanings of their values: first that which transitions move, which is the state of its records. */
export function stagesOf({ fields, transitions }: Resource): ReadonlyMap<string, StageOf> {
  const isMoved = ({ name }: Field): boolean => transitions.some(({ field }) => field === name);
  const place = (field: Field): number => (isMoved(field) ? 0 : field.colors ? 1 : 2);
  return new Map(
    fields
      .filter((field) => isMoved(field) || isState(field))
      .toSorted((one, other) => place(one) - place(other))
      .map((field) => [field.name, isMoved(field) ? stagesIn(field, transitions) : stageOfWord]),
  );
}

/** The field of the state of a record. */
export const stateFieldOf = (resource: Resource): Field | undefined => {
  const [name] = stagesOf(resource).keys();
  return name === undefined ? undefined : fieldOf(resource, name);
};
