import { isDeepStrictEqual } from 'node:util';
import { maxDigits } from '../../runtime/model/decimals.ts';
import { unitsOf } from '../../runtime/rules/decimal.ts';
import type { FieldValue } from '../../runtime/model/fields.ts';
import type { Field } from '../model/model.ts';
import { breaking, type FieldRule, safe } from './change.ts';
import { writersOf } from './clients.ts';
import { code } from './markdown.ts';

/** Whether a value of two fields, like their defaults, is the same one: a decimal may have more zeros at its end. */
export function isSameValue(before: Field, was: FieldValue, after: Field, is: FieldValue): boolean {
  const isDecimal = before.type === 'decimal' && after.type === 'decimal';
  if (!isDecimal || was === null || is === null) return isDeepStrictEqual(was, is);
  return unitsOf(String(was), maxDigits) === unitsOf(String(is), maxDigits);
}

const digitsBeforePoint = ({ digits, scale }: Field & { readonly type: 'decimal' }): number => digits - scale;

/** Compares the digits before the point of a decimal. */
export const compareDigits: FieldRule = (before, after) => {
  if (before.type !== 'decimal' || after.type !== 'decimal') return [];
  const [was, is] = [digitsBeforePoint(before), digitsBeforePoint(after)];
  if (was === is) return [];
  const what = `${code(after.name)} may have ${is} digits before the point instead of ${was}.`;
  if (is > was) return [safe('digits/widened', `${what} All values of before are still accepted.`)];
  const why = 'Longer ones are refused with 422, even where an update sends back that of an older record.';
  return [breaking('digits/narrowed', writersOf(before, after), `${what} ${why}`)];
};

/** Compares the digits behind the point of a decimal. */
export const compareScale: FieldRule = (before, after) => {
  if (before.type !== 'decimal' || after.type !== 'decimal' || before.scale === after.scale) return [];
  const what = `${code(after.name)} has ${after.scale} digits behind the point instead of ${before.scale}.`;
  if (after.scale > before.scale) {
    return [
      safe('scale/widened', `${what} All values of before are still accepted; responses have zeros behind them.`),
    ];
  }
  const why = 'Values with more are refused with 422, and the next start is refused while a record has one.';
  return [breaking('scale/narrowed', writersOf(before, after), `${what} ${why}`)];
};
