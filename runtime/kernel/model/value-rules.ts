/** Rules of values that need neither zod nor Node: the console checks the rows of files by them in a browser. */
import type { Pattern } from '../values/pattern.ts';
import { size } from '../values/text.ts';
import type { CommonFieldErrorCode, FieldErrorOf } from './error-codes.ts';
import { maxTextLength } from './limits.ts';

/** A broken rule. Formats have codes of their own. */
export type Rule<Code extends string = CommonFieldErrorCode> = Pick<FieldErrorOf<Code>, 'code' | 'message'>;

/** The limit that a text breaks. Lengths count code points; `pattern` is searched for, as in JSON Schema. */
export function brokenTextLimit(
  value: string,
  { min = 0, max = maxTextLength, pattern }: { min?: number; max?: number; pattern?: Pattern | undefined },
): Rule | undefined {
  // A code point takes one or two UTF-16 units, so most texts need no counting.
  if (value.length > max * 2 || (value.length > max && size(value) > max)) {
    return { code: 'too_long', message: `must be at most ${max} characters long` };
  }
  if (value.length < min * 2 && size(value) < min) {
    return { code: 'too_short', message: `must be at least ${min} characters long` };
  }
  if (pattern && !pattern.test(value)) {
    return { code: 'pattern_mismatch', message: `must match the pattern ${pattern.source}` };
  }
  return undefined;
}

/** The limit that a number breaks. */
export function brokenNumberLimit(
  value: number,
  { min = -Infinity, max = Infinity }: { min?: number; max?: number },
): Rule | undefined {
  if (value < min) return { code: 'too_small', message: `must be at least ${min}` };
  if (value > max) return { code: 'too_large', message: `must be at most ${max}` };
  return undefined;
}

/** The rule that a string breaks if a database cannot store it, or if it has lone surrogates, which UTF-8 cannot carry. */
export function unstorable(value: string): Rule | undefined {
  if (value.includes('\0')) return { code: 'invalid_text', message: 'must not contain U+0000' };
  if (!value.isWellFormed()) return { code: 'invalid_text', message: 'must not contain a lone surrogate' };
  return undefined;
}
