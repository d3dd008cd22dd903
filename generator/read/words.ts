import { shorten } from '../../runtime/model/text.ts';

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
  const shown = more > 1 ? [...values.slice(0, longestList).map(quoted), `${more} others`] : values.map(quoted);
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(shown);
}

/** Characters that no text is meant to have: bidirectional controls, and what has no width but joins no letters. */
const misleading = /[\u00ad\u200b\u202a-\u202e\u2060-\u2069\ufeff]/;

/** Blanks that are taken for spaces, and joiners, at an end of a text, where they do nothing. */
const atEnd =
  /^["']?[\u00a0\u1680\u2000-\u200d\u202f\u205f\u3000]|[\u00a0\u1680\u2000-\u200d\u202f\u205f\u3000](?=["']?$)/;

const typographicQuotes = /^([“”„«»‘’‚‹›])[^]*([“”„«»‘’‚‹›])$/;

/** The part of a value's source that is most likely a mistake, with its offset and length. */
export function suspiciousPart(source: string): { at: number; length: number; message: string } | undefined {
  const [, open, close] = typographicQuotes.exec(source) ?? [];
  if (open !== undefined && close !== undefined) {
    const message = `YAML takes ${open} and ${close} for a part of the text; write straight quotes, " or '`;
    return { at: 0, length: source.length, message };
  }
  const found = misleading.exec(source) ?? atEnd.exec(source);
  if (!found) return undefined;
  const character = found[0].at(-1) ?? '';
  const escape = `\\u${codePoint(character).slice(2)}`;
  const message = `the text has ${codePoint(character)}, which is invisible; remove it, or write it as "${escape}" in double quotes`;
  return { at: found.index + found[0].length - 1, length: 1, message };
}

/** Letters of other scripts that look like one of a to z, by that letter. */
const lookalikes: Readonly<Record<string, string>> = {
  a: 'аαａ',
  b: 'Ьｂ',
  c: 'сϲｃ',
  d: 'ԁｄ',
  e: 'еｅ',
  f: 'ｆ',
  g: 'ɡｇ',
  h: 'һｈ',
  i: 'іιıｉ',
  j: 'јｊ',
  k: 'кκｋ',
  l: 'ӏｌ',
  m: 'мｍ',
  n: 'пηｎ',
  o: 'оοｏ',
  p: 'рρｐ',
  q: 'ԛｑ',
  r: 'гｒ',
  s: 'ѕｓ',
  t: 'тτｔ',
  u: 'υｕ',
  v: 'ѵνｖ',
  w: 'ԝωｗ',
  x: 'хχｘ',
  y: 'уγｙ',
  z: 'ｚ',
  A: 'АΑＡ',
  B: 'ВΒＢ',
  C: 'СＣ',
  E: 'ЕΕＥ',
  H: 'НΗＨ',
  I: 'ІΙＩ',
  K: 'КΚＫ',
  M: 'МΜＭ',
  N: 'ΝＮ',
  O: 'ОΟＯ',
  P: 'РΡＰ',
  S: 'ЅＳ',
  T: 'ТΤＴ',
  X: 'ХΧＸ',
  Y: 'ΥＹ',
  Z: 'ΖＺ',
  '-': '\u2010\u2011\u2012\u2013\u2014\u2212\uff0d',
  _: '\uff3f\u203f',
};

const looksLike = new Map(
  Object.entries(lookalikes).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

function describeCharacter(character: string, isAmongLatin: boolean): string {
  const code = codePoint(character);
  if (invisible.test(character)) return `${code}, which is invisible`;
  const letter = isAmongLatin ? looksLike.get(character) : undefined;
  return letter === undefined
    ? `"${character}" (${code})`
    : `"${character}" (${code}), which only looks like "${letter}"`;
}

/**
 * Names characters that readers do not see, or take for others: `; it has "е" (U+0435), which only looks like "e"`. Empty
 * where there are none.
 *
 * @param isAscii whether the text must be ASCII: then all other characters are named
 */
export function oddCharacters(text: string, isAscii = false): string {
  const hasLatin = /[A-Za-z]/.test(text);
  const isOdd = (character: string): boolean =>
    isAscii
      ? character < ' ' || character > '~'
      : (invisible.test(character) && !'\t\n\r'.includes(character)) || (hasLatin && looksLike.has(character));
  const odd = [...new Set(text.slice(0, 10_000))].filter(isOdd).slice(0, 3);
  const words = odd.map((character) => describeCharacter(character, hasLatin));
  return words.length === 0 ? '' : `; it has ${words.join(' and ')}`;
}

/** A sentence without the ends of its long words: names and values of any length stay readable. */
export const compactWords = (sentence: string): string =>
  sentence.replaceAll(/\S{120,}/g, (word) => shorten(word, longestValue) + (/[":;,]+$/.exec(word)?.[0] ?? ''));
