import { schemaOf } from '../field-types.ts';
import type { Field, Resource } from '../model.ts';
import { type Affected, breaking, type FieldRule, safe } from './change.ts';
import { writersOf } from './clients.ts';
import { code, valueCode } from './markdown.ts';

/** Whether answers may show null. A singleton's field is null until it is set, required or not. */
const readsNull = (field: Field, { kind }: Resource): boolean => field.nullable || kind === 'singleton';

/** Compares whether a create must send a field. */
export const compareRequired: FieldRule = (before, after, resource) => {
  if (before.required === after.required) return [];
  const { kind } = resource;
  const name = code(after.name);
  if (after.required) {
    const without = 'a create without it is refused with 422';
    const why = after.nullable
      ? `${without}, while null is a value as before`
      : kind === 'singleton'
        ? 'null is refused with 422'
        : `${without}, and so is null, which older records may still hold`;
    const breaks: readonly Affected[] = after.nullable ? ['creators'] : ['creators', 'updaters'];
    return [breaking('required/added', breaks, `${name} is required: ${why}.`)];
  }
  const message = `${name} is no longer required: a create may leave it out, and it may be null.`;
  return readsNull(before, resource)
    ? [safe('required/removed', `${message} Readers had to expect null before.`)]
    : [breaking('required/removed', ['readers'], `${message} Readers that rely on a value may meet null.`)];
};

/** Compares whether a field that is required before and after can be null; all others can. */
export const compareNullable: FieldRule = (before, after, resource) => {
  if (before.nullable === after.nullable || !before.required || !after.required) return [];
  const name = code(after.name);
  if (before.nullable) {
    const message = `${name} may no longer be null: null is refused with 422. Older records may still hold it.`;
    return [breaking('nullable/removed', writersOf(before, after), message)];
  }
  return readsNull(before, resource)
    ? [safe('nullable/added', `${name} may be set to null. Readers had to expect null before.`)]
    : [breaking('nullable/added', ['readers'], `${name} may be null: readers that rely on a value may meet null.`)];
};

/** Compares whether clients can set a field. */
export const compareReadOnly: FieldRule = (before, after) => {
  if (before.readOnly === after.readOnly) return [];
  const name = code(after.name);
  return after.readOnly
    ? [
        breaking(
          'read_only/added',
          ['creators', 'updaters'],
          `${name} is set by the service alone: a create that sends it, or an update that changes it, is refused with 422.`,
        ),
      ]
    : [safe('read_only/removed', `${name} can be set by clients.`)];
};

const defaultCode = ({ default: value, constant }: Field): string =>
  constant === undefined ? valueCode(value) : `${valueCode(value)} (the constant ${code(constant)})`;

/**
 * Compares the values of fields that a create leaves out. Where a type changes, its default has to; where a field
 * becomes required, nobody leaves it out.
 */
export const compareDefaults: FieldRule = (before, after, { kind }) => {
  if (before.default === after.default || schemaOf(before).type !== schemaOf(after).type || after.required) return [];
  const name = code(after.name);
  if (kind === 'singleton') {
    const nature = before.default === null ? 'added' : after.default === null ? 'removed' : 'changed';
    const message = `${name} begins as ${defaultCode(after)} where the record is new; before, it was ${defaultCode(before)}.`;
    return [safe(`default/${nature}`, `${message} One that is there stays as it is.`)];
  }
  const leave = `A create that leaves ${name} out`;
  if (before.default === null) {
    const then = before.required ? 'it was refused' : 'where nothing was promised, it stored null';
    return [safe('default/added', `${leave} stores ${defaultCode(after)}; before, ${then}.`)];
  }
  const [nature, now] = after.default === null ? ['removed', 'null'] : ['changed', defaultCode(after)];
  const message = `${leave} stores ${now} instead of ${defaultCode(before)}. Nothing is refused, but new records differ.`;
  return [breaking(`default/${nature}`, ['creators'], message)];
};
