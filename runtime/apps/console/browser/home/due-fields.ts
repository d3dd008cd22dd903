import { type Field, fieldOf, type Resource } from '../model.ts';
import { type StageOf, stagesOf } from '../stages.ts';

/** Words in the names of dates by which something is to be done, or until which it holds. */
const dueWords = /(^|_)(due|deadline|until|till|expiry|expires|expiration|ends?)(_|$)|_by$/;

/** A date of a resource that passes while a state is open: then a record is overdue. */
export interface DueField {
  readonly key: string;
  readonly resource: Resource;
  readonly due: Field;
  readonly state: Field;
  readonly stageOf: StageOf;
  /** Whether the list is counted by the state. */
  readonly isCounted: boolean;
}

/** The dates by which records of a resource are due, as far as names tell: those that its list is filtered by, beside a state. */
export function dueFields(resource: Resource): readonly DueField[] {
  const { route, filters, counts, fields } = resource;
  const stages = [...stagesOf(resource)].flatMap(([name, stageOf]) => {
    const state = fieldOf(resource, name);
    const isCounted = counts?.by.includes(name) === true;
    // Open states are chosen among those that are there, or that there can be.
    const isKnown = isCounted || state?.values !== undefined;
    return state && isKnown && filters.get(name)?.includes('in') ? [{ state, stageOf, isCounted }] : [];
  });
  const [first] = stages;
  if (!first) return [];
  return fields
    .filter(({ name, format }) => (format === 'date' || format === 'date-time') && dueWords.test(name))
    .filter(({ name }) => filters.get(name)?.includes('lt'))
    .map((due) => ({ key: `${route} ${due.name}`, resource, due, ...first }));
}

/** Whether work on the records in a state is not over. */
export const isOpen = (stageOf: StageOf, state: string): boolean =>
  ['open', 'progress'].includes(stageOf(state) as string);
