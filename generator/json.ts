import { printWidth } from './width.ts';

/** Plain JSON data. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Whether a value is a mapping of YAML or an object of JSON. */
export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const flat = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${flat(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
};

// Lists of names and fields grow: with one on each line, an addition is easy to review.
const isList = (key: string | undefined, value: Json): boolean =>
  typeof value === 'object' && value !== null && (key === 'properties' || (key === 'required' && Array.isArray(value)));

const hasList = (value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, inner]) => isList(key, inner as Json) || hasList(inner as Json));

/**
 * Prints JSON for reviewers: a small value that fits is on one line, as is every field and every name of a `required`
 * list, so that a new field adds one line in each place.
 */
export function printJson(value: Json, indent = '', key?: string, ofField = false): string {
  const oneLine = flat(value);
  if (typeof value !== 'object' || value === null) return oneLine;
  const before = indent.length + (key === undefined ? 0 : key.length + 4);
  const isOpen = isList(key, value) || hasList(value);
  if (!isOpen && (ofField || before + oneLine.length + 1 <= printWidth)) return oneLine;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item: Json) => inner + printJson(item, inner))
    : Object.entries(value).map(
        ([name, item]) =>
          `${inner}${JSON.stringify(name)}: ${printJson(item as Json, inner, name, key === 'properties')}`,
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
