/** An entry of the palette: a page, an action, or a record. */
export interface Command {
  /** No two entries have the same. */
  readonly key: string;
  readonly label: string;
  /** It tells apart entries with the same label. */
  readonly hint?: string;
  /** It is called when the palette is closed. */
  readonly run: () => unknown;
}

/** Entries of one kind. */
export interface Group {
  readonly title: string;
  readonly commands: readonly Command[];
  /** They belong to a text that has changed since: they are shown until others come, and cannot be chosen. */
  readonly isLate?: boolean;
}

/** A text without case and accents. */
const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const wordsOf = (text: string): readonly string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a word of a text begins with a word of another one. */
export function sharesWord(text: string, searched: string): boolean {
  const words = wordsOf(text);
  return wordsOf(searched).some((word) => words.some((other) => other.startsWith(word)));
}

/** The rank of entries that a text does not match. */
const unmatched = 4;

/** How well an entry matches a text: 0 if its label is the text, 1 if it begins with it, then if each word begins one of its label, or of its hint, too. */
function rankOf({ label, hint = '' }: Command, text: string): number {
  const [name, whole] = [folded(label), folded(text)];
  const hasWords = (own: readonly string[]): boolean =>
    wordsOf(text).every((word) => own.some((other) => other.startsWith(word)));
  const isMatch = [
    name === whole,
    name.startsWith(whole),
    hasWords(wordsOf(label)),
    hasWords(wordsOf(`${label} ${hint}`)),
  ];
  return isMatch.includes(true) ? isMatch.indexOf(true) : unmatched;
}

export const matches = (command: Command, text: string): boolean => rankOf(command, text) < unmatched;

/** Groups and their entries, those first that match a text best; otherwise in their order. Late groups are the last. */
export function ranked(groups: readonly Group[], text: string): readonly Group[] {
  const sort = <T>(all: readonly T[], rank: (one: T) => number): T[] => {
    const ranks = new Map(all.map((one) => [one, rank(one)]));
    return all.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0));
  };
  const sorted = groups.map((group) => ({ ...group, commands: sort(group.commands, (one) => rankOf(one, text)) }));
  return sort(sorted, ({ commands: [first], isLate }) => (first && !isLate ? rankOf(first, text) : unmatched));
}
