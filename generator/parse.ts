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

/** Reads one YAML file. The data is there only where the YAML has no mistakes. */
export function parse(path: string, text: string): { file?: SpecFile; problems: Problem[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { file: path, line, column: col };
  };
  const problems = [...document.errors, ...document.warnings].map((error) => ({
    ...placeAt(error.pos[0]),
    message: sentenceOf(error.message),
  }));
  if (problems.length > 0) return { problems };
  const root = document.contents as Node | null;
  const file: SpecFile = {
    path,
    data: document.toJS(),
    place: (target) => placeAt(offsetOf(root, target)),
  };
  return { file, problems };
}

const sentenceOf = (message: string): string => `YAML: ${message.split('\n')[0]}`;

function offsetOf(root: Node | null, { path, of }: Target): number {
  let node = root;
  let offset = node?.range?.[0] ?? 0;
  path.forEach((key, depth) => {
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key));
      if (!pair) return;
      offset = (isLast && of === 'key' ? keyOffset(pair) : valueOffset(pair)) ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = node.items[Number(key)] as Node;
      offset = node.range?.[0] ?? offset;
    }
  });
  return offset;
}

const keyOffset = (pair: Pair): number | undefined => (pair.key as Node).range?.[0];

// A key without a value is its own place: there is nothing behind it to point at.
function valueOffset(pair: Pair): number | undefined {
  const value = pair.value as Node | null;
  return isScalar(value) && value.value === null ? keyOffset(pair) : (value?.range?.[0] ?? keyOffset(pair));
}
