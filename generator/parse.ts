import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import type { Place, Problem } from './problem.ts';

/** Where in a file a problem is: the keys and positions that lead there, and whether the key or its value is meant. */
export interface Target {
  readonly path: readonly PropertyKey[];
  readonly of: 'key' | 'value';
}

/** A YAML file as plain data that knows where each part of it stands. */
export interface SpecFile {
  readonly path: string;
  readonly data: unknown;
  place(target: Target): Place;
}

/** Reads one YAML file. The data is there only where the YAML has no mistakes that leave it in doubt. */
export function parse(path: string, text: string): { file?: SpecFile; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const placeAt = ([start, end]: Span): Place => {
    const { line, col: column } = lines.linePos(start);
    const last = lines.linePos(end);
    // What goes on over several lines is marked to the end of its first one.
    const lineEnd = text.indexOf('\n', start);
    const endColumn = last.line === line ? last.col : column + (lineEnd === -1 ? text.length : lineEnd) - start;
    return { file: path, line, column, endColumn: Math.max(endColumn, column + 1) };
  };
  const mistakes = [...document.errors, ...document.warnings];
  const problems = mistakes.map(({ code, pos, message }): Problem => {
    const [sentence] = message.split('\n');
    const key = /^[^:\s]*/.exec(text.slice(pos[0]))?.[0] ?? '';
    const repeated = `the key ${JSON.stringify(key)} stands here a second time; keep one of them`;
    const span: Span = code === 'DUPLICATE_KEY' ? [pos[0], pos[0] + key.length] : pos;
    return { ...placeAt(span), severity: 'error', message: code === 'DUPLICATE_KEY' ? repeated : `YAML: ${sentence}` };
  });
  if (mistakes.some(({ code }) => code !== 'DUPLICATE_KEY')) return { problems };
  const root = document.contents as Node | null;
  const place = (target: Target): Place => placeAt(spanOf(root, target));
  return { file: { path, data: document.toJS(), place }, problems };
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

// A key without a value is its own place: there is nothing behind it to point at.
function valueSpan(pair: Pair): Span | undefined {
  const value = pair.value as Node | null;
  return isScalar(value) && value.value === null ? keySpan(pair) : (spanOfNode(value) ?? keySpan(pair));
}
