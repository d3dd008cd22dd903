import { JsonText } from '../values/json-text.ts';
import { typeNameOf } from './validate.ts';
import { type Rule, unstorable } from './value-rules.ts';

/** The rule that a value of a field of any form breaks. @param value a `JsonText`, if it is an object or an array @param maxBytes of its JSON */
export function brokenJsonRule(value: unknown, maxBytes: number): Rule | undefined {
  if (value === undefined) return { code: 'missing', message: 'is required' };
  if (value === null) return { code: 'null_not_allowed', message: 'must not be null' };
  if (!(value instanceof JsonText))
    return { code: 'wrong_type', message: `must be an object or an array, not ${typeNameOf(value)}` };
  const { text: written } = value;
  if (Buffer.byteLength(written) > maxBytes)
    return { code: 'too_long', message: `must have at most ${maxBytes} bytes as JSON` };
  // Only an escape can stand for such a character.
  if (!written.includes('\\u')) return undefined;
  let broken: Rule | undefined;
  const check = (key: string, inner: unknown): unknown => {
    broken ??= unstorable(key) ?? (typeof inner === 'string' ? unstorable(inner) : undefined);
    return inner;
  };
  JSON.parse(written, check);
  return broken;
}
