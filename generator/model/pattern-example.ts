import { LinearPattern } from '../../runtime/kernel/model/linear-pattern.ts';
import { size } from '../../runtime/kernel/values/text.ts';
import { character } from './pattern.ts';

/** The longest text that is made as an example. */
const maxLength = 200;

const tokens = {
  group: /\((?:\?(?:<[^>]*>|:))?/uy,
  quantifier: /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy,
  character: new RegExp(`${character}|[^]`, 'uy'),
};

/** Makes a text that a part of a pattern matches. @param more repetitions than it needs; undefined if the text is too long, or there is none */
type TextMaker = (more: number, isLonger: boolean) => string | undefined;

const join = (texts: readonly (string | undefined)[]): string | undefined => {
  const text = texts.includes(undefined) ? undefined : texts.join('');
  return text !== undefined && text.length <= maxLength ? text : undefined;
};

/** Reads a regular expression that is known to be right. */
class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** The shortest or the longest text of the alternatives. */
  choice(): TextMaker {
    const parts = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      parts.push(this.#sequence());
    }
    return (more, isLonger) =>
      parts
        .flatMap((part) => part(more, isLonger) ?? [])
        .toSorted((a, b) => (isLonger ? b.length - a.length : a.length - b.length))[0];
  }

  #sequence(): TextMaker {
    const parts: TextMaker[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      parts.push(this.#quantified(this.#unit()));
    }
    return (more, isLonger) => join(parts.map((part) => part(more, isLonger)));
  }

  #unit(): TextMaker {
    if (this.#read(tokens.group)) {
      const inner = this.choice();
      this.#at++;
      return inner;
    }
    const [source = ''] = this.#read(tokens.character) ?? [];
    const text = source === '^' || source === '$' ? '' : firstOf(source);
    return () => text;
  }

  #quantified(part: TextMaker): TextMaker {
    const [quantifier, sign, least, comma, most] = this.#read(tokens.quantifier) ?? [];
    if (quantifier === undefined) return part;
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const max = sign === '?' ? 1 : sign !== undefined || (comma && !most) ? Infinity : Number(most ?? least);
    return (more, isLonger) => {
      const count = Math.min(min + more, max);
      const text = count === 0 ? '' : part(more, isLonger);
      return text === undefined || text.length * count > maxLength ? undefined : text.repeat(count);
    };
  }

  #read(token: RegExp): RegExpExecArray | null {
    token.lastIndex = this.#at;
    const match = token.exec(this.#source);
    if (match) this.#at = token.lastIndex;
    return match;
  }
}

/** A text of `min` to `max` characters that a pattern matches, a short one; undefined where none is found soon. */
export function exampleOfMatch(source: string, min: number, max: number): string | undefined {
  const pattern = new LinearPattern(source);
  const whole = new Reader(source).choice();
  for (let more = 0; more <= Math.min(max, maxLength); more++) {
    for (const isLonger of [false, true]) {
      const text = whole(more, isLonger);
      // Any characters may follow where the pattern has no end.
      const fitting = [text, text?.padEnd(min, 'x')].find(
        (candidate) =>
          candidate !== undefined && size(candidate) >= min && size(candidate) <= max && pattern.test(candidate),
      );
      if (fitting !== undefined) return fitting;
    }
  }
  return undefined;
}

/** The characters of texts up to a code point, readable ones first: all but U+0000 and the surrogates. */
function charactersTo(last: number): string {
  let characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 -_.,:/@';
  for (let codePoint = 1; codePoint <= last; codePoint++) {
    if (codePoint < 0xd800 || codePoint > 0xdfff) characters += String.fromCodePoint(codePoint);
  }
  return characters;
}

const latin = charactersTo(0x24f);
let all: string | undefined;

/** The first character that a regular expression matches. */
function firstOf(source: string): string | undefined {
  const regExp = RegExp(source, 'u');
  return (regExp.exec(latin) ?? regExp.exec((all ??= charactersTo(0x10ffff))))?.[0];
}
