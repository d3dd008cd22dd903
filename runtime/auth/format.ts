import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The beginning of every key of the key table, so that people and secret scanners know it. */
const prefix = 's2s_';

/** Digits of a key's public id, of its secret (178 random bits), and of its checksum: 32 bits. */
const lengths = { id: 10, secret: 30, checksum: 6 };

const form = new RegExp(`^${prefix}([0-9A-Za-z]{${lengths.id}})_[0-9A-Za-z]{${lengths.secret + lengths.checksum}}$`);

/** A key of the key table. Only its digest is stored. */
export interface NewKey {
  readonly id: string;
  readonly key: string;
  readonly digest: string;
}

const randomDigits = (count: number): string => Array.from({ length: count }, () => digits[randomInt(62)]).join('');

/** The CRC-32 of a text, in base 62. */
function checksumOf(text: string): string {
  let checksum = '';
  for (let value = crc32(text); checksum.length < lengths.checksum; value = Math.floor(value / 62)) {
    checksum = (digits[value % 62] as string) + checksum;
  }
  return checksum;
}

/** The SHA-256 of a key, in hexadecimal. */
export const digestOf = (key: string): string => hash('sha256', key, 'hex');

/** Makes a key: `s2s_`, its id, `_`, its secret, and the checksum of all of these. */
export function newKey(): NewKey {
  const id = randomDigits(lengths.id);
  const start = `${prefix}${id}_${randomDigits(lengths.secret)}`;
  const key = start + checksumOf(start);
  return { id, key, digest: digestOf(key) };
}

/** The id in a key of the key table; undefined for any other text, also if only the checksum is wrong. */
export function idOfKey(key: string): string | undefined {
  const id = form.exec(key)?.[1];
  return id !== undefined && key.endsWith(checksumOf(key.slice(0, -lengths.checksum))) ? id : undefined;
}

/** The id that a person names a key by: itself, with the prefix, or in the key itself. */
export const idNamed = (text: string): string =>
  (text.startsWith(prefix) ? text.slice(prefix.length) : text).split('_')[0] as string;

/** The part of a key that lists show: its beginning. */
export const shownKey = (id: string): string => prefix + id;
