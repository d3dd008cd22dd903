import { parsePattern, PatternError, type PatternNode } from './pattern-syntax.ts';

/** Instructions of an automaton, in which repetitions are written out: a step takes time in proportion to them. */
const maxInstructions = 2_000;

/** Numbers that a pattern keeps of the steps it has taken; then it forgets them. */
const maxRemembered = 50_000;

/** Code points whose classes are kept together. */
const pageSize = 256;

/** An instruction of the nondeterministic automaton; numbers are those of the instructions that follow. */
type Instruction =
  | { readonly type: 'character'; readonly set: number; readonly next: number }
  | { readonly type: 'condition'; readonly holds: (before: Class, after: Class) => boolean; readonly next: number }
  | { readonly type: 'split'; readonly next: readonly number[] }
  | { readonly type: 'match' };

/** Code points that no part of the pattern tells apart. The class 0 is the edge of the text. */
interface Class {
  readonly number: number;
  /** Whether the code points are in each set of characters. */
  readonly isIn: readonly boolean[];
  /** The part of it that conditions on the character before a position depend on. */
  readonly context: string;
}

/** A state of the deterministic automaton, which is built as strings need it: a set of instructions. */
export interface State {
  readonly before: Class;
  readonly instructions: readonly number[];
  /** The following states by the number of the next character's class. */
  readonly next: (State | typeof matched | undefined)[];
}

/** The state of a pattern that has found its match, whatever follows. */
export const matched = Symbol('matched');

/**
 * A regular expression of ECMAScript with the flag `u`, searched for in time that is linear in the length of the text.
 * The engine of the platform backtracks: a text of 40 characters can keep it busy for hours.
 *
 * It is simulated as a deterministic automaton, whose states are built when a text needs them. Only single characters are
 * matched by the platform's engine, so that classes, escapes and case mean what they do there.
 */
export class Pattern {
  readonly source: string;
  readonly start: State;
  readonly #instructions: Instruction[] = [{ type: 'match' }];
  readonly #first: number;
  readonly #isAnchored: boolean;
  readonly #sets = new Map<string, { readonly test: RegExp; isContext: boolean }>();
  readonly #classes: Class[] = [{ number: 0, isIn: [], context: 'edge' }];
  readonly #classBySets = new Map<string, Class>();
  /** The number of the class of each code point that was seen. */
  readonly #pages: Uint32Array[] = [];
  readonly #states = new Map<string, State>();
  #remembered = 0;

  /** @throws PatternError for a pattern that cannot be checked in linear time, or is too large. SyntaxError */
  constructor(source: string) {
    this.source = source;
    // The parser relies on that.
    RegExp(source, 'u');
    const root = parsePattern(source);
    this.#first = this.#compile(root, 0);
    this.#isAnchored = isAnchored(root);
    this.start = this.#state(this.#classes[0] as Class, [this.#first]);
  }

  /** Whether a part of the text matches. */
  test(text: string): boolean {
    let state = this.start;
    for (let at = 0; at < text.length; at++) {
      const codePoint = text.codePointAt(at) as number;
      if (codePoint > 0xffff) at++;
      const next = this.next(state, codePoint);
      if (next === matched) return true;
      if (next.instructions.length === 0) return false;
      state = next;
    }
    return this.isMatch(state);
  }

  /** The state after another code point. Without instructions, it cannot match any more. */
  next(state: State, codePoint: number): State | typeof matched {
    const number = this.#classOf(codePoint);
    return state.next[number] ?? this.#step(state, number);
  }

