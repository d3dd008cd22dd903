import { printWidth } from './header.ts';

/** Plain JSON data. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Whether a value is a mapping of YAML or an object of JSON. */
export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The lists and objects that `eachOnItsLine` got. */
const marked = new WeakSet<object>();

/** A list or an object whose items are printed on lines of their own, however short it is. */
export function eachOnItsLine<T extends readonly Json[] | { readonly [key: string]: Json }>(list: T): T {
  marked.add(list);
  return list;
}

/** The items of these are on one line each if they fit, which may be longer than others. */
const longItems: ReadonlySet<string> = new Set(['properties', 'parameters', 'responses', 'headers', 'schemas']);

/** The width of the lines of these items. A longer one goes on in the next line, like a sentence. */
const itemWidth = 160;

// Lists of names and fields grow: with one on each line, an addition is easy to review.
const isList = (key: string | undefined, value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (key === 'properties' || (key === 'required' && Array.isArray(value)) || marked.has(value));

/**
 * Prints JSON for reviewers: a small value that fits is on one line, as is every name of a `required` list. A field, a
 * parameter, a response or a header is on one line, or a few if it is long, so that a new one adds little in each place. The
 * time it takes grows with the length of the text alone.
 */
export const printJson = (value: Json): string => print(value, '');

function print(value: Json, indent: string, key?: string, isItem = false): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const before = indent.length + (key === undefined ? 0 : key.length + 4);
  const room = (isItem ? itemWidth : printWidth) - before - 1;
  const oneLine = isList(key, value) ? undefined : onOneLine(value, room);
  if (oneLine !== undefined) return oneLine;
  if (isItem && !holdsList(key, value)) return onFewLines(value, indent, before, 1);
  const inner = `${indent}  `;
  const isLong = key !== undefined && longItems.has(key);
  const lines = Array.isArray(value)
    ? value.map((item: Json) => inner + print(item, inner, undefined, isLong))
    : Object.entries(value).map(
        ([name, item]) => `${inner}${JSON.stringify(name)}: ${print(item as Json, inner, name, isLong)}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** Whether a value is a list that takes several lines, or has one in it. */
const holdsList = (key: string | undefined, value: Json): boolean =>
  isList(key, value) ||
  (typeof value === 'object' &&
    value !== null &&
    Object.entries(value).some(([name, inner]: [string, Json]) => holdsList(name, inner)));

/**
 * The value on lines with as many of its members as fit. A member that is longer than a line has lines of its own.
 *
 * @param before the characters before it on its first line
 * @param after those behind it on its last one
 */
function onFewLines(value: Json, indent: string, before: number, after: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const inner = `${indent}  `;
  const members = Object.entries(value) as [string, Json][];
  const lines: string[] = [];
  for (const [index, [key, item]] of members.entries()) {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    const column = inner.length + name.length;
    const end = index === members.length - 1 ? close.length + after : 1;
    const member = name + (onOneLine(item, itemWidth - column - end) ?? onFewLines(item, inner, column, end));
    const line = lines.length > 0 ? `${lines.at(-1)}, ${member}` : member;
    const start = lines.length > 1 ? inner.length : before + open.length;
    const isShort = !line.includes('\n') && start + line.length + end <= itemWidth;
    if (lines.length > 0 && isShort) lines[lines.length - 1] = line;
    else lines.push(member);
  }
  return open + lines.join(`,\n${inner}`) + close;
}

/** The value on one line; undefined if it has more characters than there is room for, or a list in it takes several lines. */
function onOneLine(value: Json, room: number): string | undefined {
  if (typeof value !== 'object' || value === null) return fitting(JSON.stringify(value), room);
  const isArray = Array.isArray(value);
  const inside = room - (isArray ? '[]' : '{  }').length;
  let text = '';
  // It ends early, so that a value is not gone through as a whole at each level that it is in.
  if (room < '{}'.length) return undefined;
  for (const [key, item] of Object.entries(value) as [string, Json][]) {
    const start = (text === '' ? '' : ', ') + (isArray ? '' : `${JSON.stringify(key)}: `);
    const oneLine = isList(key, item) ? undefined : onOneLine(item, inside - text.length - start.length);
    if (oneLine === undefined) return undefined;
    text += start + oneLine;
  }
  if (isArray) return fitting(`[${text}]`, room);
  return fitting(text === '' ? '{}' : `{ ${text} }`, room);
}

const fitting = (text: string, room: number): string | undefined => (text.length <= room ? text : undefined);
