/** How many lines an edit adds and removes. */
export interface LineCount {
  readonly added: number;
  readonly removed: number;
}

// Beyond as many, the exact number means nothing to a reviewer and takes seconds.
const mostEdits = 5_000;

/** The lines of a text that ends with a line end. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** Counts the lines that the shortest edit from one text to another adds and removes. */
export function countLines(before: string, after: string): LineCount {
  const [a, b] = [linesOf(before), linesOf(after)];
  const edits = a.length === 0 || b.length === 0 ? a.length + b.length : (editDistance(a, b) ?? differing(a, b));
  const added = (edits + b.length - a.length) / 2;
  return { added, removed: edits - added };
}

/**
 * The number of lines that differ, by the greedy algorithm of Myers (1986): for every number of edits, how far each
 * diagonal gets. Undefined where there are too many.
 */
function editDistance(a: readonly string[], b: readonly string[]): number | undefined {
  const most = Math.min(a.length + b.length, mostEdits);
  // The furthest place in `a` on the diagonal k = place in a - place in b.
  const furthest = new Int32Array(2 * most + 3);
  const middle = most + 1;
  const at = (diagonal: number): number => furthest[middle + diagonal] ?? 0;
  for (let edits = 0; edits <= most; edits++) {
    for (let k = -edits; k <= edits; k += 2) {
      let x = k === -edits || (k !== edits && at(k - 1) < at(k + 1)) ? at(k + 1) : at(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      if (x >= a.length && x - k >= b.length) return edits;
      furthest[middle + k] = x;
    }
  }
  return undefined;
}

/** The number of lines that only one of the texts has, wherever they stand: at most what the shortest edit takes. */
function differing(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of b) counts.set(line, (counts.get(line) ?? 0) - 1);
  return counts.values().reduce((sum, count) => sum + Math.abs(count), 0);
}
