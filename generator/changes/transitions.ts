import { isDeepStrictEqual } from 'node:util';
import type { Move } from '../model/model.ts';
import { breaking, type Difference, safe, valueSegment } from './change.ts';
import { compareInputs } from './inputs.ts';
import { code, valueCode } from './markdown.ts';
import { compareMoveRules } from './rules.ts';

function compareTransition(before: Move, after: Move, fieldNow: (name: string) => string): Difference[] {
  const name = code(after.name);
  const differences: Difference[] = [];
  if (before.field !== after.field) {
    const message = `${name} moves ${code(after.field)} instead of ${code(before.field)}.`;
    differences.push(breaking('field/changed', ['callers', 'readers'], message));
  }
  for (const state of before.from.filter((other) => !after.from.includes(other))) {
    const message = `${name} is no longer possible from ${valueCode(state)}: calls get 409.`;
    differences.push(breaking(`from/${valueSegment(state)}/removed`, ['callers'], message));
  }
  for (const state of after.from.filter((other) => !before.from.includes(other))) {
    const message = `${name} is also possible from ${valueCode(state)}, where calls got 409.`;
    differences.push(safe(`from/${valueSegment(state)}/added`, message));
  }
  if (before.to !== after.to) {
    const message = `${name} moves to ${valueCode(after.to)} instead of ${valueCode(before.to)}.`;
    differences.push(breaking('to/changed', ['callers', 'readers'], message));
  }
  for (const field of (after.requires ?? []).filter((one) => !before.requires?.includes(one))) {
    const message = `${name} requires a value of ${code(field)}: a call is refused with 422 while it is null.`;
    differences.push(breaking(`requires/${field}/added`, ['callers'], message));
  }
  for (const field of (before.requires ?? []).filter((one) => !after.requires?.includes(one))) {
    differences.push(safe(`requires/${field}/removed`, `${name} no longer requires a value of ${code(field)}.`));
  }
  for (const field of new Set([before, after].flatMap(({ set = {} }) => Object.keys(set)))) {
    if (isDeepStrictEqual(before.set?.[field], after.set?.[field])) continue;
    const isSet = after.set?.[field] !== undefined;
    const message = isSet ? `${name} sets ${code(field)} now.` : `${name} no longer sets ${code(field)}.`;
    differences.push(
      isSet ? safe(`set/${field}/changed`, message) : breaking(`set/${field}/removed`, ['readers'], message),
    );
  }
  return [
    ...differences,
    ...compareMoveRules(name, before.rule, after.rule, fieldNow),
    ...compareInputs(name, before.input ?? [], after.input ?? []),
  ];
}

/** Compares the transitions of a resource; the fields of `before` have their current names. */
export function compareTransitions(
  before: readonly Move[],
  after: readonly Move[],
  fieldNow: (name: string) => string,
): Difference[] {
  const differences: Difference[] = [];
  const find = (all: readonly Move[], name: string) => all.find((transition) => transition.name === name);
  for (const was of before) {
    const is = find(after, was.name);
    const at = `transitions/${was.name}`;
    if (is) {
      differences.push(
        ...compareTransition(was, is, fieldNow).map((difference) => ({ ...difference, at: `${at}/${difference.at}` })),
      );
    } else {
      const message = `The transition ${code(was.name)} is removed: calls get 404.`;
      differences.push(breaking(`${at}/removed`, ['callers'], message));
    }
  }
  for (const { name, field, to } of after) {
    if (find(before, name)) continue;
    const message = `The transition ${code(name)} is new: it moves ${code(field)} to ${valueCode(to)}.`;
    differences.push(safe(`transitions/${name}/added`, message));
  }
  return differences;
}
