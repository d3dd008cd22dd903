import { unitsOf } from '../values/decimal.ts';
import type { Rule } from './value-rules.ts';
import { counted } from './text.ts';

/** The most digits of a decimal: its units fit into 64 bits. */
export const maxDigits = 18;

/** The decimals that a field takes. `min` and `max` are decimals. */
export interface DecimalLimits {
  /** Digits in all. */
  readonly digits: number;
  /** Digits behind the point. */
  readonly scale: number;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
}

const plainNotation = /^(?!-[0.]+$)-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The rule that a string breaks as a decimal. */
export function brokenDecimalRule(value: string, { digits, scale, min, max }: DecimalLimits): Rule | undefined {
  if (!plainNotation.test(value)) {
    const example = scale === 0 ? '12' : `12.${'50'.padEnd(scale, '0').slice(0, scale)}`;
    return { code: 'invalid_decimal', message: `must be a decimal number in plain notation, like ${example}` };
  }
  const [whole = '', fraction = ''] = value.split('.');
  if (fraction.length > scale) {
    const most = scale === 0 ? 'have no' : `have at most ${scale}`;
    return { code: 'invalid_decimal', message: `must ${most} ${scale === 1 ? 'decimal' : 'decimals'}` };
  }
  const room = digits - scale;
  if (whole.replace(/^-?0?/, '').length > room) {
    const most = room === 0 ? 'have a 0 alone' : `have at most ${counted(room, 'digit')}`;
    return { code: 'too_large', message: `must ${most} before the point` };
  }
  const units = unitsOf(value, scale);
  if (min !== undefined && units < unitsOf(min, scale))
    return { code: 'too_small', message: `must be at least ${min}` };
  if (max !== undefined && units > unitsOf(max, scale)) return { code: 'too_large', message: `must be at most ${max}` };
  return undefined;
}
