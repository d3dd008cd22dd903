import type { z } from 'zod';
import { type FieldError, invalidBody } from './errors.ts';
import { maxEntries, maxNamed } from './limits.ts';
import { shorten } from './text.ts';
import { didYouMean } from './suggest.ts';
import type { Rule } from './value-rules.ts';

/** The words for zod's names of types. */
export const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** The words for the type of a value. */
export function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'boolean' ? String(value) : (typeWords[typeof value] ?? typeof value);
}

const counted = (entries: unknown): string => `${String(entries)} ${entries === 1 ? 'entry' : 'entries'}`;

/** The pointer to a place in a body (RFC 6901), its long keys shortened. */
export function pointerTo(path: readonly PropertyKey[]): Pick<FieldError, 'pointer' | 'pointer_shortened'> {
  const keys = path.map(String);
  const escape = (key: string): string => shorten(key).replaceAll('~', '~0').replaceAll('/', '~1');
  const pointer = keys.map((key) => `/${escape(key)}`).join('');
  return keys.some((key) => shorten(key) !== key) ? { pointer, pointer_shortened: true } : { pointer };
}

/** The value at a path in parsed JSON or YAML. */
export function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** The rule that a value breaks where zod reports this issue. */
function brokenRule(issue: z.core.$ZodIssue, value: unknown): Rule {
  if (issue.code === 'custom') return issue.params as unknown as Rule;
  if (value === undefined) return { code: 'missing', message: 'is required' };
  if (issue.code === 'invalid_type' && issue.expected === 'never') {
    return { code: 'read_only', message: 'is set by the service; leave it out' };
  }
  if (value === null) return { code: 'null_not_allowed', message: 'must not be null' };
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map((allowedValue) => JSON.stringify(allowedValue)).join(', ');
    return { code: typeof value === 'string' ? 'not_in_enum' : 'wrong_type', message: `must be one of ${allowed}` };
  }
  if (issue.code === 'too_small' && issue.origin === 'array') {
    return { code: 'too_short', message: `must have at least ${counted(issue.minimum)}` };
  }
  if (issue.code === 'too_big' && issue.origin === 'array') {
    return { code: 'too_long', message: `must have at most ${counted(issue.maximum)}` };
  }
  if (issue.code === 'invalid_type') {
    // JSON.parse makes Infinity of what no double can hold.
    const isNumber = typeof value === 'number' && ['number', 'int'].includes(issue.expected);
    if (isNumber && !Number.isFinite(value)) return { code: 'too_large', message: 'is too large for a number' };
    const expected = typeWords[issue.expected] ?? issue.expected;
    return { code: 'wrong_type', message: `must be ${expected}, not ${typeNameOf(value)}` };
  }
  return { code: 'wrong_type', message: 'must be an integer between -(2^53 - 1) and 2^53 - 1' };
}

/** The first rule of a field that a value breaks. */
export function brokenRuleOf(field: z.ZodType, value: unknown): Rule | undefined {
  const issue = field.safeParse(value).error?.issues[0];
  return issue && brokenRule(issue, value);
}

/** An unknown field behind those that a response lists. */
const unlistedField: FieldError = { pointer: '', code: 'unknown_field', message: 'is not a field' };

function toFieldErrors(issue: z.core.$ZodIssue, schema: z.ZodType, body: unknown): FieldError[] {
  if (issue.code !== 'unrecognized_keys') {
    const { code, message } = brokenRule(issue, valueAt(body, issue.path));
    return [{ ...pointerTo(issue.path), code, message }];
  }
  const fieldNames = issue.path.length === 0 && 'shape' in schema ? Object.keys(schema.shape as object) : [];
  return issue.keys.map((key, index) => {
    // Only counted: tens of thousands would take long to describe.
    if (index >= maxEntries) return unlistedField;
    // A body with more of them is of another kind.
    const hint = index < maxNamed ? didYouMean(key, fieldNames) : '';
    const message = `is not a field: ${JSON.stringify(shorten(key))}${hint}`;
    return { ...pointerTo([...issue.path, key]), code: 'unknown_field', message };
  });
}

/**
 * Checks a parsed JSON body against the schema of its operation.
 *
 * @throws ApiError `invalid_body` (422): `errors` lists every broken rule with a pointer (RFC 6901), never in zod's words.
 */
export function validate<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidBody(result.error.issues.flatMap((issue) => toFieldErrors(issue, schema, body)));
}
