const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const space = 0x20;

// Brackets and braces differ in one bit.
const braceBit = 0x20;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** The texts that `printJson` has met; undefined while it does not print. */
let printed: string[] | undefined;

/** An object or an array as it was sent: JavaScript would sort keys like "2", and round long numbers. */
export class JsonText {
  /** JSON without white space around its tokens. */
  readonly text: string;

  /** @param json of an object or an array, in which white space may be anywhere */
  constructor(json: string) {
    this.text = compact(json);
  }

  /** The value that JavaScript makes of it; for `printJson`, what stands for it. */
  toJSON(): unknown {
    return printed ? `\0${printed.push(this.text) - 1}` : JSON.parse(this.text);
  }
}

/** The index behind a string. @param at that of its opening quote */
function endOfString(json: string, at: number): number {
  let end = at + 1;
  while (json.charCodeAt(end) !== quote) end += json.charCodeAt(end) === backslash ? 2 : 1;
  return end + 1;
}

function compact(json: string): string {
  let text = '';
  let from = 0;
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at);
    if (code === quote) at = endOfString(json, at);
    else if (code > space) at++;
    else {
      text += json.slice(from, at);
      from = ++at;
    }
  }
  return text + json.slice(from);
}

/** The index of the first token from an index on. */
function skipSpace(json: string, at: number): number {
  let start = at;
  while (json.charCodeAt(start) <= space) start++;
  return start;
}

/** The index behind a value. @param at that of its first character */
function endOfValue(json: string, at: number): number {
  let end = at;
  let depth = 0;
  for (;;) {
    const code = json.charCodeAt(end);
    const bracket = code | braceBit;
    if (code === quote) end = endOfString(json, end);
    else if (depth === 0 && (code === comma || bracket === closingBrace || Number.isNaN(code))) return end;
    else {
      if (bracket === openingBrace) depth++;
      else if (bracket === closingBrace) depth--;
      end++;
    }
  }
}

/** The JSON of the members of an object, by their keys, or of the entries of an array, by their indices. @param json valid JSON */
export function membersOf(json: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let at = skipSpace(json, 0);
  const isObject = json.charCodeAt(at) === openingBrace;
  at = skipSpace(json, at + 1);
  while ((json.charCodeAt(at) | braceBit) !== closingBrace) {
    let key = String(members.size);
    if (isObject) {
      const end = endOfString(json, at);
      key = JSON.parse(json.slice(at, end)) as string;
      at = skipSpace(json, skipSpace(json, end) + 1);
    }
    const end = endOfValue(json, at);
    members.set(key, json.slice(at, end).trimEnd());
    at = json.charCodeAt(end) === comma ? skipSpace(json, end + 1) : end;
  }
  return members;
}

/** Replaces members of parsed JSON that are objects or arrays by their texts. @param json that was parsed */
export function keepTexts<T extends Readonly<Record<string, unknown>>>(
  value: T,
  json: string,
  names: readonly string[],
): T {
  const isNested = (name: string): boolean =>
    Object.hasOwn(value, name) && typeof value[name] === 'object' && value[name] !== null;
  const nested = names.filter(isNested);
  if (nested.length === 0) return value;
  const members = membersOf(json);
  return { ...value, ...Object.fromEntries(nested.map((name) => [name, new JsonText(members.get(name) as string)])) };
}

/** Like `JSON.stringify`, but a `JsonText` is as it is. @param value strings in it have no U+0000 */
export function printJson(value: unknown): string {
  const texts: string[] = [];
  printed = texts;
  try {
    // A function that replaces values would take several times as long, also for those without such a text.
    const json = JSON.stringify(value);
    return texts.length === 0
      ? json
      : json.replaceAll(/"\\u0000(\d+)"/g, (_, at: string) => texts[Number(at)] as string);
  } finally {
    printed = undefined;
  }
}
