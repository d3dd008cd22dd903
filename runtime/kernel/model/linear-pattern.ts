import { RE2JS } from 're2js';
import { type Pattern, usePatterns } from '../values/pattern.ts';

/** The white space of ECMAScript, and all other characters: RE2 knows that of ASCII only. */
const space = String.raw`\t-\r \xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const notSpace =
  String.raw`\x00-\x08\x0e-\x1f!-\x9f\xa1-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
  String.raw`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

/** The parts of a regular expression that RE2 reads differently, in a class of characters and outside; `[` begins one outside. */
const translations: Readonly<Record<string, readonly [inClass: string, outside: string]>> = {
  '.': ['.', String.raw`[^\n\r\x{2028}\x{2029}]`],
  '[': [String.raw`\[`, '['],
  [String.raw`\s`]: [space, `[${space}]`],
  [String.raw`\S`]: [notSpace, `[${notSpace}]`],
};

/** Translates a regular expression of ECMAScript with the flag `u` for RE2. */
function translate(source: string): string {
  let isInClass = false;
  return RE2JS.translateRegExp(source).replaceAll(/\\[pP]\{(?:sc|Script)=|\\[^]|[.[\]]/gu, (token) => {
    const translated = translations[token]?.[isInClass ? 0 : 1] ?? token.replace(/\w+=$/, '');
    if (token === '[' || token === ']') isInClass = token === '[';
    return translated;
  });
}

/**
 * A regular expression of ECMAScript with the flag `u`, searched for in time that is linear in the length of the text.
 * The engine of the platform backtracks: a text of 40 characters can keep it busy for hours. The generator refuses patterns that
 * RE2 does not know or reads differently. Rules of a process that loads this module search by it, too.
 */
export class LinearPattern implements Pattern {
  readonly source: string;
  readonly #automaton: RE2JS;

  /** @throws RE2JSSyntaxException for a pattern that RE2 does not know. */
  constructor(source: string) {
    this.source = source;
    this.#automaton = RE2JS.compile(translate(source));
  }

  /** The length of its program. */
  get instructions(): number {
    return this.#automaton.programSize();
  }

  /** Whether a part of the text matches. */
  test(text: string): boolean {
    return this.#automaton.test(text);
  }
}

usePatterns((source) => new LinearPattern(source));
