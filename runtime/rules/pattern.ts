/** A pattern cannot be checked in linear time. The message completes "the pattern". */
export class PatternError extends Error {}

/** Groups in groups; each is a call of the parser. */
const maxDepth = 100;

/** Instructions of an automaton, in which repetitions are written out: a step takes time in proportion to them. */
const maxInstructions = 2_000;

/** Numbers that a pattern keeps of the steps it has taken; then it forgets them. */
const maxRemembered = 50_000;

/** Code points whose classes are kept together. */
const pageSize = 256;

const hex = '[0-9A-Fa-f]';
const surrogatePair = `u[Dd][89ABab]${hex}{2}\\\\u[Dd][C-Fc-f]${hex}{2}`;
const escape = `\\\\(?:[pP]\\{[^}]*\\}|u\\{${hex}+\\}|${surrogatePair}|u${hex}{4}|x${hex}{2}|c[A-Za-z]|[^])`;

const slow = 'there are no look-arounds and back-references, as a text could keep the server busy with them';
const rare = 'there are no word boundaries and no flags of groups';

/** Parts of patterns that are refused, and why. */
const refusals: readonly (readonly [token: RegExp, name: string, why: string])[] = [
  [/\(\?<?[=!]/uy, 'a look-around', slow],
  [/\\(?:[1-9]\d*|k<[^>]*>)/uy, 'a back-reference', slow],
  [/\\[bB]/uy, 'a word boundary', rare],
  [/\(\?[ims-]+:/uy, 'flags of a group', rare],
];

const tokens = {
  group: /\((?:\?(?:<[^>]*>|:))?/uy,
  or: /\|/uy,
  end: /\)/uy,
  quantifier: /(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/uy,
  character: new RegExp(`${escape}|\\[(?:\\\\[^]|[^\\]\\\\])*\\]|[^]`, 'uy'),
};

/** An instruction of the nondeterministic automaton; numbers are those of the instructions that follow. */
type Instruction =
  | { readonly type: 'character'; readonly set: number; readonly next: number }
  | { readonly type: 'start' | 'end'; readonly next: number }
  | { readonly type: 'split'; readonly next: readonly number[] }
  | { readonly type: 'match' };

/** Adds the instructions of a part of the pattern before those that follow it. @returns the first one */
type Part = (next: number) => number;

/** Parses a regular expression of ECMAScript with the flag `u`, and makes an automaton of it. */
class Compiler {
  readonly instructions: Instruction[] = [{ type: 'match' }];
  /** The number of each set of characters, by its regular expression. */
  readonly sets = new Map<string, number>();
  readonly first: number;
  readonly #source: string;
  #at = 0;
  #depth = 0;

  constructor(source: string) {
    this.#source = source;
    this.first = this.#choice()(0);
  }

  #consume(token: RegExp): RegExpExecArray | null {
    token.lastIndex = this.#at;
    const match = token.exec(this.#source);
    if (match) this.#at = token.lastIndex;
    return match;
  }

  #choice(): Part {
    if (++this.#depth > maxDepth) throw new PatternError(`nests more than ${maxDepth} groups`);
    const parts = [this.#sequence()];
    while (this.#consume(tokens.or)) parts.push(this.#sequence());
    this.#depth--;
    const [only] = parts;
    if (only && parts.length === 1) return only;
    return (next) => this.#add({ type: 'split', next: parts.map((part) => part(next)) });
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      parts.push(this.#quantified(this.#part()));
    }
    return (next) => parts.reduceRight((following, part) => part(following), next);
  }

  #part(): Part {
    for (const [token, name, why] of refusals) {
      const [found] = this.#consume(token) ?? [];
      if (found !== undefined)
        throw new PatternError(`has ${name}, ${found}${found.startsWith('(') ? '…)' : ''}; ${why}`);
    }
    if (this.#consume(tokens.group)) {
      const inner = this.#choice();
      this.#consume(tokens.end);
      return inner;
    }
    const [source = ''] = this.#consume(tokens.character) ?? [];
    if (source === '^') return (next) => this.#add({ type: 'start', next });
    if (source === '$') return (next) => this.#add({ type: 'end', next });
    const set = this.sets.get(source) ?? this.sets.size;
    this.sets.set(source, set);
    return (next) => this.#add({ type: 'character', set, next });
  }

  #quantified(part: Part): Part {
    const match = this.#consume(tokens.quantifier);
    if (!match) return part;
    const [, sign, least, comma, most] = match;
    // A lazy quantifier matches the same strings.
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const max = sign === '?' ? 1 : sign !== undefined || (comma && !most) ? Infinity : Number(most ?? least);
    return (next) => this.#repeat(part, min, max, next);
  }

  #repeat(part: Part, min: number, max: number, next: number): number {
    let first = next;
    if (max === Infinity) {
      const following = [next];
      const loop = this.#add({ type: 'split', next: following });
      const again = part(loop);
      following.push(again);
      first = min === 0 ? loop : again;
    } else {
      for (let n = min; n < max; n++) first = this.#add({ type: 'split', next: [next, part(first)] });
    }
    for (let n = max === Infinity ? 1 : 0; n < min; n++) {
      const before = part(first);
      // An empty part: the number of its repetitions has no limit.
      if (before === first) break;
      first = before;
    }
    return first;
  }

  #add(instruction: Instruction): number {
    if (this.instructions.length === maxInstructions) {
      throw new PatternError('is too large with its repetitions written out; limit long texts by max_length');
    }
    return this.instructions.push(instruction) - 1;
  }
}

/** A state of the deterministic automaton, which is built as strings need it. */
export interface State {
  /** The text matches, whatever follows. */
  readonly isMatch: boolean;
  /** The text matches if it ends here. */
  readonly isMatchAtEnd: boolean;
  /** The instructions for the next character. */
  readonly characters: readonly number[];
  /** The following states by the number of the next character's class. */
  readonly next: (State | undefined)[];
}

/**
 * A regular expression of ECMAScript with the flag `u`, searched for in time that is linear in the length of the text.
 * The engine of the platform backtracks: a text of 40 characters can keep it busy for hours.
 *
 * It is simulated as a deterministic automaton. Only single characters are matched by the platform's engine, so that classes
 * and escapes mean what they do there.
 */
export class Pattern {
  readonly source: string;
  readonly start: State;
  /** The regular expressions of the sets of characters that the pattern names. */
  readonly sets: readonly string[];
  readonly #instructions: readonly Instruction[];
  readonly #first: number;
  readonly #tests: readonly RegExp[];
  /** The classes of characters that no set tells apart: whether they are in each set. */
  readonly #classes: boolean[][] = [];
  readonly #classBySets = new Map<string, number>();
  /** The number of the class of each code point that was seen, and one more; 0 for others. */
  readonly #pages: Uint32Array[] = [];
  readonly #states = new Map<string, State>();
  #remembered = 0;

  /** @throws PatternError for a pattern that cannot be checked in linear time, or is too large. SyntaxError */
  constructor(source: string) {
    this.source = source;
    // The parser relies on that.
    RegExp(source, 'u');
    const { instructions, first, sets } = new Compiler(source);
    this.#instructions = instructions;
    this.#first = first;
    this.sets = [...sets.keys()];
    this.#tests = this.sets.map((set) => RegExp(`^${set}$`, 'u'));
    this.start = this.#stateOf([first], true);
  }

  /** Whether a part of the text matches. */
  test(text: string): boolean {
    let state = this.start;
    for (let at = 0; at < text.length && !state.isMatch; at++) {
      if (state.characters.length === 0 && !state.isMatchAtEnd) return false;
      const codePoint = text.codePointAt(at) as number;
      if (codePoint > 0xffff) at++;
      state = this.next(state, codePoint);
    }
    return state.isMatch || state.isMatchAtEnd;
  }

  /** The state after another code point. */
  next(state: State, codePoint: number): State {
    const number = (this.#pages[codePoint >> 8]?.[codePoint & 0xff] || this.#classify(codePoint)) - 1;
    return state.next[number] ?? this.#follow(state, number);
  }

  #classify(codePoint: number): number {
    const character = String.fromCodePoint(codePoint);
    const isIn = this.#tests.map((test) => test.test(character));
    const sets = isIn.map(Number).join('');
    const found = this.#classBySets.get(sets) ?? this.#classes.push(isIn);
    this.#classBySets.set(sets, found);
    if (!this.#pages[codePoint >> 8]) this.#remember(pageSize);
    (this.#pages[codePoint >> 8] ??= new Uint32Array(pageSize))[codePoint & 0xff] = found;
    return found;
  }

  #follow(state: State, number: number): State {
    this.#remember(1);
    const isIn = this.#classes[number] as boolean[];
    const following = state.characters.flatMap((index) => {
      const instruction = this.#instructions[index] as Instruction & { type: 'character' };
      return isIn[instruction.set] ? [instruction.next] : [];
    });
    return (state.next[number] = this.#stateOf([this.#first, ...following], false));
  }

  /** The state before these instructions. */
  #stateOf(first: readonly number[], isStart: boolean): State {
    const characters: number[] = [];
    let [isMatch, isMatchAtEnd] = [false, false];
    const seen = new Set<number>();
    const visit = (index: number, isEnd: boolean): void => {
      const key = index * 2 + Number(isEnd);
      if (seen.has(key)) return;
      seen.add(key);
      const instruction = this.#instructions[index] as Instruction;
      if (instruction.type === 'split') for (const next of instruction.next) visit(next, isEnd);
      else if (instruction.type === 'end') visit(instruction.next, true);
      else if (instruction.type === 'start') {
        if (isStart) visit(instruction.next, isEnd);
      } else if (instruction.type === 'match') {
        if (isEnd) isMatchAtEnd = true;
        else isMatch = true;
      } else if (!isEnd) characters.push(index);
    };
    for (const index of first) visit(index, false);
    // toSorted is newer than the programs that this is compiled for.
    // oxlint-disable-next-line unicorn/no-array-sort
    const key = `${isMatch} ${isMatchAtEnd} ${Uint32Array.from(characters).sort().join()}`;
    let state = this.#states.get(key);
    if (!state) {
      this.#remember(characters.length);
      this.#states.set(key, (state = { isMatch, isMatchAtEnd, characters, next: [] }));
    }
    return state;
  }

  /** Counts numbers that are going to be kept. */
  #remember(numbers: number): void {
    this.#remembered += numbers;
    if (this.#remembered <= maxRemembered) return;
    this.#remembered = numbers;
    this.#states.clear();
    this.start?.next.splice(0);
    this.#pages.length = 0;
  }
}
