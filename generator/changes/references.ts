import type { Field } from '../model/model.ts';
import { breaking, type FieldRule, safe, writersOf } from './change.ts';
import { code } from './markdown.ts';

const named = (field: Field): string | undefined => (field.type === 'reference' ? field.resource : undefined);

/** Compares the resources whose records a field names. */
export const compareReferences: FieldRule = (before, after) => {
  const [was, is] = [named(before), named(after)];
  if (was === is) return [];
  const field = code(after.name);
  if (is === undefined) {
    const message = `${field} no longer references ${code(was ?? '')}: ids of records that do not exist are accepted, and deletes no longer look at it.`;
    return [safe('references/removed', message)];
  }
  const start =
    after.type === 'reference' && after.onMissing
      ? `The next start sets ${field} to null in records that have such an id`
      : 'The next start is refused if there are such ids';
  const message =
    `${field} references ${code(is)}${was === undefined ? '' : ` instead of ${code(was)}`}: the id of a record that does not exist is refused ` +
    `with 409. ${start}; servers of the version before fail to store them from then on.`;
  return [breaking(`references/${was === undefined ? 'added' : 'changed'}`, writersOf(after), message)];
};

const effects = {
  restrict: 'refused with 409',
  set_null: 'sets the field to null',
  cascade: 'deletes this record too',
} as const;

/** Compares what happens when the record that a field names is deleted. */
export const compareDeletionRules: FieldRule = (before, after) => {
  if (before.type !== 'reference' || after.type !== 'reference' || before.onDelete === after.onDelete) return [];
  const message =
    `A delete of the record that ${code(after.name)} names is ${effects[after.onDelete]}; before, it was ` +
    `${effects[before.onDelete]}.`;
  return [breaking('on_delete/changed', ['callers'], message)];
};

/** Compares what a start that adds the reference does; for one that is there, nothing. */
export const compareMissingRules: FieldRule = (before, after) => {
  if (before.type !== 'reference' || after.type !== 'reference' || before.onMissing === after.onMissing) return [];
  const message = `${code('on_missing')} of ${code(after.name)} changes, which says how a start adds the reference.`;
  return [safe('on_missing/changed', message)];
};
