import type { Resource } from '../model/model.ts';
import { breaking, type Difference, safe, valueSegment, without } from './change.ts';
import { code, valueCode } from './markdown.ts';

/** Compares the states in which records are locked; the fields of `before` have their current names. */
export function compareLocks(before: Resource['lock'], after: Resource['lock']): Difference[] {
  const locked = without(after?.states, before?.states).map((state) => {
    const message =
      `A record is locked in ${valueCode(state)}: updates, deletes and writes of its line items are refused with 409, and so ` +
      'are deletes of other records that would change or delete it.';
    return breaking(`locked_in/${valueSegment(state)}/added`, ['updaters', 'callers'], message);
  });
  const unlocked = without(before?.states, after?.states).map((state) =>
    safe(`locked_in/${valueSegment(state)}/removed`, `A record is no longer locked in ${valueCode(state)}.`),
  );
  if (!before || !after) return [...locked, ...unlocked];
  return [
    ...locked,
    ...unlocked,
    ...without(before.except, after.except).map((name) => {
      const message = `${code(name)} can no longer change while a record is locked: an update of it is refused with 409.`;
      return breaking(`except/${name}/removed`, ['updaters'], message);
    }),
    ...without(after.except, before.except).map((name) =>
      safe(`except/${name}/added`, `${code(name)} can change while a record is locked.`),
    ),
  ];
}
