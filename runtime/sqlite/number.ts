import type { DatabaseSync } from 'node:sqlite';

/** The bits of a double, to find those beside it. */
const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

/** The double that is so many places further from zero. */
function beside(value: number, places: bigint): number {
  double[0] = value;
  bits[0] = (bits[0] as bigint) + places;
  return double[0];
}

/** Whether a number in decimal is as near to a whole double as to one beside it. It is read as the even one of the two. */
const isBetween = (text: string, value: number): boolean =>
  [1n, -1n].some((places) => 2n * integerOf(text) === BigInt(value) + BigInt(beside(value, places)));

/** The value of digits and an exponent that leaves no fraction. */
function integerOf(text: string): bigint {
  const [, sign, whole = '', fraction = '', exponent] = /^(-?)(\d)\.?(\d*)e\+(\d+)$/.exec(text) ?? [];
  const value = BigInt((whole + fraction).padEnd(Number(exponent) + 1, '0'));
  return sign ? -value : value;
}

/** Above this, no number in 17 digits is between two doubles. */
const lastBetween = 2 ** 80;

/**
 * Prints a number as PostgreSQL does, in the fewest digits that are nearer to it than to any other; with an exponent of at least two digits
 * from 1e15 on, and below 0.0001.
 */
function printNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e15)) return String(value);
  let text = value.toExponential();
  if (size > Number.MAX_SAFE_INTEGER && size < lastBetween) {
    // JavaScript counts on a reader that rounds to the even double, and PostgreSQL does not.
    let fraction = text.replaceAll(/^-|e.*|\./g, '').length - 1;
    while (isBetween(text, value)) text = value.toExponential(++fraction);
  }
  const [digits, exponent] = text.split('e') as [string, string];
  return `${digits}e${exponent.slice(0, 1)}${exponent.slice(1).padStart(2, '0')}`;
}

/** Lets a connection execute `numberJson`. */
export const addNumberFunction = (database: DatabaseSync): void =>
  database.function('_number', { deterministic: true }, (value) => printNumber(value as number));

/**
 * An expression: the JSON of a number. SQLite itself prints 5.0 for 5, and 17 digits where 16 are enough; whole numbers, which most are,
 * are printed without a call of JavaScript.
 */
export const numberJson = (value: string): string =>
  `case when ${value} = cast(${value} as integer) and abs(${value}) < 1e15 then cast(${value} as integer) ` +
  `when ${value} is not null then json(_number(${value})) end`;
