import { schemaOf } from '../model/field-types.ts';
import type { Field, Resource } from '../model/model.ts';
import { type Affected, breaking, type FieldRule, safe } from './change.ts';
import { writersOf } from './clients.ts';
import { code, valueCode } from './markdown.ts';

/** Whether answers may show null. A singleton's field is null until it is set, required or not. */
const readsNull = (field: Field, { kind }: Resource): boolean => field.nullable || kind === 'singleton';

/** The consequence of a rule that older records may break, for their readers. */
const olderRecords = ({ backfill }: Field): { readonly words: string; readonly affected: readonly Affected[] } =>
  backfill === null
    ? {
        words: 'The next start is refused if there are records that hold null: give them a value by `backfill`.',
        affected: ['readers'],
      }
    : { words: `Records that hold null show ${valueCode(backfill)}.`, affected: [] };

/** Compares whether a create must send a field. */
export const compareRequired: FieldRule = (before, after, resource) => {
  if (before.required === after.required) return [];
  const { kind } = resource;
  const name = code(after.name);
  if (after.required) {
    const without = 'a create without it is refused with 422';
    const why = after.nullable
      ? `${without}; null is still accepted`
      : kind === 'singleton'
        ? 'null is refused with 422'
        : `${without}, and so is null`;
    if (after.nullable) return [breaking('required/added', ['creators'], `${name} is required: ${why}.`)];
    const writers = ['creators', 'updaters'] as const;
    if (kind === 'singleton') return [breaking('required/added', writers, `${name} is required: ${why}.`)];
    const { words, affected } = olderRecords(after);
    return [breaking('required/added', [...writers, ...affected], `${name} is required: ${why}. ${words}`)];
  }
  const message = `${name} is no longer required: a create may leave it out, and it may be null.`;
  return readsNull(before, resource)
    ? [safe('required/removed', `${message} Readers had to handle null before.`)]
    : [breaking('required/removed', ['readers'], `${message} Readers that rely on a value may get null.`)];
};

/** Compares whether a field that is required before and after can be null; all others can. */
export const compareNullable: FieldRule = (before, after, resource) => {
  if (before.nullable === after.nullable || !before.required || !after.required) return [];
  const name = code(after.name);
  if (before.nullable) {
    const message = `${name} may no longer be null: null is refused with 422.`;
    const writers = writersOf(before, after);
    if (resource.kind === 'singleton') return [breaking('nullable/removed', writers, message)];
    const { words, affected } = olderRecords(after);
    return [breaking('nullable/removed', [...writers, ...affected], `${message} ${words}`)];
  }
  return readsNull(before, resource)
    ? [safe('nullable/added', `${name} may be set to null. Readers had to handle null before.`)]
    : [breaking('nullable/added', ['readers'], `${name} may be null: readers that rely on a value may get null.`)];
};

/** Compares whether clients can set a field. */
export const compareReadOnly: FieldRule = (before, after) => {
  if (before.readOnly === after.readOnly) return [];
  const name = code(after.name);
  if (!after.readOnly) return [safe('read_only/removed', `${name} can be set by clients.`)];
  const message = `${name} is read-only: a create that sends it, or an update that changes it, is refused with 422.`;
  return [breaking('read_only/added', ['creators', 'updaters'], message)];
};

/** Compares what records show that hold null where a field is required. */
export const compareBackfills: FieldRule = (before, after) => {
  // A field that becomes required, or no longer is, has a change of its own.
  if (before.backfill === after.backfill || !after.required || !before.required || before.nullable !== after.nullable) {
    return [];
  }
  const who = `Records that hold no ${code(after.name)}`;
  if (after.backfill === null) {
    const message = `${who} have shown ${valueCode(before.backfill)}: the next start is refused if there are any.`;
    return [breaking('backfill/removed', ['readers'], message)];
  }
  if (before.backfill === null) return [safe('backfill/added', `${who} show ${valueCode(after.backfill)}.`)];
  const message = `${who} show ${valueCode(after.backfill)} instead of ${valueCode(before.backfill)}.`;
  return [breaking('backfill/changed', ['readers'], message)];
};

const defaultCode = ({ default: value, constant }: Field): string =>
  constant === undefined ? valueCode(value) : `${valueCode(value)} (the constant ${code(constant)})`;

/**
 * Compares the values of fields that a create leaves out. A change of the type covers its default, and a required field
 * has none.
 */
export const compareDefaults: FieldRule = (before, after, { kind }) => {
  if (before.default === after.default || schemaOf(before).type !== schemaOf(after).type || after.required) return [];
  const name = code(after.name);
  if (kind === 'singleton') {
    const nature = before.default === null ? 'added' : after.default === null ? 'removed' : 'changed';
    const message = `${name} starts as ${defaultCode(after)} instead of ${defaultCode(before)} in a new record.`;
    return [safe(`default/${nature}`, `${message} An existing one keeps its value.`)];
  }
  const leave = `A create that leaves ${name} out`;
  if (before.default === null) {
    const then = before.required ? 'it was refused' : 'it stored null';
    return [safe('default/added', `${leave} stores ${defaultCode(after)}; before, ${then}.`)];
  }
  const [nature, now] = after.default === null ? ['removed', 'null'] : ['changed', defaultCode(after)];
  const message = `${leave} stores ${now} instead of ${defaultCode(before)}. Nothing is refused, but new records differ.`;
  return [breaking(`default/${nature}`, ['creators'], message)];
};
