import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import { neededFormats } from '../../runtime/migrations/fitting.ts';
import { isValueOf, kindOf, schemaOf, type ValueSchema } from '../model/field-types.ts';
import {
  breaking,
  type FieldRule,
  narrowedFor,
  olderValues,
  safe,
  valueSegment,
  without,
  writersOf,
} from './change.ts';
import { listed } from '../model/names.ts';
import { code, valueCode } from './markdown.ts';

/** Whether limits on a string rule out some of what a format allows. */
const isLimited = ({ pattern, minLength = 0, maxLength = maxTextLength }: ValueSchema): boolean =>
  pattern !== undefined || minLength > 0 || maxLength < maxTextLength;

/** Compares the formats of strings. */
export const compareFormats: FieldRule = (before, after) => {
  const [old, now] = [schemaOf(before), schemaOf(after)];
  const [was, is] = [old.format, now.format];
  if (was === is || kindOf(before) !== kindOf(after)) return [];
  const name = code(after.name);
  const writers = writersOf(before, after);
  if (was === undefined) {
    const isStrict = neededFormats.has(is);
    const older = isStrict ? 'The next start is refused while a record has another.' : olderValues;
    const inUtc = is === 'date-time' ? ' `npm run migrate` writes those of older records in UTC.' : '';
    const message = `${name} must have the format ${is}: other strings are refused with 422. ${older}${inUtc}`;
    return [breaking('format/added', isStrict ? writers : narrowedFor(before, after), message)];
  }
  if (is === undefined) {
    const message = `${name} no longer has the format ${was}: readers that parse it may get other strings.`;
    const limited = isLimited(now) ? ' Strings outside of its new limits are refused with 422.' : '';
    return [breaking('format/removed', ['readers', ...(limited ? writers : [])], message + limited)];
  }
  const message = `${name} has the format ${is} instead of ${was}: values of the old format are refused with 422.`;
  return [breaking('format/changed', ['readers', ...writers], message)];
};

/** Compares the enums of strings. */
export const compareEnums: FieldRule = (before, after) => {
  const [old, now] = [schemaOf(before), schemaOf(after)];
  const [was, is] = [old.enum, now.enum];
  if (kindOf(before) !== kindOf(after) || (!was && !is)) return [];
  const name = code(after.name);
  const writers = writersOf(before, after);
  if (!was) {
    const message = `${name} takes only ${listed((is ?? []).map(valueCode))}: other strings are refused with 422. ${olderValues}`;
    return [breaking('enum/added', narrowedFor(before, after), message)];
  }
  if (!is) {
    // The change of the format reports what a new format rejects.
    const lost = now.format === undefined ? was.filter((value) => !isValueOf(after, value).success) : [];
    const refused = lost.length === 0 ? '' : ` ${listed(lost.map(valueCode))} can no longer be sent.`;
    const message = `${name} is no longer an enum: readers that know every value may get any string.${refused}`;
    return [breaking('enum/removed', ['readers', 'typed clients', ...(refused ? writers : [])], message)];
  }
  const removed = without(was, is);
  const names = new Map(Object.entries(after.type === 'enum' ? after.formerValues : {}));
  const renamedTo = new Set(removed.map((value) => names.get(value)));
  const added = without(is, was).filter((value) => !renamedTo.has(value));
  return [
    ...removed.map((value) => {
      const next = names.get(value);
      if (next !== undefined) {
        const message =
          `${name} calls ${valueCode(value)} ${valueCode(next)} now: the former name is refused with 422, and responses ` +
          'have the new one, also of older records.';
        return breaking(`enum/${valueSegment(value)}/renamed`, narrowedFor(before, after), message);
      }
      const [heir = ''] = removed.length === 1 && added.length === 1 ? added : [];
      const hint = heir && ` If it is called ${valueCode(heir)} now, add ${code(`renamed_from: ${value}`)} to that.`;
      const message = `${name} no longer takes ${valueCode(value)}: it is refused with 422. ${olderValues}${hint}`;
      return breaking(`enum/${valueSegment(value)}/removed`, narrowedFor(before, after), message);
    }),
    ...added.map((value) => {
      const message = `${name} may be ${valueCode(value)}. Readers must handle unknown values.`;
      return safe(`enum/${valueSegment(value)}/added`, message);
    }),
    ...(without(was, removed).join('\0') === is.filter((value) => was.includes(value)).join('\0')
      ? []
      : [safe('enum/reordered', `The values of ${name} are listed in another order.`)]),
  ];
};

/** Compares the patterns of strings. A change of the type covers its pattern. */
export const comparePatterns: FieldRule = (before, after) => {
  const [old, now] = [schemaOf(before).pattern, schemaOf(after).pattern];
  // The pattern of a decimal follows from its digits.
  if (before.type !== after.type || before.type === 'decimal' || old === now) return [];
  const name = code(after.name);
  const [was, is] = [code(old ?? ''), code(now ?? '')];
  if (now === undefined) {
    return [safe('pattern/removed', `${name} need no longer match ${was}; responses may hold other strings.`)];
  }
  const why = `Other strings are refused with 422. ${olderValues}`;
  return old === undefined
    ? [breaking('pattern/added', narrowedFor(before, after), `${name} must match ${is}. ${why}`)]
    : [breaking('pattern/changed', narrowedFor(before, after), `${name} must match ${is} instead of ${was}. ${why}`)];
};
