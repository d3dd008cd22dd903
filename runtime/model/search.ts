/** Characters of a word that are compared: longer ones are cut. */
const maxWordLength = 200;

/** Characters that are folded at a time: each becomes up to 18, of which only as many are wanted as `fold` is told. */
const sliceLength = 1_000;

/**
 * The words of a text, as they are searched for: without accents, in lower case, the final sigma as any other. A word is a run
 * of letters and decimal digits of any script.
 *
 * @param maxLength characters of the folded text that are read, nearly
 */
export function fold(text: string, maxLength = Infinity): string[] {
  let folded = '';
  for (let start = 0, end = 0; start < text.length && folded.length < maxLength; start = end) {
    end = start + sliceLength;
    if (isHighSurrogate(text.charCodeAt(end - 1))) end++;
    folded += foldSlice(text.slice(start, end));
  }
  return (folded.match(/[\p{L}\p{Nd}]+/gu) ?? []).map(cut);
}

/** Marks are removed twice: normalizing sorts long runs of them in quadratic time, and makes new ones of letters. */
const foldSlice = (text: string): string =>
  text.replace(marks, '').normalize('NFKD').replace(marks, '').toLowerCase().replaceAll('ς', 'σ');

const marks = /\p{M}+/gu;

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

const cut = (word: string): string =>
  word.length <= maxWordLength
    ? word
    : Array.from(word.slice(0, 2 * maxWordLength))
        .slice(0, maxWordLength)
        .join('');
