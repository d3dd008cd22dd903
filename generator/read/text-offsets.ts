import type { Scalar } from 'yaml';

/** Escapes of a text in double quotes: a line end is none of its characters. */
const escapes = /\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|\n\s*|[^])|\S/gu;

/** The parts of a text that stand for one character each: all that is not blank, and escapes. */
const parts: { readonly [style in Scalar.Type]?: RegExp } = { QUOTE_SINGLE: /''|\S/gu, QUOTE_DOUBLE: escapes };

/** Whether an escape stands for a blank, or for nothing. */
function isBlank(escape: string): boolean {
  if (/^\\(?:[ntrvf _LP]|\s)/.test(escape)) return true;
  const [, digits] = /^\\[xuU](.+)$/.exec(escape) ?? [];
  return digits !== undefined && /\s/.test(String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff)));
}

/**
 * Finds a part of a text in the source of the text. Blanks may be written in another way: lines are folded and indented. All
 * other characters follow each other in both, so they are counted.
 *
 * @param source as the file has it, with its quotes, or with the head of a block
 * @param start offset of the first character in the text; `end` is that behind the last one
 * @returns the offsets in the source
 */
export function partOfSource(
  source: string,
  { value, type }: Scalar,
  start: number,
  end: number,
): readonly [start: number, end: number] {
  const isBlock = type === 'BLOCK_FOLDED' || type === 'BLOCK_LITERAL';
  const skipped = isBlock ? source.indexOf('\n') + 1 : parts[type as Scalar.Type] ? 1 : 0;
  const body = source.slice(skipped, parts[type as Scalar.Type] ? -1 : undefined);
  const characters = [...body.matchAll(parts[type as Scalar.Type] ?? /\S/gu)].filter(([part]) => !isBlank(part));
  const countTo = (at: number): number => [...String(value).slice(0, at).replaceAll(/\s/g, '')].length;
  const first = characters[Math.min(countTo(start), characters.length - 1)];
  const last = characters[Math.max(countTo(end) - 1, countTo(start))] ?? first;
  if (!first || !last) return [0, source.length];
  return [skipped + first.index, skipped + last.index + last[0].length];
}
