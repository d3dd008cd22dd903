import { hash, randomInt } from 'node:crypto';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The beginning of every key of the key table, so that people and secret scanners know it. */
const prefix = 's2s_';

/** Digits of a key's public id, and of its secret: 214 random bits. */
const lengths = { id: 10, secret: 36 };

const form = new RegExp(`^${prefix}([0-9A-Za-z]{${lengths.id}})_[0-9A-Za-z]{${lengths.secret}}$`);

/** A key of the key table. Only its digest is stored. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
  readonly digest: string;
}

const randomDigits = (count: number): string => Array.from({ length: count }, () => digits[randomInt(62)]).join('');

/** The SHA-256 of a key, in hexadecimal. */
export const digestOf = (key: string): string => hash('sha256', key, 'hex');

/** Makes a key: `s2s_`, its id, `_`, and its secret. */
export function newKey(): NewKey {
  const id = randomDigits(lengths.id);
  const key = `${prefix}${id}_${randomDigits(lengths.secret)}`;
  return { id, key, digest: digestOf(key) };
}

/** The id in a key of the key table; undefined for any other text. */
export const idOfKey = (key: string): string | undefined => form.exec(key)?.[1];

/** The id that a person names a key by: itself, with the prefix, or in the key itself. */
export const idNamed = (text: string): string =>
  (text.startsWith(prefix) ? text.slice(prefix.length) : text).split('_')[0] as string;

/** The part of a key that lists show: its beginning. */
export const shownKey = (id: string): string => prefix + id;
