import type { Json, Stored } from '../support/records.ts';
import type { Random } from '../support/random.ts';

/** Words and what is between them, in several scripts; some have no letter and no digit. */
const vocabulary = [
  'Invoice',
  'invoices',
  'überfällig',
  'U\u0308berweisung',
  'straße',
  'naïve',
  'ΌΔΟΣ',
  'σοφός',
  'Σίσυφος',
  'Ёлка',
  'ЁЖ',
  '日本語',
  '日本',
  'हिन्दी',
  '१२३',
  'العَرَبِيَّة',
  '٣٤',
  'ﬁne',
  '①',
  '½',
  'İstanbul',
  'ıstanbul',
  '한국어',
  '\u1112\u1161\u11ab',
  '𝒳𝒴',
  '𐐷𐐨',
  'Å',
  'A\u030a',
  '12',
  '123',
  'AND',
  'OR',
  'NOT',
  'NEAR(a',
  'col:x',
  '^y*',
  "o'neil",
  '"quoted"',
  "a'b:*&!c|<->d",
  'x'.repeat(199),
  'x'.repeat(200),
  '𐐨'.repeat(120),
  '🙂',
  '👩‍👩‍👧',
  '…',
  '%_\\',
  '1·2',
];
const separators = [' ', '  ', ', ', '-', '_', '\t', '\n', '\u00a0', '\u200b', '.', '·', '/', '🙂', ''];

/** Short words: a field of at most 140 characters holds several. */
const short = vocabulary.filter((word) => word.length < 20);

const letter = /[\p{L}\p{Nd}]/u;
const mark = /\p{M}/u;

/** The words of a text, character by character as the interface describes them. */
export function wordsIn(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (const character of `${text.normalize('NFKD')} `) {
    if (mark.test(character)) continue;
    const small = character.toLowerCase();
    if (letter.test(small)) {
      word += small === 'ς' ? 'σ' : small;
    } else if (word !== '') {
      words.push([...word].slice(0, 200).join(''));
      word = '';
    }
  }
  return words;
}

const known = new Map<string, readonly string[]>();

/** Whether each word of the search begins a word of one of the texts. */
export function isFoundIn(texts: readonly Json[], q: string): boolean {
  const all = texts.flatMap((text) => (typeof text === 'string' ? known.getOrInsertComputed(text, wordsIn) : []));
  return wordsIn(q).every((word) => all.some((one) => one.startsWith(word)));
}

/** A text of a few words; null or empty now and then. */
export function textOf(random: Random, maxWords: number): string | null {
  if (random.chance(0.08)) return random.of([null, '']);
  const words = Array.from({ length: 1 + random.below(maxWords) }, () => random.of(maxWords < 5 ? short : vocabulary));
  return words.map((word) => word + random.of(separators)).join('');
}

/** A word in other letters that mean the same, or none of it. */
function variantOf(word: string, random: Random): string {
  switch (random.below(7)) {
    case 0:
      return word.toUpperCase();
    case 1:
      return word.toLowerCase();
    case 2:
      return word.normalize('NFC');
    case 3:
      return word.normalize('NFD');
    case 4:
      return word.replace(letter, '$&\u0301');
    default:
      return word;
  }
}

/** A search text: words of the vocabulary, their beginnings and variants, and words that no record has. */
export function searchOf(random: Random): string {
  const words = Array.from({ length: 1 + random.below(random.chance(0.1) ? 12 : 3) }, () => {
    if (random.chance(0.05)) return random.of(['absent', 'q'.repeat(60), '🙂', '"', '*', "'", '\\', '-', '\u0301']);
    const word = variantOf(random.of(vocabulary), random);
    return random.chance(0.5) ? word : [...word].slice(0, 1 + random.below(4)).join('');
  });
  const text = words.join(random.of(separators));
  return random.chance(0.95) ? [...text].slice(0, 200).join('') : text;
}

/** Why a search is refused; undefined where it is not. */
export function refusalOf(q: string): string | undefined {
  const length = [...q].length;
  if (length < 1 || length > 200) return 'must be 1 to 200 characters long';
  const words = wordsIn(q);
  if (words.length === 0) return 'has no word: no letter and no digit';
  return words.length > 10 ? 'must have at most 10 words' : undefined;
}

/** By code points; null last. */
export function compareTexts(a: Json | undefined, b: Json | undefined): number {
  if (typeof a !== 'string' || typeof b !== 'string')
    return Number(typeof a !== 'string') - Number(typeof b !== 'string');
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Newest first, as ids rise with time. */
export const newestFirst = (a: Stored, b: Stored): number => compareTexts(b.id, a.id);
