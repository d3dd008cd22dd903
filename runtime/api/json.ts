import { isUtf8 } from 'node:buffer';
import { ApiError } from '../model/errors.ts';
import { shorten } from '../model/text.ts';
import { maxJsonDepth } from '../model/limits.ts';
import { pointerTo } from '../model/validate.ts';

/** The parsed JSON of a body. */
export interface Json {
  readonly value: unknown;
  /** It holds more values than the limit, and `value` is only its beginning. */
  readonly isCut: boolean;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;

// Brackets and braces differ in one bit, and no other byte becomes a brace when it is set.
const braceBit = 0x20;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

const malformed = (detail: string): ApiError => new ApiError('malformed_json', detail);

/** The number of the character at a position, from 1. */
const characterAt = (bytes: Buffer, position: number): number => bytes.toString('utf8', 0, position).length + 1;

/** The position of the quote that ends the string which begins at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  const { length } = bytes;
  let at = start + 1;
  for (let byte; at < length && (byte = bytes[at]) !== quote; at++) if (byte === backslash) at++;
  return at;
}

/**
 * Counts, in bytes that need not be JSON, what the time and the memory of parsing and validating depend on.
 *
 * @returns the number of keys; where there are more values (members and array entries) than `maxValues`, also the last
 *   place before that where the outermost object or array can be cut, 0 if there is none
 * @throws ApiError `malformed_json` (400) if objects and arrays are nested too deeply.
 */
function scan(bytes: Buffer, maxValues: number): { readonly keys: number; readonly cutAt?: number } {
  const { length } = bytes;
  let keys = 0;
  let values = 0;
  let depth = 0;
  let cutAt = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      at = endOfString(bytes, at);
    } else if (byte === colon) {
      keys++;
    } else if (byte === comma) {
      if (depth === 1) cutAt = at;
      if (++values > maxValues) return { keys, cutAt };
    } else if ((byte | braceBit) === openingBrace) {
      if (++depth > maxJsonDepth) {
        const where = `at character ${characterAt(bytes, at)}`;
        throw malformed(`The body is nested more than ${maxJsonDepth} levels deep, ${where}.`);
      }
      // The first value of an object or array follows no comma.
      if (++values > maxValues) return { keys, cutAt };
    } else if ((byte | braceBit) === closingBrace) {
      depth--;
    }
  }
  return { keys };
}

/** The keys in all objects of a value. */
function countKeys(value: object): number {
  let keys = 0;
  for (const key in value) {
    keys++;
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === 'object' && inner !== null) keys += countKeys(inner);
  }
  return Array.isArray(value) ? keys - value.length : keys;
}

/** The members and array entries in a value that was parsed. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  for (const inner of Object.values(value)) count += 1 + countValues(inner);
  return count;
}

/** @throws ApiError `malformed_json` (400) for the first key that an object of valid JSON has twice. */
function refuseRepeatedKey(bytes: Buffer): void {
  // The objects and arrays around a place. `step` leads to the value there; in an object it is undefined before its key.
  const around: { readonly keys?: Set<string>; step: string | number | undefined }[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    const inner = around.at(-1);
    if (byte === quote) {
      const start = at;
      at = endOfString(bytes, start);
      if (!inner?.keys || inner.step !== undefined) continue;
      const key = JSON.parse(bytes.toString('utf8', start, at + 1)) as string;
      if (inner.keys.has(key)) {
        const { pointer } = pointerTo(around.slice(0, -1).map(({ step = '' }) => step));
        const place = pointer === '' ? 'The body' : `The object at ${pointer}`;
        const where = `at character ${characterAt(bytes, start)}`;
        throw malformed(`${place} repeats the key ${JSON.stringify(shorten(key))}, ${where}.`);
      }
      inner.keys.add(key);
      inner.step = key;
    } else if (byte === comma && inner) {
      inner.step = typeof inner.step === 'number' ? inner.step + 1 : undefined;
    } else if ((byte | braceBit) === openingBrace) {
      around.push(byte === openingBrace ? { keys: new Set(), step: undefined } : { step: 0 });
    } else if ((byte | braceBit) === closingBrace) {
      around.pop();
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const where = position === undefined ? '' : `; the first error is at character ${Number(position) + 1}`;
    throw malformed(`The body is not valid JSON${where}.`);
  }
}

/**
 * Parses JSON as JSON.parse does, at a cost that the length alone decides: JSON that is nested more than `maxJsonDepth`
 * levels deep is refused, and JSON of very many values cut, before it is parsed.
 *
 * The bytes are decoded strictly: what is not UTF-8 is refused, never repaired. So is a key that an object has twice:
 * which of the two counts is up to each parser (RFC 8259, section 4), and what looked at the body before may have taken
 * the other one.
 *
 * @param maxValues the most members and array entries that are parsed, those of inner objects and arrays included
 * @throws ApiError `malformed_json` (400).
 */
export function parseJson(bytes: Buffer, maxValues: number): Json {
  if (bytes.length === 0) throw malformed('The body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  const { keys, cutAt } = scan(bytes, maxValues);
  if (cutAt !== undefined) return { value: parseBeginning(bytes, cutAt), isCut: true };
  const value = parse(bytes.toString());
  // JSON.parse keeps one of two equal keys.
  if (keys > 0 && countKeys(value as object) < keys) refuseRepeatedKey(bytes);
  return { value, isCut: false };
}

function parseBeginning(bytes: Buffer, cutAt: number): unknown {
  if (cutAt === 0) return {};
  const text = bytes.toString('utf8', 0, cutAt);
  return parse(text + (text.trimStart().startsWith('[') ? ']' : '}'));
}
