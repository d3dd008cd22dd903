import { decimalOf, scaleOf, unitsOf, withScale } from '../../../kernel/values/decimal.ts';

/** Two decimals in units of the same size. */
function aligned(a: string, b: string): { left: bigint; right: bigint; scale: number } {
  const scale = Math.max(scaleOf(a), scaleOf(b));
  return { left: unitsOf(a, scale), right: unitsOf(b, scale), scale };
}

/** The quotient, rounded to the nearest integer; a half is rounded away from zero. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [over, under] = [dividend < 0n ? -dividend : dividend, divisor < 0n ? -divisor : divisor];
  const quotient = (2n * over + under) / (2n * under);
  return isNegative ? -quotient : quotient;
}

/**
 * Exact arithmetic with decimals in plain notation, of any number of digits. Results have the digits behind the point that they
 * need. A text that is no decimal throws.
 */
export const decimal = {
  add(a: string, b: string): string {
    const { left, right, scale } = aligned(a, b);
    return decimalOf(left + right, scale);
  },

  subtract(a: string, b: string): string {
    const { left, right, scale } = aligned(a, b);
    return decimalOf(left - right, scale);
  },

  multiply(a: string, b: string): string {
    const [left, right] = [scaleOf(a), scaleOf(b)];
    return decimalOf(unitsOf(a, left) * unitsOf(b, right), left + right);
  },

  /** The quotient with so many digits behind the point, rounded as by `round`. @throws RangeError for a divisor of zero */
  divide(a: string, b: string, scale: number): string {
    const { left, right } = aligned(a, b);
    return decimalOf(roundedQuotient(left * 10n ** BigInt(scale), right), scale);
  },

  /** The nearest decimal with so many digits behind the point; of two, the one farther from zero. */
  round(value: string, scale: number): string {
    const valueScale = scaleOf(value);
    if (valueScale <= scale) return withScale(value, scale);
    return decimalOf(roundedQuotient(unitsOf(value, valueScale), 10n ** BigInt(valueScale - scale)), scale);
  },

  /** Less than 0 if `a` is less than `b`, 0 if they are equal, and more than 0 otherwise. */
  compare(a: string, b: string): number {
    const { left, right } = aligned(a, b);
    return left < right ? -1 : Number(left > right);
  },

  /** Whether both are the same number, or both are null. */
  equals: (a: string | null, b: string | null): boolean =>
    a === null || b === null ? a === b : decimal.compare(a, b) === 0,

  /** The decimal as a field of so many digits holds it. @throws RangeError if it has more before the point */
  fit(value: string, digits: number, scale: number): string {
    if (unitsOf(value, scale) / 10n ** BigInt(digits) !== 0n) throw new RangeError(`${value} has too many digits.`);
    return withScale(value, scale);
  },
};
