import { shorten } from '../../runtime/kernel/model/text.ts';
import { either } from '../model/names.ts';

/** The longest value that a message shows, and the longest list of values. */
const longestValue = 80;
const longestList = 12;

/** Characters that show nothing: controls, format characters, and blanks other than the space. */
const invisible = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** A code point as Unicode writes it: `U+0435`. */
const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A value as JSON, shortened, with every invisible character as an escape. */
export function quoted(value: unknown): string {
  const json = JSON.stringify(typeof value === 'string' ? shorten(value, longestValue) : value) ?? String(value);
  return shorten(json, 2 * longestValue).replaceAll(
    new RegExp(invisible, 'gu'),
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** `"x", "y" or "z"`; of a long list the beginning. */
export function oneOfWords(values: readonly unknown[]): string {
  const more = values.length - longestList;
  const words = more > 1 ? [...values.slice(0, longestList).map(quoted), `${more} others`] : values.map(quoted);
  return either(words);
}

/** Controls that reorder a text on the screen, and characters without a width: a reviewer does not see what is executed (CVE-2021-42574). */
const misleading = /[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff]/;

/** Blanks that are taken for spaces, and joiners, at an end of a text, where they do nothing. */
const atEnd =
  /^["']?[\u00a0\u1680\u2000-\u200d\u202f\u205f\u3000]|[\u00a0\u1680\u2000-\u200d\u202f\u205f\u3000](?=["']?$)/;

const typographicQuotes = /^([“”„«»‘’‚‹›])[^]*([“”„«»‘’‚‹›])$/;

/** A part of a text's source, by its offset and length, that no text may have or that is most likely a mistake. */
interface OddPart {
  readonly at: number;
  readonly length: number;
  readonly message: string;
  readonly severity: 'error' | 'warning';
}

/** The first such part of a text, of which the value is known too: its source may have escapes. */
export function oddPart(source: string, value: string): OddPart | undefined {
  const whole = { at: 0, length: source.length };
  const [hidden] = misleading.exec(value) ?? [];
  if (hidden !== undefined) {
    const at = source.indexOf(hidden);
    const message = `the text has ${codePoint(hidden)}, which is invisible; remove it`;
    return { ...(at === -1 ? whole : { at, length: 1 }), message, severity: 'error' };
  }
  const [, open, close] = typographicQuotes.exec(source) ?? [];
  if (open !== undefined && close !== undefined) {
    const message = `YAML takes ${open} and ${close} for a part of the text; write straight quotes, " or '`;
    return { ...whole, message, severity: 'warning' };
  }
  const blank = atEnd.exec(source);
  if (!blank) return undefined;
  const code = codePoint(blank[0].at(-1) ?? '');
  const escape = `"\\u${code.slice(2)}"`;
  const message = `the text has ${code}, which is invisible; remove it, or write it as ${escape} in double quotes`;
  return { at: blank.index + blank[0].length - 1, length: 1, message, severity: 'warning' };
}

/** Characters that readers take for those of ASCII: letters of scripts that share shapes with it, hyphens, wide forms. */
const lookalike = /[\p{Script=Cyrillic}\p{Script=Greek}\u0261\u2010-\u2014\u203f\u2212\uff01-\uff5e]/u;

const describeCharacter = (character: string): string =>
  invisible.test(character)
    ? `${codePoint(character)}, which is invisible`
    : `"${character}" (${codePoint(character)})`;

/**
 * Names characters that readers do not see, or take for others: `; it has "е" (U+0435)`. Empty where there
 * are none.
 *
 * @param isAscii whether the text must be ASCII: then all other characters are named
 */
export function oddCharacters(text: string, isAscii = false): string {
  const hasLatin = /[A-Za-z]/.test(text);
  const isOdd = (character: string): boolean =>
    isAscii
      ? character < ' ' || character > '~'
      : (invisible.test(character) && !'\t\n\r'.includes(character)) || (hasLatin && lookalike.test(character));
  const odd = [...new Set(text.slice(0, 10_000))].filter(isOdd).slice(0, 3);
  return odd.length === 0 ? '' : `; it has ${odd.map(describeCharacter).join(' and ')}`;
}

/** A sentence without the ends of its long words: names and values of any length stay readable. */
export const compactWords = (sentence: string): string =>
  sentence.replaceAll(/\S{120,}/g, (word) => shorten(word, longestValue) + (/[":;,]+$/.exec(word)?.[0] ?? ''));
