import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { ApiError } from '../model/errors.ts';
import { maxJsonDepth } from '../model/limits.ts';
import { JsonText } from '../values/json-text.ts';

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;

// Brackets and braces differ in one bit, and no other byte becomes a brace when it is set.
const braceBit = 0x20;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

const malformed = (detail: string): ApiError => new ApiError('malformed_json', detail);

const tooManyValues = (maxValues: number): ApiError =>
  malformed(`The body has more than ${maxValues} members and array entries in all.`);

/**
 * Counts the members and array entries in bytes that need not be JSON; an empty object or array counts as one.
 *
 * @throws ApiError `malformed_json` (400) if there are too many values or levels, which parsing takes memory for
 */
function countWritten(bytes: Buffer, maxValues: number, maxDepth: number): number {
  const { length } = bytes;
  let values = 0;
  let depth = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) {
      while (++at < length && bytes[at] !== quote) if (bytes[at] === backslash) at++;
    } else if (byte === comma) {
      values++;
    } else if ((byte | braceBit) === openingBrace) {
      if (++depth > maxDepth) throw malformed(`The body is nested more than ${maxDepth} levels deep.`);
      // The first value of an object or array follows no comma.
      values++;
    } else if ((byte | braceBit) === closingBrace) {
      depth--;
    }
  }
  if (values > maxValues) throw tooManyValues(maxValues);
  return values;
}

/** Counts the same in an object or array that was parsed. */
function countParsed(value: object): number {
  let values = 0;
  for (const key in value) {
    values++;
    const inner = (value as Record<string, unknown>)[key];
    if (typeof inner === 'object' && inner !== null) values += countParsed(inner);
  }
  return Math.max(values, 1);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const place = position === undefined ? '' : `; the first error is at character ${Number(position) + 1}`;
    throw malformed(`The body is not valid JSON${place}.`);
  }
}

const byteOrderMark = Buffer.from('\u{feff}');

/** The bytes behind a byte order mark, with which some programs begin each text; RFC 8259, 8.1, allows to ignore it. */
const behindMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? bytes.subarray(byteOrderMark.length) : bytes;

/**
 * Parses a body as JSON.parse does, at a cost that its length alone decides. A byte order mark in front is skipped.
 *
 * Text that is not UTF-8 is refused, never repaired. So is a key that an object has twice: which of the two counts is up to each
 * parser (RFC 8259, section 4), and a proxy may have checked the other one.
 *
 * @param maxValues the most members and array entries, those of inner objects and arrays included
 * @param maxDepth the most levels of objects and arrays
 * @throws ApiError `malformed_json` (400).
 */
export function parseJson(body: Buffer, maxValues: number, maxDepth = maxJsonDepth): unknown {
  const bytes = behindMark(body);
  if (bytes.length === 0) throw malformed('The body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw malformed('The body is not UTF-8.');
  const values = countWritten(bytes, maxValues, maxDepth);
  const value = parse(bytes.toString());
  // JSON.parse keeps one of two equal keys.
  if (values > 0 && countParsed(value as object) < values) {
    throw malformed('An object in the body has the same key twice.');
  }
  return value;
}

/** A body, and whether its request has an `Idempotency-Key`. */
export interface JsonRequest {
  readonly bytes: Uint8Array;
  readonly maxValues: number;
  readonly maxDepth: number;
  readonly isKeyed: boolean;
}

/** A parsed body. If its request has a key, `digest` is that of all bodies with the same values, however they are written. */
export interface Parsed<T = unknown> {
  readonly value: T;
  readonly digest?: string;
}

/** Parses a body. @throws as `parseJson` */
export function parseRequest({ bytes, maxValues, maxDepth, isKeyed }: JsonRequest): Parsed {
  const value = parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), maxValues, maxDepth);
  return { value, ...(isKeyed && { digest: hash('sha256', JSON.stringify(value, inOrder), 'hex') }) };
}

/**
 * The digest of a body whose objects and arrays of any form count as they were sent: with the order of their keys.
 *
 * @param digest that of `parseRequest`, if the request has a key
 * @param parts the bodies that it consists of, with these as `keepTexts` leaves them
 */
export function digestWith(digest: string | undefined, parts: readonly unknown[]): string | undefined {
  if (digest === undefined) return undefined;
  const texts = parts.filter(isMapping).flatMap((part) => {
    const members = Object.entries(part).toSorted(byName);
    return members.flatMap(([, value]) => (value instanceof JsonText ? [value.text] : []));
  });
  return texts.length === 0 ? digest : hash('sha256', [digest, ...texts].join('\n'), 'hex');
}

type Member = readonly [name: string, value: unknown];

const byName = ([a]: Member, [b]: Member): number => (a < b ? -1 : 1);

export const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members in the order of their names. */
const inOrder = (_: string, value: unknown): unknown =>
  isMapping(value) ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value;

/** Refuses a value that is a part of a body and of more values than one of its own may have. @throws as `parseJson` */
export function requireFewValues(value: unknown, maxValues: number): void {
  if (typeof value === 'object' && value !== null && countParsed(value) > maxValues) throw tooManyValues(maxValues);
}
