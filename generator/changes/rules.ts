import { isDeepStrictEqual } from 'node:util';
import type { Expression, Rule } from '../model/model.ts';
import { kebabCaseOf } from '../model/names.ts';
import { renamed } from '../rules/code.ts';
import { type Affected, breaking, type Difference, documented, safe } from './change.ts';
import { code, escaped } from './markdown.ts';

/** The part of a rule in the ids of changes. */
const segmentOf = ({ message, field }: Rule): string => kebabCaseOf(message) || (field ?? 'rule');

const wordsOf = ({ that, when }: Rule): string => code(that.text) + (when ? ` where ${code(when.text)}` : '');

/** The current name of a field of the base, which may be one of the record that a reference of the base names. */
export type FieldNow = (name: string, reference?: string) => string;

const sameWith =
  (fieldNow: FieldNow) =>
  (was: Expression | undefined, is: Expression | undefined): boolean =>
    isDeepStrictEqual(was && renamed(was.code, fieldNow), is?.code);

/** Compares the rules of a transition, whose name is given as code. */
export function compareMoveRules(
  move: string,
  before: Rule | undefined,
  after: Rule | undefined,
  fieldNow: FieldNow,
): Difference[] {
  if (!after) return before ? [safe('that/removed', `${move} no longer needs ${wordsOf(before)}.`)] : [];
  if (before && sameWith(fieldNow)(before.that, after.that)) {
    return before.message === after.message ? [] : [documented('that', `The message of the rule of ${move}`)];
  }
  const message = `${move} needs ${wordsOf(after)}: other calls are refused with 422, ${escaped(JSON.stringify(after.message))}.`;
  return [breaking(`that/${before ? 'changed' : 'added'}`, ['callers'], message)];
}

/**
 * Compares the rules of a resource.
 *
 * @param fieldNow the current name of a field of the base
 * @param affected the clients whose writes are checked
 */
export function compareRules(
  before: readonly Rule[],
  after: readonly Rule[],
  fieldNow: FieldNow,
  affected: readonly Affected[],
): Difference[] {
  const isSame = sameWith(fieldNow);
  const former = (rule: Rule): Rule | undefined =>
    before.find((was) => isSame(was.that, rule.that) && isSame(was.when, rule.when));
  const kept = new Set(after.map(former));
  const isChanged = (rule: Rule): boolean => before.some((was) => !kept.has(was) && was.message === rule.message);
  const removed = before.filter((was) => !kept.has(was) && !after.some((rule) => rule.message === was.message));
  return [
    ...removed.map((was) => safe(`rules/${segmentOf(was)}/removed`, `Records need no longer meet ${wordsOf(was)}.`)),
    ...after.flatMap((rule): Difference[] => {
      const was = former(rule);
      if (was)
        return was.message === rule.message ? [] : [documented(`rules/${segmentOf(rule)}`, 'The message of a rule')];
      const message =
        `Records must meet ${wordsOf(rule)}: a write after which one does not is refused with 422, ` +
        `${escaped(JSON.stringify(rule.message))}. Stored records that break the rule stay until they are written.`;
      const what = isChanged(rule) ? 'changed' : 'added';
      return [breaking(`rules/${segmentOf(rule)}/${what}`, affected, message)];
    }),
  ];
}
