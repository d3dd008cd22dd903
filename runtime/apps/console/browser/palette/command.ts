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

/** The entries in which each word of a text begins a word, first those whose label begins with the text. */
export function matching(commands: readonly Command[], text: string): readonly Command[] {
  const searched = wordsOf(text);
  const matches = commands.filter(({ label, hint = '' }) => {
    const words = wordsOf(`${label} ${hint}`);
    return searched.every((word) => words.some((other) => other.startsWith(word)));
  });
  const begins = ({ label }: Command): boolean => folded(label).startsWith(folded(text.trim()));
  return [...matches.filter(begins), ...matches.filter((command) => !begins(command))];
}
