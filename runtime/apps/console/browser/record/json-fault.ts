/** White space, which may be none. */
const space = /[ \t\n\r]*/uy;

/** A token of JSON behind white space: punctuation, a string, or another value. */
const token =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][+-]?\d+)?|true|false|null))/uy;

/** An object or array that is open: its keys so far, and what may follow. */
interface Open {
  readonly close: '}' | ']';
  readonly keys: Set<string>;
}

const placeOf = (text: string, at: number): string => {
  const lines = text.slice(0, at).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1) as string).length + 1}`;
};

/** The first fault of a text that should be the JSON of an object or array, to follow its name; undefined if it has none. */
export function jsonFault(text: string): string | undefined {
  const stack: Open[] = [];
  let expected = '{ or [';
  for (let at = 0; ;) {
    token.lastIndex = at;
    const match = token.exec(text);
    space.lastIndex = at;
    const start = at + (space.exec(text)?.[0].length ?? 0);
    const top = stack.at(-1);
    if (!top && expected === '') return start < text.length ? fault(text, start, 'the end') : undefined;
    if (!match) return fault(text, start, expected);
    const [, mark, string, value] = match;
    at = token.lastIndex;
    if (mark !== undefined && mark === top?.close && expected.endsWith(mark)) {
      stack.pop();
      expected = afterValue(stack);
    } else if (expected.startsWith('a key')) {
      if (string === undefined) return fault(text, start, expected);
      if (top?.keys.has(string)) return `has the key ${string} twice: at ${placeOf(text, start)}`;
      top?.keys.add(string);
      expected = 'a colon';
    } else if (expected === 'a colon') {
      if (mark !== ':') return fault(text, start, expected);
      expected = 'a value';
    } else if (expected.startsWith('a comma')) {
      if (mark !== ',') return fault(text, start, expected);
      expected = top?.close === '}' ? 'a key in quotes' : 'a value';
    } else if (mark === '{') {
      stack.push({ close: '}', keys: new Set() });
      expected = 'a key in quotes, or }';
    } else if (mark === '[') {
      stack.push({ close: ']', keys: new Set() });
      expected = 'a value, or ]';
    } else if (stack.length > 0 && (string ?? value) !== undefined) expected = afterValue(stack);
    else return fault(text, start, expected);
  }
}

const afterValue = (stack: readonly Open[]): string => {
  const top = stack.at(-1);
  return top ? `a comma, or ${top.close}` : '';
};

const fault = (text: string, at: number, expected: string): string =>
  `is no JSON at ${placeOf(text, at)}: there must be ${expected}`;
