/** A number that is an exact integer. @throws RangeError for others: a computation that has overflowed */
export function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is no integer that is exact.`);
  // Zero has no sign.
  return value + 0;
}

/** A number that is finite. @throws RangeError for others: a division by zero, or a computation that has overflowed */
export function finite(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not finite.`);
  return value + 0;
}

/** The whole part of a quotient of integers. @throws RangeError for a divisor of zero */
export const quotient = (a: number, b: number): number => integer((a - (a % b)) / b);

/** The remainder of a division of integers, with the sign of the dividend. @throws RangeError for a divisor of zero */
export const remainder = (a: number, b: number): number => integer(a % b);
