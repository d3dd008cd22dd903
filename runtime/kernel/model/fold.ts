/** Raised with each change of what is folded, or of what a word is: a start then stores the words and folded texts of all rows again. */
export const foldVersion = 2;

/** Characters that are folded at a time: each becomes up to 18, of which only as many are wanted as callers say. */
const sliceLength = 1_000;

/**
 * A text as searches and `ignore_case` compare it: NFKC, with full case folding, the final sigma as any other, and without
 * accents. A mark is an accent in Latin, Greek, Cyrillic, Hebrew and Arabic; in other scripts it is a sound, and stays.
 *
 * @param maxLength characters of the folded text after which the rest is left out, nearly
 */
export function foldText(text: string, maxLength = Infinity): string {
  let folded = '';
  for (let start = 0, end = 0; start < text.length && folded.length < maxLength; start = end) {
    end = start + sliceLength;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++;
    folded += foldSlice(text.slice(start, end));
  }
  // A character that is composed may have begun in the slice before.
  return folded.normalize('NFC');
}

/** Case folding: letters like `ß` and `ss`, or `ı` and `i`, only share the lower case of their upper case. */
const foldSlice = (text: string): string =>
  text
    .replace(longRuns, '$1')
    .normalize('NFKD')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(accents, '')
    .replace(otherLetters, (letter) => plainLetters[letter] as string);

/** Marks, and the characters that become marks. Normalizing sorts each run in quadratic time, and no text has more in one. */
const longRuns = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

const accents = /[\p{M}&&[\p{scx=Zinh}\p{scx=Latn}\p{scx=Grek}\p{scx=Cyrl}\p{scx=Hebr}\p{scx=Arab}]]+/gv;

/** Letters that are written without their accents although they do not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ς: 'σ',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
};

const otherLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'g');

/** Whether a unit of UTF-16 is the first half of a character. */
export const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
