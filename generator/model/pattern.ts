import { Pattern, PatternError, type State } from '../../runtime/rules/pattern.ts';

/** States of one layer after which a search for a match gives up. */
const maxStates = 1_000;

/** A pattern, or why it is none, to follow the name of its field. */
export function readPattern(source: string): Pattern | string {
  // The slashes around a pattern are escaped.
  const [, inner] = /^\/(.*[^\\])\/[dgimsuvy]*$/s.exec(source) ?? [];
  if (inner !== undefined) {
    return `a pattern is written without slashes around it: ${inner} (to search for slashes, write \\/)`;
  }
  try {
    return new Pattern(source);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof PatternError) return `the pattern ${message}`;
    // The end of "Invalid regular expression: /(/u: Unterminated group".
    return `the pattern is not a valid regular expression: ${message.split(': ').at(-1)}`;
  }
}

/** Characters to read: those that `exampleOfMatch` tries first. */
const readable = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -_.,:/@'].map((character) =>
  character.charCodeAt(0),
);

/** The longest text that is made as an example. */
const maxExampleLength = 200;

/** A text of `min` to `max` characters that a pattern matches, as short as possible; undefined where none is found soon. */
export function exampleOfMatch(pattern: Pattern, min: number, max: number): string | undefined {
  // One character of each set that the pattern names, and one of any, are enough to find a match.
  const others = ['[^]', ...pattern.sets].flatMap((source) => firstOf(source) ?? []);
  const alphabet = [...new Set([...readable, ...others])];
  let layer = new Map([[pattern.start, '']]);
  for (let length = 0; length <= Math.min(max, maxExampleLength) && layer.size <= maxStates; length++) {
    const next = new Map<State, string>();
    for (const [state, text] of layer) {
      if (length >= min && (state.isMatch || state.isMatchAtEnd)) return text;
      for (const codePoint of alphabet) {
        const longer = text + String.fromCodePoint(codePoint);
        const found = pattern.next(state, codePoint);
        // Any characters may follow.
        if (found.isMatch) {
          if (length < max) return longer + 'x'.repeat(Math.max(min - length - 1, 0));
        } else if ((found.isMatchAtEnd || found.characters.length > 0) && !next.has(found)) next.set(found, longer);
      }
    }
    layer = next;
  }
  return undefined;
}

/** The characters that texts can hold up to a code point: all but U+0000 and the surrogates. */
function charactersTo(last: number): string {
  let characters = '';
  for (let codePoint = 1; codePoint <= last; codePoint++) {
    if (codePoint < 0xd800 || codePoint > 0xdfff) characters += String.fromCodePoint(codePoint);
  }
  return characters;
}

const latin = charactersTo(0x24f);
let all: string | undefined;

/** The first code point that a regular expression matches. */
function firstOf(source: string): number | undefined {
  const regExp = RegExp(source, 'u');
  const match = regExp.exec(latin) ?? regExp.exec((all ??= charactersTo(0x10ffff)));
  return match?.[0].codePointAt(0);
}
