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

/** The items of these are on one line each, however long it is. */
const longItems: ReadonlySet<string> = new Set(['properties', 'parameters', 'responses', 'headers']);

// Lists of names and fields grow: with one on each line, an addition is easy to review.
const isList = (key: string | undefined, value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (key === 'properties' || (key === 'required' && Array.isArray(value)) || marked.has(value));

/**
 * Prints JSON for reviewers: a small value that fits is on one line, as is every field, parameter, response, header and name of
 * a `required` list, so that a new one adds one line in each place. The time it takes grows with the length of the text alone.
 */
export const printJson = (value: Json): string => print(value, '');

function print(value: Json, indent: string, key?: string, isOnOneLine = false): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const before = indent.length + (key === undefined ? 0 : key.length + 4);
  const room = isOnOneLine ? Infinity : printWidth - before - 1;
  const oneLine = isList(key, value) ? undefined : onOneLine(value, room);
  if (oneLine !== undefined) return oneLine;
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
