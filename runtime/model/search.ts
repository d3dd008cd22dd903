import { maxSearchLength } from './limits.ts';

/** Characters that are folded at a time: each becomes up to 18, of which only as many are wanted as `fold` is told. */
const sliceLength = 1_000;

/**
 * A text as searches and `ignore_case` compare it: without accents, in lower case, the final sigma as any other.
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
  return folded;
}

/**
 * The words of a text, as they are searched for: runs of letters and decimal digits of any script in the folded text.
 *
 * @param maxLength characters of the folded text that are read, nearly
 */
export const fold = (text: string, maxLength?: number): string[] =>
  (foldText(text, maxLength).match(/[\p{L}\p{Nd}]+/gu) ?? []).map(cut);

/** Marks are removed twice: normalizing sorts long runs of them in quadratic time, and makes new ones of letters. */
const foldSlice = (text: string): string =>
  text.replace(marks, '').normalize('NFKD').replace(marks, '').toLowerCase().replaceAll('ς', 'σ');

const marks = /\p{M}+/gu;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** The characters of a word that are compared: no search is longer. */
const cut = (word: string): string =>
  word.length <= maxSearchLength
    ? word
    : Array.from(word.slice(0, 2 * maxSearchLength))
        .slice(0, maxSearchLength)
        .join('');
