import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '../model/field-types.ts';
import { type Field, mayBeNull, momentWords, mustBeSent, shownForNone } from '../model/model.ts';
import { type Affected, breaking, type FieldRule, safe, writersOf } from './change.ts';
import { isSameValue } from './types.ts';
import { code, valueCode } from './markdown.ts';

/** The consequence of a rule that older records may break, for their readers. */
function olderRecords(field: Field): { readonly words: string; readonly affected: readonly Affected[] } {
  const value = shownForNone(field);
  if (field.sequence) return { words: 'The next start numbers records that hold null.', affected: [] };
  return value === null
    ? {
        words: 'The next start is refused if there are records that hold null: give them a value by `backfill`.',
        affected: ['readers'],
      }
    : { words: `Records that hold null show ${valueCode(value)}.`, affected: [] };
}

/** Compares whether a create must send a field. */
export const compareRequired: FieldRule = (before, after, resource) => {
  if (before.required === after.required) return [];
  const { kind } = resource;
  const name = code(after.name);
  if (after.required) {
    const without = 'a create without it is refused with 422';
    const why = after.nullable
      ? `${without}; null is still accepted`
      : kind === 'singleton' || !mustBeSent(after)
        ? 'null is refused with 422'
        : `${without}, and so is null`;
    if (after.nullable) return [breaking('required/added', ['creators'], `${name} is required: ${why}.`)];
    const writers = ['creators', 'updaters'] as const;
    if (kind === 'singleton') return [breaking('required/added', writers, `${name} is required: ${why}.`)];
    const { words, affected } = olderRecords(after);
    return [breaking('required/added', [...writers, ...affected], `${name} is required: ${why}. ${words}`)];
  }
  if (!after.nullable) return [safe('required/removed', `${name} is no longer required: a create may leave it out.`)];
  const message = `${name} is no longer required: a create may leave it out, and it may be null.`;
  return mayBeNull(before, resource)
    ? [safe('required/removed', `${message} Readers had to handle null before.`)]
    : [breaking('required/removed', ['readers'], `${message} Readers that rely on a value may get null.`)];
};

/** Compares whether a field can be null, where the change of `required` does not say it. */
export const compareNullable: FieldRule = (before, after, resource) => {
  const isSaid = before.required !== after.required && after.required !== after.nullable;
  if (before.nullable === after.nullable || isSaid) return [];
  const name = code(after.name);
  if (before.nullable) {
    const message = `${name} may no longer be null: null is refused with 422.`;
    const writers = writersOf(before, after);
    if (mayBeNull(after, resource)) return [breaking('nullable/removed', writers, message)];
    const { words, affected } = olderRecords(after);
    return [breaking('nullable/removed', [...writers, ...affected], `${message} ${words}`)];
  }
  return mayBeNull(before, resource)
    ? [safe('nullable/added', `${name} may be set to null. Readers had to handle null before.`)]
    : [breaking('nullable/added', ['readers'], `${name} may be null: readers that rely on a value may get null.`)];
};

/** Compares who can set a field: clients, or the service alone. */
export const compareReadOnly: FieldRule = (before, after) => {
  const name = code(after.name);
  if (after.always && after.moment && !(before.always && isSameDefault(before, after))) {
    const value = momentWords(after.moment, 'request');
    const message = `${name} is set by each request that changes the record, to ${value}: one that sends another value is refused with 422.`;
    return [breaking('always/added', ['creators', 'updaters', 'readers'], message)];
  }
  if (before.always && !after.always && after.readOnly) return [safe('always/removed', `${name} is set by nothing.`)];
  if (before.readOnly === after.readOnly) return [];
  if (!after.readOnly) return [safe('read_only/removed', `${name} can be set by clients.`)];
  const message = `${name} is read-only: a create that sends it, or an update that changes it, is refused with 422.`;
  return [breaking('read_only/added', ['creators', 'updaters'], message)];
};

