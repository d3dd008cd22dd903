import type { Operation } from '../language.ts';
import type { Field, Resource } from '../model.ts';
import type { Affected } from './change.ts';

/** The operations that make each group of clients: whoever used one of them before and still can. */
const operationsOf = {
  creators: ['create'],
  updaters: ['update'],
  readers: ['list', 'create', 'retrieve', 'update', 'reorder'],
} as const satisfies Partial<Record<Affected, readonly Operation[]>>;

/** Keeps of those whom a change would break the ones whom a resource has. */
export type Present = (affected: readonly Affected[]) => readonly Affected[];

/** Who uses a resource before a change and after it. Losing an operation is a change of its own. */
export function presentIn(before: Resource, after: Resource): Present {
  const has = (operation: Operation): boolean =>
    before.operations.includes(operation) && after.operations.includes(operation);
  const moves = before.transitions.some(({ name }) => after.transitions.some((other) => other.name === name));
  const isPresent = (who: Affected): boolean => {
    if (who === 'readers' && moves) return true;
    return !(who in operationsOf) || operationsOf[who as keyof typeof operationsOf].some(has);
  };
  return (affected) => affected.filter(isPresent);
}

/** Those who send a field with a value of their own: nobody, where only the service sets it. */
export const writersOf = (...fields: readonly Field[]): readonly Affected[] =>
  fields.some(({ readOnly }) => readOnly) ? [] : ['creators', 'updaters'];
