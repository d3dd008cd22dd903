import { printWidth } from './expression.ts';

/** Plain JSON data. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const flat = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(flat).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${flat(inner)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
};

// A list of names that grows is easier to review with a name on each line, however short it is.
const hasNames = (value: Json): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([key, inner]) => (key === 'required' && Array.isArray(inner)) || hasNames(inner as Json));

/** Prints JSON for reviewers: what is small and fits stands on one line, one name of a `required` list on each. */
export function printJson(value: Json, indent = '', before = ''): string {
  const oneLine = flat(value);
  const isNames = before.endsWith('"required": ') && Array.isArray(value);
  if (typeof value !== 'object' || value === null) return oneLine;
  if (!isNames && !hasNames(value) && indent.length + before.length + oneLine.length + 1 <= printWidth) return oneLine;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item: Json) => inner + printJson(item, inner))
    : Object.entries(value).map(([key, item]) => {
        const start = `${JSON.stringify(key)}: `;
        return inner + start + printJson(item as Json, inner, start);
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
