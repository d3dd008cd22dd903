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
}

/** The dates by which records of a resource are due, as far as names tell: those that its list is filtered by, beside a state. */
export function dueFields(resource: Resource): readonly DueField[] {
  const { route, filters, counts, fields } = resource;
  const stages = [...stagesOf(resource)].flatMap(([name, stageOf]) => {
    const state = fieldOf(resource, name);
    // Open states are chosen among those that there can be, or that are there.
    const isKnown = state?.values !== undefined || counts?.by.includes(name);
    return state && isKnown && filters.get(name)?.includes('in') ? [{ state, stageOf }] : [];
  });
  const [first] = stages;
  if (!first) return [];
  return fields
    .filter(({ name, format }) => (format === 'date' || format === 'date-time') && dueWords.test(name))
    .filter(({ name }) => filters.get(name)?.includes('lt'))
    .map((due) => ({ key: `${route} ${due.name}`, resource, due, ...first }));
}
