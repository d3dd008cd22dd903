import { maxPattern } from '../../runtime/features/sequences/limits.ts';
import { maxMaxBody } from '../model/language.ts';

/** A JSON Schema, or a part of one. */
export type Schema = { [keyword: string]: unknown };

/** A text that does not match the pattern as a whole. */
export const butNot = (pattern: string, patternErrorMessage: string): Schema => ({
  pattern: `^(?!(?:${pattern})$)`,
  patternErrorMessage,
});

/** A text of parts that match the pattern. */
const only = (pattern: string, patternErrorMessage: string): Schema => ({
  pattern: `^(?:${pattern})*$`,
  patternErrorMessage,
});

/** A number of bytes of a `max_body`. */
export const sizeRule: Schema = { maximum: maxMaxBody * 1024 ** 2 };

/** A text. Editors read patterns with the flag `u`: there, a surrogate of a pair is a part of its character. */
export const textRule = only(String.raw`[^\u0000\uD800-\uDFFF]`, 'must not contain U+0000 or a lone surrogate');

/** A decimal, whatever its digits. */
export const decimalRule: Schema = {
  pattern: String.raw`^(?!-[0.]+$)-?(?:0|[1-9]\d*)(?:\.\d+)?$`,
  patternErrorMessage: 'must be a decimal number in plain notation, like 12.50',
};

/** A number that is finite. */
export const numberRule: Schema = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE };

const sequencePart = String.raw`(?:[^{}\u0000-\u001f]|\{(?:yyyy|yy|mm)\})*`;

/** A pattern of a sequence: no part twice, and no month without its year. */
export const sequenceRule: Schema = {
  maxLength: maxPattern,
  pattern:
    String.raw`^(?!\s|.*\s$|.*(\{\w+\}).*\1)(?!(?!.*\{yy(?:yy)?\}).*\{mm\})` +
    String.raw`${sequencePart}\{0{1,12}\}${sequencePart}$`,
  patternErrorMessage: 'must be a pattern with one place for the digits, like INV-{yyyy}-{0000}',
  examples: ['INV-{yyyy}-{0000}', '{0000}'],
};

/** A regular expression, as far as editors that know the format can tell. */
export const patternRule: Schema = { format: 'regex' };
