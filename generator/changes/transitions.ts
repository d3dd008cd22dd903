import { isDeepStrictEqual } from 'node:util';
import type { Move } from '../model/model.ts';
import { type Affected, breaking, type Difference, safe, valueSegment, without } from './change.ts';
import { compareInputs } from './inputs.ts';
import { code, valueCode } from './markdown.ts';
import { compareMoveRules, type FieldNow } from './rules.ts';

function compareTransition(before: Move, after: Move, fieldNow: FieldNow): Difference[] {
  const name = code(after.name);
  const broken = (at: string, message: string, breaks: readonly Affected[] = ['callers']): Difference =>
    breaking(at, breaks, `${name} ${message}`);
  const sound = (at: string, message: string): Difference => safe(at, `${name} ${message}`);
  const differences: Difference[] = [];
  if (before.field !== after.field) {
    const message = `moves ${code(after.field)} instead of ${code(before.field)}.`;
    differences.push(broken('field/changed', message, ['callers', 'readers']));
  }
  for (const state of without(before.from, after.from)) {
    const message = `is no longer possible from ${valueCode(state)}: calls get 409.`;
    differences.push(broken(`from/${valueSegment(state)}/removed`, message));
  }
  for (const state of without(after.from, before.from)) {
    const message = `is also possible from ${valueCode(state)}, where calls got 409.`;
    differences.push(sound(`from/${valueSegment(state)}/added`, message));
  }
  if (before.to !== after.to) {
    const message =
      after.to === undefined
        ? `no longer moves to ${valueCode(before.to)}: it keeps the state.`
        : `moves to ${valueCode(after.to)} instead of ${before.to === undefined ? 'keeping the state' : valueCode(before.to)}.`;
    differences.push(broken('to/changed', message, ['callers', 'readers']));
  }
  for (const field of without(after.requires, before.requires)) {
    const message = `requires a value of ${code(field)}: a call is refused with 422 while it is null.`;
    differences.push(broken(`requires/${field}/added`, message));
  }
  for (const field of without(before.requires, after.requires)) {
    differences.push(sound(`requires/${field}/removed`, `no longer requires a value of ${code(field)}.`));
  }
  for (const field of new Set([before, after].flatMap(({ set = {} }) => Object.keys(set)))) {
    if (isDeepStrictEqual(before.set?.[field], after.set?.[field])) continue;
    differences.push(
      after.set?.[field] === undefined
        ? broken(`set/${field}/removed`, `no longer sets ${code(field)}.`, ['readers'])
        : sound(`set/${field}/changed`, `sets ${code(field)} now.`),
    );
  }
  return [
    ...differences,
    ...compareMoveRules(name, before.rule, after.rule, fieldNow),
    ...compareInputs(name, before.input ?? [], after.input ?? []),
  ];
}

/** Compares the transitions of a resource; the fields of `before` have their current names. */
export function compareTransitions(before: readonly Move[], after: readonly Move[], fieldNow: FieldNow): Difference[] {
  const namesakeIn = (moves: readonly Move[], { name }: Move) => moves.find((move) => move.name === name);
  return [
    ...before.flatMap((was) => {
      const is = namesakeIn(after, was);
      const at = `transitions/${was.name}`;
      if (!is)
        return breaking(`${at}/removed`, ['callers'], `The transition ${code(was.name)} is removed: calls get 404.`);
      return compareTransition(was, is, fieldNow).map((difference) => ({
        ...difference,
        at: `${at}/${difference.at}`,
      }));
    }),
    ...after.flatMap((is) => {
      if (namesakeIn(before, is)) return [];
      const effect = is.to === undefined ? `keeps ${code(is.field)}` : `moves ${code(is.field)} to ${valueCode(is.to)}`;
      return safe(`transitions/${is.name}/added`, `The transition ${code(is.name)} is new: it ${effect}.`);
    }),
  ];
}
