import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Diagnostic } from './diagnostic.ts';
import { quoted, suspiciousPart } from './words.ts';
import type { Span } from './yaml-errors.ts';

/** The deepest nesting of a spec: its language has six levels. */
export const maxDepth = 50;

/** The number of values that aliases may add to those that are written. */
const maxAliasedValues = 100_000;

interface Finding {
  readonly span: Span;
  readonly message: string;
  readonly severity: Diagnostic['severity'];
}

/** An anchor's value and the number of values in it; undefined while it is being read. */
interface Anchored {
  value?: { readonly data: unknown; readonly size: number };
}

/** Reads the nodes of a YAML document as plain data, and finds what plain data cannot hold. */
export class YamlReader {
  readonly findings: Finding[] = [];
  /** Whether the data is what the file says. */
  isReadable = true;
  readonly #text: string;
  readonly #lineOf: (offset: number) => number;
  readonly #anchors = new Map<string, Anchored>();
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  #size = 0;
  #aliased = 0;

  /** @param lineOf the line of an offset in the text */
  constructor(text: string, lineOf: (offset: number) => number) {
    this.#text = text;
    this.#lineOf = lineOf;
  }

  /** The value of a node. If a key is repeated, its first value counts. */
  read(node: Node | null, depth = 0): unknown {
    if (node === null) return null;
    if (isAlias(node)) return this.#readAlias(node);
    const { anchor } = node as { anchor?: string };
    const anchored: Anchored = {};
    if (anchor !== undefined) this.#anchors.set(anchor, anchored);
    const before = this.#size;
    this.#size += 1;
    const data = this.#readValue(node, depth);
    anchored.value = { data, size: this.#size - before };
    return data;
  }

  /** The pair of a mapping that has a key. */
  pairOf(map: YAMLMap, key: string): Pair | undefined {
    return this.#pairs.get(map)?.get(key);
  }

  #readValue(node: Node, depth: number): unknown {
    if (isScalar(node)) {
      this.#warnOfCutText(node);
      this.#warnOfSuspiciousPart(node);
      this.#refuseLeadingZero(node);
      return node.value;
    }
    if (depth >= maxDepth) {
      this.#refuse(spanOf(node), `the file is nested more than ${maxDepth} levels deep`);
      return null;
    }
    if (isMap(node)) return this.#readMap(node as YAMLMap, depth);
    return isSeq(node) ? node.items.map((item) => this.read(item as Node, depth + 1)) : null;
  }

  #readMap(node: YAMLMap, depth: number): object {
    const pairs = new Map<string, Pair>();
    const entries: [string, unknown][] = [];
    for (const pair of node.items) {
      const key = pair.key as Node | null;
      if (!isScalar(key) || typeof key.value !== 'string') {
        const [start, end] = spanOf(key);
        const written = this.#text.slice(start, end);
        const hint = isScalar(key) ? '; write it in quotes' : '';
        if (written === '') this.#refuse(this.#colonAfter(start), 'there is no key before the colon; write one');
        else this.#refuse([start, end], `the key ${written} must be a string${hint}`);
        continue;
      }
      const data = this.read(pair.value as Node | null, depth + 1);
      const first = pairs.get(key.value);
      if (first) {
        const line = this.#lineOf(spanOf(first.key as Node)[0]);
        this.#find(spanOf(key), `duplicate key ${quoted(key.value)}, which line ${line} has already; keep one of them`);
      } else {
        pairs.set(key.value, pair);
        entries.push([key.value, data]);
      }
    }
    this.#pairs.set(node, pairs);
    // As data, so that __proto__ is a key like others.
    return Object.fromEntries(entries);
  }

  /** The colon behind a key that is empty: its own place may be lines above. */
  #colonAfter(start: number): Span {
    const [before = ''] = /^(?:\s|\?|#.*)*/.exec(this.#text.slice(start)) ?? [];
    return [start + before.length, start + before.length + 1];
  }

  #readAlias(alias: Alias): unknown {
    const anchored = this.#anchors.get(alias.source);
    const name = `*${alias.source}`;
    if (!anchored) {
      const todo = 'write the anchor first, or put the text in quotes';
      this.#refuse(spanOf(alias), `YAML: there is no anchor &${alias.source} before the alias ${name}; ${todo}`);
    } else if (!anchored.value) {
      this.#refuse(spanOf(alias), `YAML: the alias ${name} stands inside of what it repeats; write out what is meant`);
    } else {
      this.#size += anchored.value.size;
      const isWithin = this.#aliased <= maxAliasedValues;
      this.#aliased += anchored.value.size;
      if (isWithin && this.#aliased > maxAliasedValues) {
        const words = `with the alias ${name} the aliases of the file repeat more than ${maxAliasedValues} values`;
        this.#refuse(spanOf(alias), `YAML: ${words}; write out what is meant`);
      }
      return anchored.value.data;
    }
    return null;
  }

  /** Warns of a text that ends before a # and of a value that is nothing but such a comment, as in `colour: #fff`. */
  #warnOfCutText(node: Scalar): void {
    if ((node.type !== 'PLAIN' && node.type !== undefined) || !['string', 'object'].includes(typeof node.value)) return;
    const [, end] = spanOf(node);
    const [, blanks = '', comment] = /^([ \t]*)(#[^\s#!]\S*)/.exec(this.#text.slice(end, end + 300)) ?? [];
    if (comment === undefined) return;
    const start = end + blanks.length;
    const message = `YAML takes ${quoted(comment)} for a comment; put the text in quotes, or write a space after #`;
    this.#find([start, start + comment.length], message, 'warning');
  }

  #warnOfSuspiciousPart(node: Scalar): void {
    const [start, end] = spanOf(node);
    const part = typeof node.value === 'string' ? suspiciousPart(this.#text.slice(start, end)) : undefined;
    if (part) this.#find([start + part.at, start + part.at + part.length], part.message, 'warning');
  }

  /** Other versions of YAML read 010 as 8. */
  #refuseLeadingZero(node: Scalar): void {
    const [start, end] = spanOf(node);
    const written = this.#text.slice(start, end);
    if (typeof node.value !== 'number' || !/^[-+]?0\d/.test(written)) return;
    this.#find(
      [start, end],
      `YAML reads ${written} as the number ${node.value}; write ${node.value}, or put it in quotes`,
    );
  }

  #refuse(span: Span, message: string): void {
    this.isReadable = false;
    this.#find(span, message);
  }

  #find(span: Span, message: string, severity: Diagnostic['severity'] = 'error'): void {
    this.findings.push({ span, message, severity });
  }
}

const spanOf = (node: Node | null): Span => (node?.range ? [node.range[0], node.range[1]] : [0, 1]);

/** The place where a text is nested too deeply to be parsed, as well as can be told without parsing it. */
export function deepest(text: string): Span {
  let open = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[{\]}]/g)) {
    open += '[{'.includes(bracket) ? 1 : -1;
    if (open > maxDepth) return [index, index + 1];
  }
  const indented = /^[-? ]{200,}/m.exec(text);
  const at = indented ? indented.index + indented[0].length - 1 : 0;
  return [at, at + 1];
}
