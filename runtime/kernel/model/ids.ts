import { randomFillSync } from 'node:crypto';
import { ApiError } from './errors.ts';

/** Crockford's base 32: the digits sort as their values do. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The digits of an id after the name of its resource and an underscore. */
const idDigits = 26;

/** The characters of an id with this prefix. */
export const idLength = (prefix: string): number => prefix.length + 1 + idDigits;

const pool = Buffer.alloc(8 * 512);
let used = pool.length;

let lastTime = 0;
let sequence = 0;

// Two digits at a time: an id has 26 of them.
const pairs = Array.from({ length: 32 * 32 }, (_, value) => `${digits[value >> 5]}${digits[value & 31]}`);

const four = (value: number): string => `${pairs[value >> 10]}${pairs[value & 1023]}`;
const six = (value: number): string => `${pairs[value >> 20]}${four(value & 0xfffff)}`;
const ten = (value: number): string => four(Math.floor(value / 2 ** 30)) + six(value % 2 ** 30);

/** The digits of an id that hold its time, in milliseconds. */
export const timeDigits = (time: number): string => ten(Math.min(Math.max(time, 0), 2 ** 48 - 1));

/** Later times have a year of more than four digits: as texts, they sort before all others. */
const maxTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Ids of a later day are not followed: new records would soon have no time left. */
const lastFollowed = Date.UTC(9999, 11, 31);

/** @throws ApiError `clock_out_of_range` (500) if a timestamp cannot hold the time */
function requireWritable(time: number): number {
  if (time <= maxTime) return time;
  throw new ApiError(
    'clock_out_of_range',
    'The clock of the server is past the year 9999, so that it cannot write. Nothing was done. Set the clock.',
  );
}

let encodedTime = '';
let isoTime = '';

/**
 * Makes the id of a new record and the time of its creation, from one clock so that both sort alike. An id is the
 * prefix, an underscore, and 26 digits of base 32 laid out as in a ULID: 48 bits of milliseconds, then 16 bits that
 * count within the millisecond and 64 fresh random bits.
 *
 * Ids of one process rise strictly, in the order of the calls, even when the clock steps back; `time` never falls. Until
 * the clock has caught up, they take the last millisecond that they had, and the next one where that is full.
 *
 * @throws ApiError `clock_out_of_range` (500)
 */
export function newId(prefix: string): { id: string; time: string } {
  const now = Date.now();
  if (now > lastTime || ++sequence > 0xffff) {
    lastTime = requireWritable(Math.max(now, lastTime + 1));
    sequence = 0;
    encodedTime = ten(lastTime);
    isoTime = new Date(lastTime).toISOString();
  }
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const high = pool.readUInt32LE(used);
  const low = pool.readUInt32LE(used + 4);
  used += 8;
  // 16 + 64 bits are 16 digits of 5: four carry the sequence and 4 random bits, six and six carry 30 bits each.
  const head = four(sequence * 16 + (high >>> 30) * 4 + (low >>> 30));
  const random = six(high & 0x3fffffff) + six(low & 0x3fffffff);
  return { id: `${prefix}_${encodedTime}${head}${random}`, time: isoTime };
}

const created = new RegExp(`^[${digits}]{${idDigits}}$`);

/** Whether a text is an id as `newId` makes it with this prefix; a record that has it need not be there. */
export const isId = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && created.test(text.slice(prefix.length + 1));

/** The time in an id, in milliseconds; undefined if the id has another form. */
export function timeOfId(id: string): number | undefined {
  const key = id.slice(-idDigits);
  if (!created.test(key)) return undefined;
  let time = 0;
  for (let at = 0; at < 10; at++) time = time * 32 + digits.indexOf(key.charAt(at));
  return time;
}

/**
 * Makes later ids and times follow those of a stored record, by a millisecond where the clock is behind it: the clock of
 * whoever made the record was ahead. An id of another form is ignored.
 *
 * @returns the time in the id, in milliseconds
 */
export function continueAfter(id: string): number | undefined {
  const time = timeOfId(id);
  if (time === undefined || time > lastFollowed) return undefined;
  if (time > lastTime) {
    lastTime = time;
    // The place of the record within its millisecond is unknown.
    sequence = 0xffff;
  }
  return time;
}

/**
 * The current time as ids tell it: never before the time of an id that this process has made or continued after.
 *
 * @throws ApiError `clock_out_of_range` (500)
 */
export const currentTime = (): string => new Date(requireWritable(Math.max(Date.now(), lastTime))).toISOString();
