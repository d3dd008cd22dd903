import { closest, distance } from 'fastest-levenshtein';

/** The name that was probably meant, if one is near: at most two edits away, and fewer than half of its letters. */
export function suggest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0 || name.length > 100) return undefined;
  const candidate = closest(name, known);
  const edits = distance(name, candidate);
  return edits <= 2 && edits * 2 < candidate.length ? candidate : undefined;
}

/** `; did you mean "x"?`, or nothing. */
export function didYouMean(name: string, known: readonly string[]): string {
  const candidate = suggest(name, known);
  return candidate === undefined ? '' : `; did you mean ${JSON.stringify(candidate)}?`;
}
