import { texts } from '../texts.ts';

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

/** The text that must stand at a place. Those with an "Or" may also be the end of the object or array. */
type Expected = keyof typeof texts.wrong.json;

const placeOf = (text: string, at: number): readonly [line: number, column: number] => {
  const lines = text.slice(0, at).split('\n');
  return [lines.length, (lines.at(-1) as string).length + 1];
};

/** The first fault of a text that should be the JSON of an object or array, to follow its name; undefined if it has none. */
export function jsonFault(text: string): string | undefined {
  const stack: Open[] = [];
  let expected: Expected = 'start';
  for (let at = 0; ;) {
    token.lastIndex = at;
    const match = token.exec(text);
    space.lastIndex = at;
    const start = at + (space.exec(text)?.[0].length ?? 0);
    const top = stack.at(-1);
    if (expected === 'end') return start < text.length ? fault(text, start, expected) : undefined;
    if (!match) return fault(text, start, expected);
    const [, mark, string, value] = match;
    at = token.lastIndex;
    if (mark !== undefined && mark === top?.close && expected.includes('Or')) {
      stack.pop();
      expected = afterValue(stack);
    } else if (expected.startsWith('key')) {
      if (string === undefined) return fault(text, start, expected);
      if (top?.keys.has(string)) return texts.wrong.keyTwice(string, ...placeOf(text, start));
      top?.keys.add(string);
      expected = 'colon';
    } else if (expected === 'colon') {
      if (mark !== ':') return fault(text, start, expected);
      expected = 'value';
    } else if (expected.startsWith('comma')) {
      if (mark !== ',') return fault(text, start, expected);
      expected = top?.close === '}' ? 'key' : 'value';
    } else if (mark === '{') {
      stack.push({ close: '}', keys: new Set() });
      expected = 'keyOr';
    } else if (mark === '[') {
      stack.push({ close: ']', keys: new Set() });
      expected = 'valueOr';
    } else if (stack.length > 0 && (string ?? value) !== undefined) expected = afterValue(stack);
    else return fault(text, start, expected);
  }
}

const afterValue = (stack: readonly Open[]): Expected => {
  const top = stack.at(-1);
  if (!top) return 'end';
  return top.close === '}' ? 'commaOrBrace' : 'commaOrBracket';
};

const fault = (text: string, at: number, expected: Expected): string =>
  texts.wrong.noJson(...placeOf(text, at), texts.wrong.json[expected]);
