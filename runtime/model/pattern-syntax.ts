/** A pattern cannot be checked in linear time. The message completes "the pattern". */
export class PatternError extends Error {}

/** A part of a pattern. */
export type PatternNode =
  /** One code point. `source` is a regular expression for it. */
  | { readonly type: 'character'; readonly source: string }
  /** A position before or after a code point that `source` matches; `edge` of the text where that is undefined. */
  | { readonly type: 'edge'; readonly side: 'start' | 'end'; readonly source: string | undefined }
  | { readonly type: 'boundary'; readonly isNegated: boolean; readonly source: string }
  | { readonly type: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number };

/** The flags that a group can change: `(?i-s:…)`. */
type Flags = Readonly<Record<'i' | 'm' | 's', boolean>>;

/** Groups in groups; each is a call of the parser. */
const maxDepth = 100;

const why = 'there are no look-arounds and back-references, as a text could keep the server busy with them';

const hex = '[0-9A-Fa-f]';
const surrogatePair = `u[Dd][89ABab]${hex}{2}\\\\u[Dd][C-Fc-f]${hex}{2}`;
const escape = `\\\\(?:[pP]\\{[^}]*\\}|u\\{${hex}+\\}|${surrogatePair}|u${hex}{4}|x${hex}{2}|c[A-Za-z]|[^])`;

const tokens = {
  lookAround: /\(\?<?[=!]/uy,
  backReference: /\\(?:[1-9]\d*|k<[^>]*>)/uy,
  group: /\((?:\?(?:<[^>]*>|([ims]*)(?:-([ims]*))?:))?/uy,
  quantifier: /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy,
  boundary: /\\[bB]/uy,
  character: new RegExp(`${escape}|\\[(?:\\\\[^]|[^\\]\\\\])*\\]|[^]`, 'uy'),
};

/**
 * Parses a regular expression of ECMAScript with the flag `u`, which must be a valid one.
 *
 * @throws PatternError for a look-around or a back-reference, and for groups that are nested too deeply
 */
export const parsePattern = (source: string): PatternNode => new Parser(source).parse();

class Parser {
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): PatternNode {
    return this.#choice({ i: false, m: false, s: false });
  }

  #take(token: RegExp): RegExpExecArray | undefined {
    token.lastIndex = this.#at;
    const match = token.exec(this.#source) ?? undefined;
    if (match) this.#at = token.lastIndex;
    return match;
  }

  #takeText(text: string): boolean {
    const isNext = this.#source.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  #choice(flags: Flags): PatternNode {
    if (++this.#depth > maxDepth) throw new PatternError(`nests more than ${maxDepth} groups`);
    const parts = [this.#sequence(flags)];
    while (this.#takeText('|')) parts.push(this.#sequence(flags));
    this.#depth--;
    return parts.length === 1 ? (parts[0] as PatternNode) : { type: 'choice', parts };
  }

  #sequence(flags: Flags): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      parts.push(this.#quantified(this.#part(flags)));
    }
    return parts.length === 1 ? (parts[0] as PatternNode) : { type: 'sequence', parts };
  }

  #quantified(part: PatternNode): PatternNode {
    const match = this.#take(tokens.quantifier);
    if (!match) return part;
    const [, sign, least, comma, most] = match;
    // A lazy quantifier matches the same strings.
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const max = sign === '?' ? 1 : sign !== undefined || (comma && !most) ? Infinity : Number(most ?? least);
    return { type: 'repeat', part, min, max };
  }

  #part(flags: Flags): PatternNode {
    const lookAround = this.#take(tokens.lookAround);
    if (lookAround) throw new PatternError(`has a look-around, ${lookAround[0]}…); ${why}`);
    const backReference = this.#take(tokens.backReference);
    if (backReference) throw new PatternError(`has a back-reference, ${backReference[0]}; ${why}`);
    const group = this.#take(tokens.group);
    if (group) return this.#group(group, flags);
    const newline = flags.m ? String.raw`[\n\r\u2028\u2029]` : undefined;
    if (this.#takeText('^')) return { type: 'edge', side: 'start', source: newline };
    if (this.#takeText('$')) return { type: 'edge', side: 'end', source: newline };
    const boundary = this.#take(tokens.boundary);
    if (boundary) return { type: 'boundary', isNegated: boundary[0] === '\\B', source: withFlags('\\w', flags) };
    const source = this.#take(tokens.character)?.[0] ?? '';
    return { type: 'character', source: withFlags(source, flags) };
  }

  #group([, added = '', removed = '']: RegExpExecArray, flags: Flags): PatternNode {
    const isSet = (flag: keyof Flags): boolean => !removed.includes(flag) && (flags[flag] || added.includes(flag));
    const inner = this.#choice({ i: isSet('i'), m: isSet('m'), s: isSet('s') });
    this.#takeText(')');
    return inner;
  }
}

const withFlags = (source: string, { i, s }: Flags): string =>
  i || s ? `(?${i ? 'i' : ''}${s ? 's' : ''}:${source})` : source;
