import { shorten } from '../runtime/errors.ts';

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
