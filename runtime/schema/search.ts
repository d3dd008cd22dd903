/** Characters of a word that are compared: longer ones are cut. */
const maxWordLength = 200;

/**
 * The words of a text, as they are searched for: without accents, in lower case, the final sigma as any other. A word is a run
 * of letters and decimal digits of any script.
 */
export function fold(text: string): string[] {
  const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
  return (folded.match(/[\p{L}\p{Nd}]+/gu) ?? []).map(cut);
}

const cut = (word: string): string =>
  word.length <= maxWordLength
    ? word
    : Array.from(word.slice(0, 2 * maxWordLength))
        .slice(0, maxWordLength)
        .join('');