/** Compares whether updates can change a field. */
export const compareImmutable: FieldRule = (before, after) => {
  const [was, is] = [before.immutable, after.immutable];
  if (was === is) return [];
  const name = code(after.name);
  if (!is) return [safe('immutable/removed', `${name} can be changed by updates.`)];
  const message = `${name} ${is === true ? 'cannot be changed' : 'can be set once'}: an update that changes a value is refused with 422.`;
  if (was === true) return [safe('immutable/changed', message)];
  return [breaking(was ? 'immutable/changed' : 'immutable/added', ['updaters'], message)];
};

/** Compares what records show that hold null where a field is never null. */
export const compareBackfills: FieldRule = (before, after) => {
  const [was, is] = [shownForNone(before), shownForNone(after)];
  // A field that becomes required or may be null has a change of its own.
  const isSaid = before.nullable || after.nullable || (after.required && !before.required);
  if (isSameValue(before, was, after, is) || isSaid) return [];
  const who = `Records that hold no ${code(after.name)}`;
  if (is === null) {
    const message = `${who} have shown ${valueCode(was)}: the next start is refused if there are any.`;
    return [breaking('backfill/removed', ['readers'], message)];
  }
  if (was === null) return [safe('backfill/added', `${who} show ${valueCode(is)}.`)];
  const message = `${who} show ${valueCode(is)} instead of ${valueCode(was)}.`;
  return [breaking('backfill/changed', ['readers'], message)];
};

/** The default of a field, as code or in words. */
export function defaultCode({ default: value, moment, constant }: Field, act?: 'call'): string {
  if (moment) return momentWords(moment, act);
  return constant === undefined ? valueCode(value) : `${valueCode(value)} (the constant ${code(constant)})`;
}

export const hasDefault = ({ default: value, moment }: Field): boolean => value !== null || moment !== undefined;

export const isSameDefault = (before: Field, after: Field): boolean =>
  isSameValue(before, before.default, after, after.default) && isDeepStrictEqual(before.moment, after.moment);

/**
 * Compares the values of fields that a create leaves out. A change of the type covers its default, and a required field
 * has none.
 */
export const compareDefaults: FieldRule = (before, after, { kind }) => {
  if (isSameDefault(before, after) || kindOf(before) !== kindOf(after) || after.required || after.always) return [];
  // The rule of `default_from` says it.
  if (before.defaultFrom !== undefined || after.defaultFrom !== undefined) return [];
  const name = code(after.name);
  if (kind === 'singleton') {
    const nature = !hasDefault(before) ? 'added' : !hasDefault(after) ? 'removed' : 'changed';
    const message = `${name} starts as ${defaultCode(after)} instead of ${defaultCode(before)} in a new record.`;
    return [safe(`default/${nature}`, `${message} An existing one keeps its value.`)];
  }
  const leave = `A create that leaves ${name} out`;
  if (!hasDefault(before)) {
    const then = before.required ? 'it was refused' : 'it stored null';
    return [safe('default/added', `${leave} stores ${defaultCode(after)}; before, ${then}.`)];
  }
  const [nature, now] = hasDefault(after) ? ['changed', defaultCode(after)] : ['removed', 'null'];
  const message = `${leave} stores ${now} instead of ${defaultCode(before)}. Nothing is refused, but new records differ.`;
  return [breaking(`default/${nature}`, ['creators'], message)];
};

/** Compares the values that a create copies into fields which it leaves out. */
export const compareSources: FieldRule = (before, after) => {
  const [was, is] = [before.defaultFrom, after.defaultFrom];
  if (was === is) return [];
  const does = (field: Field, isPast: boolean): string => {
    if (field.defaultFrom !== undefined) return `${isPast ? 'copied' : 'copies'} ${code(field.defaultFrom)}`;
    if (field.required) return `${isPast ? 'was' : 'is'} refused with 422`;
    return `${isPast ? 'stored' : 'stores'} ${hasDefault(field) ? defaultCode(field) : 'null'}`;
  };
  const message = `A create that leaves ${code(after.name)} out ${does(after, false)}; before, it ${does(before, true)}.`;
  if (was === undefined && !hasDefault(before)) return [safe('default_from/added', message)];
  const nature = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
  return [breaking(`default_from/${nature}`, ['creators'], message)];
};
