import { randomFillSync } from 'node:crypto';

// Crockford's base 32: the digits sort as their values do.
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const pool = Buffer.alloc(8 * 512);
let used = pool.length;

let lastTime = 0;
let sequence = 0;

const encode = (value: number, length: number): string => {
  let text = '';
  for (let i = 0; i < length; i++) {
    text = digits[value % 32] + text;
    value = Math.floor(value / 32);
  }
  return text;
};

let encodedTime = '';

/** The id of a new record and the time of its creation, taken from one clock so that both sort alike. */
export interface Birth {
  readonly id: string;
  readonly time: string;
}

/**
 * Makes an id: the prefix, an underscore, and 26 digits of base 32 laid out as in a ULID: 48 bits of milliseconds, then
 * 16 bits that count within the millisecond and 64 fresh random bits.
 *
 * Ids of one process rise strictly, in the order of the calls, even when the clock steps back; `time` never falls.
 */
export function birth(prefix: string): Birth {
  const now = Date.now();
  if (now > lastTime) {
    lastTime = now;
    sequence = 0;
    encodedTime = encode(lastTime, 10);
  } else if (++sequence > 0xffff) {
    lastTime++;
    sequence = 0;
    encodedTime = encode(lastTime, 10);
  }
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const high = pool.readUInt32LE(used);
  const low = pool.readUInt32LE(used + 4);
  used += 8;
  // 16 + 64 bits are 16 digits of 5: four carry the sequence and 4 random bits, six and six carry 30 bits each.
  const head = encode(sequence * 16 + (high >>> 30) * 4 + (low >>> 30), 4);
  const random = encode(high & 0x3fffffff, 6) + encode(low & 0x3fffffff, 6);
  return { id: `${prefix}_${encodedTime}${head}${random}`, time: new Date(lastTime).toISOString() };
}

const born = new RegExp(`^[${digits}]{26}$`);

/** Whether a text is an id as `birth` makes it with this prefix; a record that has it need not be there. */
export const isId = (prefix: string, text: string): boolean =>
  text.startsWith(`${prefix}_`) && born.test(text.slice(prefix.length + 1));

/** The current time as ids tell it: never before the time of an id that this process has made. */
export const currentTime = (): string => new Date(Math.max(Date.now(), lastTime)).toISOString();
