import type { Unique } from '../../runtime/kernel/model/table.ts';
import { breaking, type Difference, safe } from './change.ts';
import { code } from './markdown.ts';

const keyOf = ({ fields }: Unique): string => fields.toSorted().join('+');

const valuesOf = ({ fields, ignoreCase }: Unique): string =>
  `the same ${fields.map(code).join(' and ')}${ignoreCase ? ', without regard to case and accents' : ''}`;

const refusal =
  'a write that would store them is refused with 409. The next start looks at the stored records first, and is refused if some clash.';

/** Compares what is unique; names of the base are given as they are now. */
export function compareUnique(before: readonly Unique[], after: readonly Unique[]): Difference[] {
  const former = new Map(before.map((unique) => [keyOf(unique), unique]));
  const current = new Map(after.map((unique) => [keyOf(unique), unique]));
  const removed = before.flatMap((unique) =>
    current.has(keyOf(unique))
      ? []
      : [safe(`unique/${keyOf(unique)}/removed`, `Two records may have ${valuesOf(unique)}.`)],
  );
  const changed = after.flatMap((unique): Difference[] => {
    const was = former.get(keyOf(unique));
    const at = `unique/${keyOf(unique)}`;
    const message = `No two records may have ${valuesOf(unique)}: ${refusal}`;
    if (!was) return [breaking(`${at}/added`, ['creators', 'updaters'], message)];
    if (was.ignoreCase === unique.ignoreCase) return [];
    if (unique.ignoreCase) return [breaking(`${at}/narrowed`, ['creators', 'updaters'], message)];
    return [safe(`${at}/widened`, `Two records may have ${valuesOf(was)}, but not ${valuesOf(unique)}.`)];
  });
  return [...removed, ...changed];
}
