import type { FieldType } from '../model.ts';
import { breaking, type FieldRule, safe, valueSegment } from './change.ts';
import { writersOf } from './clients.ts';
import { code, listed, valueCode } from './markdown.ts';
import { asJson } from './types.ts';

const formatOf = ({ type }: FieldType): string | undefined =>
  type === 'date' || type === 'date-time' ? type : undefined;

/** Whether limits on a text leave out some of what a format allows. */
const limitsFormat = (type: FieldType): boolean =>
  type.type === 'text' && (type.pattern !== undefined || type.minLength !== undefined || type.maxLength !== undefined);

/** Compares the formats of texts. */
export const compareFormats: FieldRule = (before, after) => {
  const [was, is] = [formatOf(before), formatOf(after)];
  if (was === is || asJson(before) !== asJson(after)) return [];
  const name = code(after.name);
  const writers = writersOf(before, after);
  if (was === undefined) {
    const message = `${name} must have the format ${is}: other text is refused with 422. Older records keep theirs.`;
    return [breaking('format/added', writers, message)];
  }
  if (is === undefined) {
    const message = `${name} no longer has the format ${was}: a reader that parses it may meet other text.`;
    const limited = limitsFormat(after) ? ' What its new limits leave out is refused with 422.' : '';
    return [breaking('format/removed', ['readers', ...(limited ? writers : [])], message + limited)];
  }
  const message = `${name} has the format ${is}; before, it was ${was}. Values of the old one are refused with 422.`;
  return [breaking('format/changed', ['readers', ...writers], message)];
};

const valuesOf = (type: FieldType): readonly string[] | undefined => (type.type === 'enum' ? type.values : undefined);

/** Whether a text still takes a value that was in an enum. */
const accepts = (type: FieldType, value: string): boolean => {
  if (type.type !== 'text') return true;
  const length = [...value].length;
  const fits = length >= (type.minLength ?? 0) && length <= (type.maxLength ?? Infinity);
  return fits && (type.pattern === undefined || new RegExp(type.pattern, 'u').test(value));
};

/** Compares the enums of texts. */
export const compareEnums: FieldRule = (before, after) => {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  if (asJson(before) !== asJson(after)) return [];
  const name = code(after.name);
  const writers = writersOf(before, after);
  if (!was && !is) return [];
  if (!was) {
    const message = `${name} takes only ${listed((is ?? []).map(valueCode))}: other text is refused with 422. Older records keep theirs.`;
    return [breaking('enum/added', writers, message)];
  }
  if (!is) {
    const lost = was.filter((value) => !accepts(after, value));
    const refused = lost.length === 0 ? '' : ` ${listed(lost.map(valueCode))} can no longer be sent.`;
    const message = `${name} is no longer an enum: readers that know every value may meet any text.${refused}`;
    return [breaking('enum/removed', ['readers', 'typed clients', ...(refused ? writers : [])], message)];
  }
  const added = is.filter((value) => !was.includes(value));
  const removed = was.filter((value) => !is.includes(value));
  const kept = (values: readonly string[], others: readonly string[]) => values.filter((v) => others.includes(v));
  return [
    ...removed.map((value) =>
      breaking(
        `enum/${valueSegment(value)}/removed`,
        writers,
        `${name} no longer takes ${valueCode(value)}: it is refused with 422. Older records keep it, and answers show it.`,
      ),
    ),
    ...added.map((value) =>
      safe(
        `enum/${valueSegment(value)}/added`,
        `${name} may be ${valueCode(value)}. Readers must be ready for values that they do not know.`,
      ),
    ),
    ...(kept(was, is).join('\0') === kept(is, was).join('\0')
      ? []
      : [safe('enum/reordered', `The values of ${name} are listed in another order.`)]),
  ];
};

/** Compares the patterns of texts. */
export const comparePatterns: FieldRule = (before, after) => {
  if (before.type !== 'text' || after.type !== 'text' || before.pattern === after.pattern) return [];
  const name = code(after.name);
  const [was, is] = [code(before.pattern ?? ''), code(after.pattern ?? '')];
  if (after.pattern === undefined) {
    return [safe('pattern/removed', `${name} need no longer match ${was}; answers may hold other text.`)];
  }
  const why = 'Other text is refused with 422. Older records keep theirs.';
  return before.pattern === undefined
    ? [breaking('pattern/added', writersOf(before, after), `${name} must match ${is}. ${why}`)]
    : [breaking('pattern/changed', writersOf(before, after), `${name} must match ${is} instead of ${was}. ${why}`)];
};
