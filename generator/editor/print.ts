import { printWidth } from '../emit/width.ts';

/** A JSON Schema, or a part of one. */
export type Schema = { [keyword: string]: unknown };

const isMapping = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Prints a JSON Schema as prettier leaves it: what fits on one line stands on one. */
export const printSchema = (schema: Schema): string => `${print(schema, '', 0)}\n`;

function print(value: unknown, indent: string, before: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const oneLine = flat(value);
  // The comma that may follow counts too.
  if (oneLine !== undefined && before + oneLine.length < printWidth) return oneLine;
  const inner = `${indent}  `;
  const lines = isMapping(value)
    ? Object.entries(value).map(([key, item]) => {
        const start = `${inner}${JSON.stringify(key)}: `;
        return start + print(item, inner, start.length);
      })
    : (value as unknown[]).map((item) => inner + print(item, inner, inner.length));
  const [open, close] = isMapping(value) ? '{}' : '[]';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** A value on one line; undefined where prettier breaks it, however short: a list of things of two keys or more. */
function flat(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([key, item]) => {
    const part = flat(item);
    return isMapping(value) && part !== undefined ? `${JSON.stringify(key)}: ${part}` : part;
  });
  const isTable =
    Array.isArray(value) &&
    value.length > 1 &&
    value.every((item) => typeof item === 'object' && item !== null && Object.keys(item).length > 1);
  if (isTable || parts.includes(undefined)) return undefined;
  if (Array.isArray(value)) return `[${parts.join(', ')}]`;
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}
