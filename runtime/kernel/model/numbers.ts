/**
 * Prints a number as PostgreSQL does, in the fewest digits that are nearer to it than to any other; with an exponent of at least two
 * digits from 1e15 on, and below 0.0001.
 */
export function printNumber(value: number): string {
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < 1e15)) return String(value);
  let text = value.toExponential();
  // JavaScript counts on a reader that rounds to the even double, and PostgreSQL does not. Larger numbers are never in the middle.
  if (size > Number.MAX_SAFE_INTEGER && size < 2 ** 80) {
    for (let fraction = 0; !isNearest(text, value); fraction++) text = value.toExponential(fraction);
  }
  return text.replace(/(?<=[+-])\d$/, '0$&');
}

/** Whether a whole number in decimal is nearer to a double than to any other, not in the middle between two. */
function isNearest(text: string, value: number): boolean {
  const [digits = '', exponent] = text.split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const twice = 2n * BigInt(whole + fraction.padEnd(Number(exponent), '0'));
  return Number(twice + 1n) === 2 * value && Number(twice - 1n) === 2 * value;
}
