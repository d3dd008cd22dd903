import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLError,
} from 'yaml';
import type { Diagnostic, Location } from './diagnostic.ts';

/** The subject of a diagnostic: the keys and indexes that lead to it, and whether the key or its value is meant. */
export interface Target {
  readonly path: readonly PropertyKey[];
  readonly of: 'key' | 'value';
}

/** A YAML file as plain data that knows the location of each part. */
export interface SpecFile {
  readonly path: string;
  readonly data: unknown;
  locationOf(target: Target): Location;
}

/** Reads one YAML file; `file` is undefined where errors of the YAML leave its data in doubt. */
export function parse(path: string, text: string): { file?: SpecFile; diagnostics: Diagnostic[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const locationAt = ([start, end]: Span): Location => {
    const { line, col: column } = lines.linePos(start);
    const last = lines.linePos(end);
    // A part of several lines is marked to the end of its first one.
    const lineEnd = text.indexOf('\n', start);
    const endColumn = last.line === line ? last.col : column + (lineEnd === -1 ? text.length : lineEnd) - start;
    return { file: path, line, column, endColumn: Math.max(endColumn, column + 1) };
  };
  const diagnostic = (span: Span, message: string): Diagnostic => ({ ...locationAt(span), severity: 'error', message });
  const errors = [...document.errors, ...document.warnings];
  const diagnostics = errors.map((error) => diagnostic(...describeError(error, document, text)));
  if (errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return { diagnostics };
  const unreadable = unreadableNodes(document, text).map(([span, message]) => diagnostic(span, message));
  if (unreadable.length > 0) return { diagnostics: [...diagnostics, ...unreadable] };
  const root = document.contents as Node | null;
  const locationOf = (target: Target): Location => locationAt(spanOf(root, target));
  return { file: { path, data: document.toJS(), locationOf }, diagnostics };
}

/** The best location for an error of the YAML, and its message. */
function describeError({ code, pos, message }: YAMLError, document: Document, text: string): [Span, string] {
  if (code === 'DUPLICATE_KEY') {
    const key = /^[^:\s]*/.exec(text.slice(pos[0]))?.[0] ?? '';
    const span: Span = [pos[0], pos[0] + key.length];
    return [span, `duplicate key ${JSON.stringify(key)}; keep one of them`];
  }
  const [sentence = ''] = message.split('\n');
  return [
    sentence.startsWith('Missing closing') ? openedBefore(document, pos) : indentedAt(code, pos, text),
    `YAML: ${sentence}`,
  ];
}

/** The opening quote of a string that is never closed, which the parser reports at the end of the file. */
function openedBefore(document: Document, pos: Span): Span {
  let span = pos;
  visit(document, {
    Scalar(_, node) {
      if (node.range && node.range[0] <= pos[0] && pos[0] <= node.range[2] && node.type?.startsWith('QUOTE')) {
        span = [node.range[0], node.range[0] + 1];
      }
    },
  });
  return span;
}

/** The start of a wrong indentation, which the parser reports from the end of the line before. */
function indentedAt(code: string, [start, end]: Span, text: string): Span {
  if (code !== 'BAD_INDENT') return [start, end];
  const skipped = /^\s*/.exec(text.slice(start))?.[0].length ?? 0;
  return start + skipped < end || skipped > 0 ? [start + skipped, Math.max(end, start + skipped + 1)] : [start, end];
}

/** Nodes that plain data cannot hold: keys that are not strings, and aliases without an anchor. */
function unreadableNodes(document: Document, text: string): [Span, string][] {
  const found: [Span, string][] = [];
  visit(document, {
    Pair(_, { key }) {
      const span = spanOfNode(key as Node | null) ?? [0, 0];
      if (isScalar(key) && typeof key.value === 'string') return;
      found.push([
        span,
        `the key ${text.slice(...span)} must be a string${isScalar(key) ? '; write it in quotes' : ''}`,
      ]);
    },
    Alias(_, alias) {
      if (alias.resolve(document)) return;
      const { source } = alias;
      found.push([spanOfNode(alias) ?? [0, 0], `YAML: there is no anchor &${source} before the alias *${source}`]);
    },
  });
  return found;
}

/** Offsets of the first character and of the one after the last. */
type Span = readonly [number, number];

const spanOfNode = (node: Node | null | undefined): Span | undefined =>
  node?.range ? [node.range[0], node.range[1]] : undefined;

function spanOf(root: Node | null, { path, of }: Target): Span {
  let node: Node | null | undefined = root;
  let span = spanOfNode(root) ?? [0, 0];
  for (const [depth, key] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      const pair: Pair | undefined = node.items.find(
        (item) => isScalar(item.key) && String(item.key.value) === String(key),
      );
      if (!pair) break;
      span = (isLast && of === 'key' ? keySpan(pair) : valueSpan(pair)) ?? span;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = node.items[Number(key)] as Node | undefined;
      span = spanOfNode(node) ?? span;
    }
  }
  return span;
}

const keySpan = (pair: Pair): Span | undefined => spanOfNode(pair.key as Node);

// A key without a value is its own location.
function valueSpan(pair: Pair): Span | undefined {
  const value = pair.value as Node | null;
  return isScalar(value) && value.value === null ? keySpan(pair) : (spanOfNode(value) ?? keySpan(pair));
}