  /** Whether a text that ends in this state matches. */
  isMatch(state: State): boolean {
    return (state.next[0] ?? this.#step(state, 0)) === matched;
  }

  /** The sets of characters that the pattern names, as regular expressions, and whether conditions depend on them. */
  get sets(): readonly { readonly source: string; readonly isContext: boolean }[] {
    return [...this.#sets].map(([source, { isContext }]) => ({ source, isContext }));
  }

  /** The number of a code point's class. */
  #classOf(codePoint: number): number {
    return this.#pages[codePoint >> 8]?.[codePoint & 0xff] || this.#classify(codePoint);
  }

  #classify(codePoint: number): number {
    const character = String.fromCodePoint(codePoint);
    const sets = [...this.#sets.values()];
    const isIn = sets.map(({ test }) => test.test(character));
    const key = isIn.map(Number).join('');
    let found = this.#classBySets.get(key);
    if (!found) {
      const context = sets.flatMap(({ isContext }, i) => (isContext ? [Number(isIn[i])] : [])).join('');
      found = { number: this.#classes.length, isIn, context };
      this.#classes.push(found);
      this.#classBySets.set(key, found);
    }
    const page = codePoint >> 8;
    if (!this.#pages[page]) this.#remember(pageSize);
    (this.#pages[page] ??= new Uint32Array(pageSize))[codePoint & 0xff] = found.number;
    return found.number;
  }

  #step(state: State, number: number): State | typeof matched {
    this.#remember(1);
    const next = this.#follow(state, this.#classes[number] as Class);
    state.next[number] = next;
    return next;
  }

  #follow({ before, instructions }: State, after: Class): State | typeof matched {
    const following = new Set<number>(this.#isAnchored ? [] : [this.#first]);
    const pending = [...instructions];
    const seen = new Set(pending);
    for (let number = pending.pop(); number !== undefined; number = pending.pop()) {
      const instruction = this.#instructions[number] as Instruction;
      if (instruction.type === 'match') return matched;
      if (instruction.type === 'character') {
        if (after.isIn[instruction.set]) following.add(instruction.next);
        continue;
      }
      if (instruction.type === 'condition' && !instruction.holds(before, after)) continue;
      for (const next of [instruction.next].flat()) {
        if (seen.has(next)) continue;
        seen.add(next);
        pending.push(next);
      }
    }
    return this.#state(after, [...following]);
  }

  #state(before: Class, instructions: number[]): State {
    const key = `${before.context} ${instructions.toSorted((a, b) => a - b).join()}`;
    let state = this.#states.get(key);
    if (!state) {
      this.#remember(instructions.length);
      this.#states.set(key, (state = { before, instructions, next: [] }));
    }
    return state;
  }

  /** Counts numbers that are going to be kept. */
  #remember(numbers: number): void {
    this.#remembered += numbers;
    if (this.#remembered <= maxRemembered) return;
    this.#remembered = numbers;
    this.#states.clear();
    this.start.next.length = 0;
    this.#pages.length = 0;
  }

  /** The instruction that a part of the pattern begins with, if this one follows it. */
  #compile(node: PatternNode, next: number): number {
    switch (node.type) {
      case 'character':
        return this.#add({ type: 'character', set: this.#setOf(node.source), next });
      case 'edge':
      case 'boundary':
        return this.#add({ type: 'condition', holds: this.#conditionOf(node), next });
      case 'sequence':
        return node.parts.reduceRight((following, part) => this.#compile(part, following), next);
      case 'choice':
        return this.#add({ type: 'split', next: node.parts.map((part) => this.#compile(part, next)) });
      case 'repeat':
        return this.#repeat(node, next);
    }
  }

  #repeat({ part, min, max }: PatternNode & { type: 'repeat' }, next: number): number {
    let first = next;
    if (max === Infinity) {
      const following = [next];
      const loop = this.#add({ type: 'split', next: following });
      const again = this.#compile(part, loop);
      following.push(again);
      first = min === 0 ? loop : again;
    } else {
      for (let n = min; n < max; n++) first = this.#add({ type: 'split', next: [next, this.#compile(part, first)] });
    }
    for (let n = max === Infinity ? 1 : 0; n < min; n++) {
      const before = this.#compile(part, first);
      // An empty part: the number of its repetitions has no limit.
      if (before === first) break;
      first = before;
    }
    return first;
  }

  #conditionOf(node: PatternNode & { type: 'edge' | 'boundary' }): (before: Class, after: Class) => boolean {
    const set = node.source === undefined ? undefined : this.#setOf(node.source, true);
    const isIn = ({ isIn: sets }: Class): boolean => set !== undefined && sets[set] === true;
    if (node.type === 'boundary') return (before, after) => (isIn(before) !== isIn(after)) !== node.isNegated;
    return (before, after) => {
      const neighbour = node.side === 'start' ? before : after;
      return neighbour.number === 0 || isIn(neighbour);
    };
  }

  #setOf(source: string, isContext = false): number {
    const set = this.#sets.get(source);
    if (set) set.isContext ||= isContext;
    else this.#sets.set(source, { test: RegExp(`^${source}$`, 'u'), isContext });
    return [...this.#sets.keys()].indexOf(source);
  }

  #add(instruction: Instruction): number {
    if (this.#instructions.length === maxInstructions) {
      throw new PatternError('is too large with its repetitions written out; limit long texts by max_length');
    }
    return this.#instructions.push(instruction) - 1;
  }
}

/** Whether a pattern can only match at the start of the text. */
function isAnchored(node: PatternNode): boolean {
  if (node.type === 'edge') return node.side === 'start' && node.source === undefined;
  if (node.type === 'choice') return node.parts.every(isAnchored);
  return node.type === 'sequence' && node.parts[0] !== undefined && isAnchored(node.parts[0]);
}
