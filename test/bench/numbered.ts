const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** A whole number in so many digits of Crockford's base 32, which sort as their values do. */
const base32 = (value: number, length: number): string =>
  value
    .toString(32)
    .padStart(length, '0')
    .replace(/[a-v]/g, (digit) => digits[parseInt(digit, 32)] as string);

const firstTime = Date.UTC(2025, 0, 1);
/** Milliseconds from one row to the next: a million are 290 days. */
const spacing = 25_000;

/** When the row with this number was made, counted from 0: in the past, the higher the later. */
export const timeOf = (number: number): string => new Date(firstTime + number * spacing).toISOString();

/** The id of the row with this number: laid out as those of the service, its random part scattered by the number. */
export function idOf(prefix: string, number: number): string {
  const scattered = (factor: number): string => base32(Math.imul(number + 1, factor) & 0x3fffffff, 6);
  const time = base32(firstTime + number * spacing, 10);
  return `${prefix}_${time}0000${scattered(0x9e3779b1)}${scattered(0x85ebca6b)}`;
}
