import { closest, distance } from 'fastest-levenshtein';

/** `; did you mean "x"?`, or nothing where none of the names is near: at most two edits away, and fewer than half its letters. */
export function didYouMean(name: string, names: readonly string[]): string {
  if (names.length === 0 || name.length > 100) return '';
  const candidate = closest(name, names);
  const edits = distance(name, candidate);
  return edits <= 2 && edits * 2 < candidate.length ? `; did you mean ${JSON.stringify(candidate)}?` : '';
}
