import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
} from 'yaml';
import type { Diagnostic, Location } from './diagnostic.ts';
import { textFault } from './spec-text.ts';
import { partOfSource } from './text-offsets.ts';
import { describeYamlError, type Span } from './yaml-errors.ts';
import { YamlReader } from './yaml-reader.ts';

/** The subject of a diagnostic: the keys and indexes that lead to it, and whether the key or its value is meant. */
export interface Target {
  readonly path: readonly PropertyKey[];
  readonly of: 'key' | 'value';
  /** Offsets in a text, if a part of it is meant. */
  readonly part?: readonly [start: number, end: number];
}

/** A YAML file as plain data that knows the location of each part. */
export interface SpecFile {
  readonly path: string;
  readonly data: unknown;
  locationOf(target: Target): Location;
}

/**
 * Reads one YAML file; `file` is undefined if errors of the YAML leave its data in doubt. Only the first syntax
 * error is reported, because the others mostly follow from it.
 */
export function parse(path: string, text: string): { file?: SpecFile; diagnostics: Diagnostic[] } {
  const lines = new LineCounter();
  for (let start = 0; start !== -1; start = text.indexOf('\n', start) + 1 || -1) lines.addNewLine(start);
  const locationAt = ([start, end]: Span): Location => {
    const { line, col: column } = lines.linePos(start);
    const last = lines.linePos(end);
    if (last.line === line) return { file: path, line, column, endColumn: Math.max(last.col, column + 1) };
    // A part of several lines is marked to the end of its first one.
    const lineEnd = text.indexOf('\n', start);
    const endColumn = column + (lineEnd === -1 ? text.length : lineEnd) - start;
    return { file: path, line, column, endColumn: Math.max(endColumn, column + 1) };
  };
  const diagnostic = (span: Span, message: string, severity: Diagnostic['severity'] = 'error'): Diagnostic => ({
    ...locationAt(span),
    severity,
    message,
  });
  const fault = textFault(text);
  if (fault) return { diagnostics: [diagnostic(fault.span, fault.message)] };
  const document = parseDocument(text, {
    version: '1.2',
    prettyErrors: false,
    uniqueKeys: false,
    // The tags of YAML 1.1, like !!timestamp, have values that JSON cannot hold.
    resolveKnownTags: false,
  });
  const [error] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (error) return { diagnostics: [diagnostic(...describeYamlError(error, document, text))] };
  const root: ParsedNode | null = document.contents;
  const reader = new YamlReader(text, (offset) => lines.linePos(offset).line);
  const data = reader.read(root);
  const diagnostics = reader.findings.map(({ span, message, severity }) => diagnostic(span, message, severity));
  if (!reader.isReadable) return { diagnostics };
  const locationOf = (target: Target): Location => locationAt(spanOf(root, target, reader, text));
  return { file: { path, data, locationOf }, diagnostics };
}

function spanOf(root: Node | null, { path, of, part }: Target, reader: YamlReader, text: string): Span {
  let node: Node | null | undefined = root;
  let span = spanOfNode(root) ?? [0, 0];
  for (const [depth, key] of path.entries()) {
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      const pair = reader.pairOf(node as YAMLMap, String(key));
      if (!pair) break;
      span = (isLast && of === 'key' ? keySpan(pair) : valueSpan(pair)) ?? span;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = node.items[Number(key)] as Node | undefined;
      span = spanOfNode(node) ?? span;
    }
  }
  if (!part || !isScalar(node)) return span;
  const [start, end] = partOfSource(text.slice(...span), node, ...part);
  return [span[0] + start, span[0] + end];
}

const spanOfNode = (node: Node | null | undefined): Span | undefined =>
  node?.range ? [node.range[0], node.range[1]] : undefined;

const keySpan = (pair: Pair): Span | undefined => spanOfNode(pair.key as Node);

// A key without a value is its own location.
function valueSpan(pair: Pair): Span | undefined {
  const value = pair.value as Node | null;
  return isScalar(value) && value.value === null ? keySpan(pair) : (spanOfNode(value) ?? keySpan(pair));
}
