import type { z } from 'zod';
import { type FieldError, invalidBody, shorten } from '../errors.ts';
import { didYouMean } from '../suggest.ts';
import type { Rule } from './fields.ts';

/** What zod's names of types mean, in words. */
export const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** What a value is, in words. */
export function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'boolean' ? String(value) : (typeWords[typeof value] ?? typeof value);
}

/** RFC 6901. */
const pointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What stands at a path inside of parsed JSON or YAML. */
export function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function knownNames(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  if (path.length > 0 || !('shape' in schema)) return [];
  return Object.keys(schema.shape as object);
}

function toFieldErrors(issue: z.core.$ZodIssue, schema: z.ZodType, body: unknown): FieldError[] {
  const at = pointer(issue.path);
  const value = valueAt(body, issue.path);
  switch (issue.code) {
    case 'custom': {
      const { code, message } = issue.params as unknown as Rule;
      return [{ pointer: at, code, message }];
    }
    case 'unrecognized_keys': {
      const known = knownNames(schema, issue.path);
      return issue.keys.map((key) => ({
        pointer: `${at}${pointer([key])}`,
        code: 'unknown_field',
        message: `is not a field: ${JSON.stringify(shorten(key))}${didYouMean(key, known)}`,
      }));
    }
    case 'invalid_value':
      if (value === undefined) break;
      if (value === null) return [{ pointer: at, code: 'null_not_allowed', message: 'must not be null' }];
      return [
        {
          pointer: at,
          code: typeof value === 'string' ? 'not_in_enum' : 'wrong_type',
          message: `must be one of ${issue.values.map((allowed) => JSON.stringify(allowed)).join(', ')}`,
        },
      ];
    case 'too_small':
      if (issue.origin !== 'array') break;
      return [{ pointer: at, code: 'too_short', message: `must have at least ${issue.minimum} entries` }];
    case 'too_big':
      if (issue.origin === 'array') {
        return [{ pointer: at, code: 'too_long', message: `must have at most ${issue.maximum} entries` }];
      }
      break;
    case 'invalid_type':
      if (value === undefined) break;
      if (issue.expected === 'never') {
        return [{ pointer: at, code: 'read_only', message: 'is set by the service; leave it out' }];
      }
      if (value === null) return [{ pointer: at, code: 'null_not_allowed', message: 'must not be null' }];
      return [
        {
          pointer: at,
          code: 'wrong_type',
          message: `must be ${typeWords[issue.expected] ?? issue.expected}, not ${nameOf(value)}`,
        },
      ];
    default:
      break;
  }
  if (value === undefined) return [{ pointer: at, code: 'missing', message: 'is required' }];
  // What is left are numbers that no double or no safe integer can hold.
  return [{ pointer: at, code: 'wrong_type', message: 'must be a number that JSON readers keep exactly' }];
}

/**
 * Checks a parsed JSON body against the schema of its operation.
 *
 * @throws ApiError `invalid_body` (422): `errors` lists every broken rule with a pointer (RFC 6901), in our own words.
 */
export function validate<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw invalidBody(result.error.issues.flatMap((issue) => toFieldErrors(issue, schema, body)));
}
