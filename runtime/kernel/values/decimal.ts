const partsOf = (value: string): readonly [whole: string, fraction: string] => {
  const [whole = '', fraction = ''] = value.split('.');
  return [whole, fraction];
};

/** A decimal with exactly `scale` digits behind the point, if it has no more. */
export function withScale(value: string, scale: number): string {
  const [whole, fraction] = partsOf(value);
  return scale === 0 ? value : `${whole}.${fraction.padEnd(scale, '0')}`;
}

/** The number of units of 10^-scale in a decimal that has at most `scale` digits behind the point. */
export const unitsOf = (value: string, scale: number): bigint => BigInt(withScale(value, scale).replace('.', ''));

/** The decimal of a number of units of 10^-scale. */
export function decimalOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(-scale)}`}`;
}

/** The number of digits behind the point of a decimal. */
export const scaleOf = (value: string): number => partsOf(value)[1].length;
