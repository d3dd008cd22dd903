import { brokenDecimalRule } from '../../runtime/model/decimals.ts';
import { unitsOf, withScale } from '../../runtime/rules/decimal.ts';
import type { FieldType } from '../model/model.ts';
import type { CheckedFile } from './structure.ts';

type Decimal = Extract<FieldType, { type: 'decimal' }>;

/** Checks the keys of a decimal, and writes its limits with its scale. Undefined if one of the keys is wrong. */
export function readDecimal(
  file: CheckedFile,
  name: string,
  path: readonly PropertyKey[],
  written: Decimal,
): Decimal | undefined {
  const { digits, scale } = written;
  const at = (key: string, rule: string): void => file.atValue([...path, key], `${name}: ${rule}`);
  if (scale > digits) {
    at('scale', 'scale is larger than digits, which counts the digits behind the point as well');
    return undefined;
  }
  const broken = (['min', 'max'] as const).filter((key) => {
    const rule = written[key] === undefined ? undefined : brokenDecimalRule(written[key], { digits, scale });
    if (rule) at(key, `the ${key} "${written[key]}" ${rule.message}`);
    return rule;
  });
  if (broken.length > 0) return undefined;
  const { min, max, ...type } = written;
  if (min !== undefined && max !== undefined && unitsOf(min, scale) > unitsOf(max, scale)) {
    at('max', 'max is smaller than min');
  }
  return {
    ...type,
    ...(min !== undefined && { min: withScale(min, scale) }),
    ...(max !== undefined && { max: withScale(max, scale) }),
  };
}
