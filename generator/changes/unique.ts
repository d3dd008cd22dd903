import type { Unique } from '../../runtime/model/table.ts';
import { breaking, type Difference, safe } from './change.ts';
import { code } from './markdown.ts';

const keyOf = ({ fields }: Unique): string => fields.toSorted().join('+');

const valuesOf = ({ fields, ignoreCase }: Unique): string =>
  `the same ${fields.map(code).join(' and ')}${ignoreCase ? ', without regard to case and accents' : ''}`;

const refusal =
  'a write that would store them is refused with 409. The next start looks at the stored records first, and is refused if some clash.';

/** Compares what is unique; names of the base are given as they are now. */
export function compareUnique(before: readonly Unique[], after: readonly Unique[]): Difference[] {
  const former = new Map(before.map((one) => [keyOf(one), one]));
  const current = new Map(after.map((one) => [keyOf(one), one]));
  const removed = before.flatMap((one) =>
    current.has(keyOf(one)) ? [] : [safe(`unique/${keyOf(one)}/removed`, `Two records may have ${valuesOf(one)}.`)],
  );
  const others = after.flatMap((one): Difference[] => {
    const was = former.get(keyOf(one));
    const at = `unique/${keyOf(one)}`;
    const message = `No two records may have ${valuesOf(one)}: ${refusal}`;
    if (!was) return [breaking(`${at}/added`, ['creators', 'updaters'], message)];
    if (was.ignoreCase === one.ignoreCase) return [];
    if (one.ignoreCase) return [breaking(`${at}/narrowed`, ['creators', 'updaters'], message)];
    return [safe(`${at}/widened`, `Two records may have ${valuesOf(was)}, but not ${valuesOf(one)}.`)];
  });
  return [...removed, ...others];
}
