import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import type { Diagnostic } from './diagnostic.ts';
import { quoted, oddPart } from './words.ts';
import type { Span } from './yaml-errors.ts';

/** The deepest nesting of a spec: its language has six levels. */
const maxDepth = 50;

interface Finding {
  readonly span: Span;
  readonly message: string;
  readonly severity: Diagnostic['severity'];
}

/** Reads the nodes of a YAML document as plain data, and finds what plain data cannot hold. */
export class YamlReader {
  readonly findings: Finding[] = [];
  /** Whether the data is what the file says. */
  isReadable = true;
  readonly #text: string;
  readonly #lineOf: (offset: number) => number;
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();

  /** @param lineOf the line of an offset in the text */
  constructor(text: string, lineOf: (offset: number) => number) {
    this.#text = text;
    this.#lineOf = lineOf;
  }

  /** The value of a node. If a key is repeated, its first value counts. */
  read(node: Node | null, depth = 0): unknown {
    if (node === null) return null;
    if (isScalar(node)) {
      this.#warnOfCutText(node);
      this.#findOddPart(node);
      this.#refuseLeadingZero(node);
      return node.value;
    }
    if (isAlias(node)) {
      const todo = 'write out what is meant, or put the text in quotes';
      this.#refuse(spanOf(node), `YAML: a spec has no aliases, like *${node.source}; ${todo}`);
    } else if (depth >= maxDepth) {
      this.#refuse(spanOf(node), `the file is nested more than ${maxDepth} levels deep`);
    } else if (isMap(node)) {
      return this.#readMap(node as YAMLMap, depth);
    } else if (isSeq(node)) {
      return node.items.map((item) => this.read(item as Node, depth + 1));
    }
    return null;
  }

  /** The pair of a mapping that has a key. */
  pairOf(map: YAMLMap, key: string): Pair | undefined {
    return this.#pairs.get(map)?.get(key);
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

  #findOddPart(node: Scalar): void {
    const [start, end] = spanOf(node);
    const part = typeof node.value === 'string' ? oddPart(this.#text.slice(start, end), node.value) : undefined;
    if (part) this.#find([start + part.at, start + part.at + part.length], part.message, part.severity);
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
