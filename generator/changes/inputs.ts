import type { Field } from '../model/model.ts';
import { misfit } from '../model/fit.ts';
import { breaking, type Difference, safe } from './change.ts';
import { code } from './markdown.ts';
import { defaultCode, hasDefault, isSameDefault } from './presence.ts';

/** Compares the fields of the body of a transition, whose name is given as code. */
export function compareInputs(move: string, before: readonly Field[], after: readonly Field[]): Difference[] {
  const named = (all: readonly Field[], name: string): Field | undefined => all.find((field) => field.name === name);
  const removed = before.filter(({ name }) => !named(after, name));
  const added = after.filter(({ name }) => !named(before, name));
  return [
    ...removed.map(({ name }) => {
      const message = `${move} no longer takes ${code(name)}: a call that sends it is refused with 422, or it is lost.`;
      return breaking(`input/${name}/removed`, ['callers'], message);
    }),
    ...after.flatMap((field) => {
      const was = named(before, field.name);
      return was ? compareInput(move, was, field) : [];
    }),
    ...added.map(({ name, required }) => {
      const at = `input/${name}/added`;
      if (!required) return safe(at, `${move} takes ${code(name)}, which calls may leave out.`);
      return breaking(at, ['callers'], `${move} requires ${code(name)}: a call without it is refused with 422.`);
    }),
  ];
}

function compareInput(move: string, before: Field, after: Field): Difference[] {
  const at = `input/${after.name}`;
  const subject = `${code(after.name)} of ${move}`;
  const refuse = (what: string, rule: string): Difference =>
    breaking(`${at}/${what}`, ['callers'], `${subject} ${rule}`);
  const allow = (what: string, rule: string): Difference => safe(`${at}/${what}`, `${subject} ${rule}`);
  const narrower = misfit(before, after);
  const isChanged = narrower !== undefined || misfit(after, before) !== undefined;
  const differences: Difference[] = [];
  if (!before.required && after.required) {
    differences.push(refuse('required/added', 'is required: a call without it is refused with 422.'));
  } else if (before.required && !after.required) {
    differences.push(allow('required/removed', 'is no longer required: a call may leave it out.'));
  } else if (!isSameDefault(before, after)) {
    const rule = `is ${defaultCode(after, 'call')} instead of ${defaultCode(before, 'call')} if a call leaves it out.`;
    differences.push((hasDefault(before) ? refuse : allow)('default/changed', rule));
  }
  if (before.nullable && !after.nullable && !after.required) {
    differences.push(refuse('nullable/removed', 'may no longer be null: null is refused with 422.'));
  } else if (!before.nullable && after.nullable && before.required === after.required) {
    differences.push(allow('nullable/added', 'may be null.'));
  }
  if (narrower !== undefined) {
    differences.push(refuse('narrowed', `${narrower} now: other values are refused with 422.`));
  } else if (isChanged) differences.push(allow('widened', 'takes more values than before.'));
  if (before.doc !== after.doc) differences.push(allow('doc/changed', 'has another documentation.'));
  return differences;
}
