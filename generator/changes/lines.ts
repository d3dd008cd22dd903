import { diffLines } from 'diff';

/** The numbers of lines that an edit adds and removes. */
export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

// Beyond as many edits, the exact numbers mean nothing to a reviewer and take seconds.
const maxEditLength = 2_000;

const lineCount = (content: string): number => (content.match(/[^\n]*\n|[^\n]+$/g) ?? []).length;

/** Counts the lines that an edit adds and removes; where there are too many of them, all lines are. */
export function countLines(before: string, after: string): LineCount {
  const parts = diffLines(before, after, { maxEditLength, ignoreNewlineAtEof: true });
  if (!parts) return { added: lineCount(after), removed: lineCount(before) };
  const sum = (key: 'added' | 'removed'): number =>
    parts.reduce((count, part) => count + (part[key] ? part.count : 0), 0);
  return { added: sum('added'), removed: sum('removed') };
}
