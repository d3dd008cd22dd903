import { closest, distance } from 'fastest-levenshtein';

/** `; did you mean "x"?`, or nothing where no known name is near: at most two edits away, and fewer than half its letters. */
export function didYouMean(name: string, known: readonly string[]): string {
  if (known.length === 0 || name.length > 100) return '';
  const candidate = closest(name, known);
  const edits = distance(name, candidate);
  return edits <= 2 && edits * 2 < candidate.length ? `; did you mean ${JSON.stringify(candidate)}?` : '';
}

/** `didYouMean` for the message of `util.parseArgs` about an option that is not known; empty for any other message. */
export function optionHint(message: string, options: readonly string[]): string {
  const [, name] = /^Unknown option '(--[^']+)'/.exec(message) ?? [];
  if (name === undefined) return '';
  const known = options.map((option) => `--${option}`);
  const longer = known.find((option) => option.startsWith(`${name}-`));
  return longer === undefined ? didYouMean(name, known) : `; did you mean ${JSON.stringify(longer)}?`;
}
