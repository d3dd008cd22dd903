import { type OperationName, operations } from '../../runtime/model/operations.ts';
import type { Field, Resource } from '../model/model.ts';
import type { Affected } from './change.ts';

/** The operations whose clients a change of bodies or responses can break; all other groups are always there. */
const groups: { readonly [A in Affected]?: (operation: OperationName) => boolean } = {
  creators: (name) => operations[name].body === 'create',
  updaters: (name) => operations[name].body === 'update',
  readers: (name) => operations[name].response !== 'deleted',
};

/** Filters the groups of clients that a change would break by those that a resource has. */
export type Present = (affected: readonly Affected[]) => readonly Affected[];

/** The clients of a resource both before and after a change. Losing an operation is a change of its own. */
export function presentIn(before: Resource, after: Resource): Present {
  const kept = before.operations.filter((name) => after.operations.includes(name));
  const moves = before.transitions.some(({ name }) => after.transitions.some((other) => other.name === name));
  const isPresent = (who: Affected): boolean => {
    const group = groups[who];
    return (who === 'readers' && moves) || !group || kept.some(group);
  };
  return (affected) => affected.filter(isPresent);
}

/** The clients that send a field: a read-only one only in updates, which may repeat what was read. */
export const writersOf = (...fields: readonly Field[]): readonly Affected[] =>
  fields.some(({ readOnly }) => readOnly) ? ['updaters'] : ['creators', 'updaters'];
