import { foldText, isHighSurrogate } from '../../kernel/model/fold.ts';
import { maxSearchLength } from './limits.ts';

/** The words of a folded text: runs of letters, marks and decimal digits of any script. */
const words = /[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}]*/gu;

/** Scripts that put no spaces between words. Thai shares the letter U+02BC with others. */
const spaceless = String.raw`[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]--[\u02bc]`;
const hasSpaceless = new RegExp(`[${spaceless}]`, 'v');
const parts = new RegExp(`[${spaceless}]+|[^[${spaceless}]]+`, 'gv');

/** Letters of a stored word in these scripts. A word begins at each letter, so that a search finds it at any place. */
const spacelessLength = 3;

/**
 * The words of a text as rows hold them.
 *
 * @param maxLength characters of the folded text that are read, nearly
 */
export function storedWords(text: string, maxLength?: number): Iterable<string> {
  const folded = foldText(text, maxLength);
  const found = folded.match(words) ?? [];
  return hasSpaceless.test(folded) ? dividedWords(found) : found.map(cut);
}

function* dividedWords(found: readonly string[]): Generator<string> {
  for (const word of found) {
    for (const part of word.match(parts) ?? []) {
      if (hasSpaceless.test(part)) yield* windows(part);
      else yield cut(part);
    }
  }
}

/** For each word of a search, texts that must each begin a stored word of a row. */
export const searchedWords = (text: string): readonly (readonly string[])[] =>
  (foldText(text).match(words) ?? []).map((word) =>
    (word.match(parts) ?? []).flatMap((part) => {
      if (!hasSpaceless.test(part)) return [cut(part)];
      const all = [...windows(part)];
      // The last two are the ends of longer ones.
      return all.slice(0, Math.max(1, all.length - spacelessLength + 1));
    }),
  );

/** The letters from each one on, as many as a stored word has. */
function* windows(part: string): Generator<string> {
  for (let start = 0; start < part.length; start = next(part, start)) {
    let end = start;
    for (let n = 0; n < spacelessLength; n++) end = next(part, end);
    yield part.slice(start, end);
  }
}

/** The place behind the character at a place. */
const next = (text: string, at: number): number => at + (isHighSurrogate(text.charCodeAt(at)) ? 2 : 1);

/** The characters of a word that are compared: no search is longer. */
const cut = (word: string): string =>
  word.length <= maxSearchLength
    ? word
    : Array.from(word.slice(0, 2 * maxSearchLength))
        .slice(0, maxSearchLength)
        .join('');
