import { type Field, targetsOf } from '../model/model.ts';
import { breaking, type FieldRule, safe, writersOf } from './change.ts';
import { code } from './markdown.ts';

const namedBy = (field: Field): readonly string[] =>
  field.type === 'reference' ? targetsOf(field).map(({ resource }) => resource) : [];

const codes = (keys: readonly string[]): string => keys.map(code).join(' or ');

/** Compares the resources whose records a field names. */
export const compareReferences: FieldRule = (before, after) => {
  const [was, is] = [namedBy(before), namedBy(after)];
  const [gone, added] = [was.filter((key) => !is.includes(key)), is.filter((key) => !was.includes(key))];
  if (gone.length + added.length === 0) return [];
  const field = code(after.name);
  if (was.length > 0 && gone.length === 0)
    return [safe('references/widened', `${field} may name records of ${codes(added)} too.`)];
  if (is.length === 0) {
    const message = `${field} no longer references ${codes(was)}: ids of records that do not exist are accepted, and deletes no longer look at it.`;
    return [safe('references/removed', message)];
  }
  const start =
    after.type === 'reference' && after.onMissing
      ? `The next start sets ${field} to null in records that have such an id`
      : 'The next start is refused if there are such ids';
  const servers = is.length > 1 ? 'have to be stopped before it' : 'fail to store them from then on';
  const message =
    `${field} references ${codes(is)}${was.length === 0 ? '' : ` instead of ${codes(was)}`}: the id of a record that does not exist is refused ` +
    `with 409. ${start}; servers of the version before ${servers}.`;
  return [breaking(`references/${was.length === 0 ? 'added' : 'changed'}`, writersOf(after), message)];
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

/** Compares what the records that a field names call those with the field. */
export const compareInverses: FieldRule = (before, after) => {
  const [was, is] = [inverseOf(before), inverseOf(after)];
  const isSame = was?.text === is?.text;
  const [gone, added] = [
    was?.of.filter((key) => !(isSame && is?.of.includes(key))) ?? [],
    is?.of.filter((key) => !(isSame && was?.of.includes(key))) ?? [],
  ];
  if (gone.length + added.length === 0) return [];
  const shown = is && added.length > 0 && `Records of ${codes(added)} can be shown with these by ${code(is.text)}.`;
  if (!was || gone.length === 0) return [safe('inverse/added', shown || '')];
  const message = `Records of ${codes(gone)} can no longer be shown with these by ${code(was.text)}: it is refused with 400.`;
  return [
    breaking(
      `inverse/${shown ? 'changed' : 'removed'}`,
      ['readers', 'typed clients'],
      shown ? `${message} ${shown}` : message,
    ),
  ];
};

const inverseOf = (field: Field): { readonly of: readonly string[]; readonly text: string } | undefined =>
  field.type === 'reference' && field.inverse !== undefined
    ? { of: namedBy(field), text: `expand=${field.inverse}` }
    : undefined;
