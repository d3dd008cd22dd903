import { maxDigits } from '../../runtime/kernel/model/decimals.ts';
import { decimalOf, unitsOf } from '../../runtime/kernel/values/decimal.ts';
import { schemaOf } from '../model/field-types.ts';
import type { Field } from '../model/model.ts';
import { breaking, type Difference, narrowedFor, olderValues, safe } from './change.ts';
import { code } from './markdown.ts';

/** A limit of a field's values. */
interface Bound {
  /** The keyword of JSON Schema that sets it. */
  readonly keyword: 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'maxItems' | 'maxBytes';
  /** The limit where the schema has none. */
  readonly none: number;
  /** Whether it limits from above or from below. */
  readonly end: 'upper' | 'lower';
  /** The requirement that the limit makes, in words before it and behind it, and without a limit. */
  readonly verb: string;
  readonly unit: string;
  readonly absent?: string;
}

/** A limit of numbers, or of decimals, as their number of units of 10^-18. */
type Limit = number | bigint;

const textOf = (limit: Limit): string =>
  typeof limit === 'bigint' ? decimalOf(limit, maxDigits).replace(/\.?0+$/, '') : String(limit);

const isStated = (limit: Limit): boolean => typeof limit === 'bigint' || Number.isFinite(limit);

/** The limits, by the key that sets them. */
export const bounds = {
  min_length: { keyword: 'minLength', none: 0, end: 'lower', verb: 'must have at least', unit: ' characters' },
  max_length: { keyword: 'maxLength', none: Infinity, end: 'upper', verb: 'may have at most', unit: ' characters' },
  min: {
    keyword: 'minimum',
    none: -Infinity,
    end: 'lower',
    verb: 'must be at least',
    unit: '',
    absent: 'has no minimum',
  },
  max: { keyword: 'maximum', none: Infinity, end: 'upper', verb: 'may be at most', unit: '', absent: 'has no maximum' },
  max_items: { keyword: 'maxItems', none: Infinity, end: 'upper', verb: 'may have at most', unit: ' values' },
  max_bytes: { keyword: 'maxBytes', none: Infinity, end: 'upper', verb: 'may have at most', unit: ' bytes' },
} as const satisfies Record<string, Bound>;

function limitOf(field: Field, { keyword, none }: Bound): Limit {
  if (field.type !== 'decimal') return schemaOf(field)[keyword] ?? none;
  const { min, max } = field;
  const decimal = keyword === 'minimum' ? min : keyword === 'maximum' ? max : undefined;
  return decimal === undefined ? none : unitsOf(decimal, maxDigits);
}

/** Compares one limit of a field. A change of the type covers its limits. */
export function compareBound(key: keyof typeof bounds, before: Field, after: Field): Difference[] {
  const { end, verb, unit, absent }: Bound = bounds[key];
  const [was, is] = [limitOf(before, bounds[key]), limitOf(after, bounds[key])];
  if (before.type !== after.type || was === is) return [];
  const requirement = absent === undefined || isStated(is) ? `${verb} ${textOf(is)}${unit}` : absent;
  const what = `${code(after.name)} ${requirement} (${isStated(was) ? textOf(was) : 'no limit'} before).`;
  if (is > was === (end === 'upper')) {
    const effect = 'All values of before are still accepted; responses may exceed the old limit.';
    return [safe(`${key}/widened`, `${what} ${effect}`)];
  }
  const why = `Other values are refused with 422, even where an update sends back that of an older record. ${olderValues}`;
  return [breaking(`${key}/narrowed`, narrowedFor(before, after), `${what} ${why}`)];
}
