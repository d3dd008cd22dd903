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

const mebibytes = String.raw`\d|[1-5]\d|6[0-4]`;
const kibibytes = String.raw`\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-6]`;
const tooLarge = `max_body can be at most ${maxMaxBody} MiB`;

/** A `max_body`, which is at most 64 MiB. */
export const sizeRule: Schema = {
  maximum: maxMaxBody * 1024 ** 2,
  allOf: [{ pattern: `^(?:(?:${mebibytes}) MiB|(?:${kibibytes}) KiB)$`, patternErrorMessage: tooLarge }],
};

/** A text. Editors read patterns with the flag `u`: there, a surrogate of a pair is a part of its character. */
export const textRule = only(String.raw`[^\u0000\uD800-\uDFFF]`, 'must not contain U+0000 or a lone surrogate');

/** A number that is finite. */
export const numberRule: Schema = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE };

const lookAroundFree = String.raw`\[(?:[^\\\]]|\\[^])*\]|\\[^]|\((?!\?<?[=!])|[^\\([]`;

/** A regular expression, as far as patterns and editors that know the format can tell. */
export const patternRule: Schema = {
  format: 'regex',
  allOf: [
    butNot(String.raw`/[^]*[^\\]/[dgimsuvy]*`, 'a pattern is written without slashes around it'),
    only(lookAroundFree, 'must be a regular expression without look-arounds'),
    only(String.raw`[^\\]|\\[^1-9k]`, 'must be a regular expression without back-references'),
  ],
};
