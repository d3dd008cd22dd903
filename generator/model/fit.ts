import { maxDigits } from '../../runtime/kernel/model/decimals.ts';
import { unitsOf } from '../../runtime/kernel/values/decimal.ts';
import { isValueOf, kindOf, schemaOf, fieldTypeRow } from './field-types.ts';
import { type FieldType, targetsOf } from './model.ts';
import { listed, withArticle } from './names.ts';

/** A limit of a type, and whether a limit of another type, or none, allows more. */
type Limit = readonly [key: string, value: string | number | undefined, isExceeded: boolean];

/** Why a type does not take each value of another one, to follow the name of what has it; undefined if it does. */
export function misfit(from: FieldType, to: FieldType): string | undefined {
  if (to.type === 'reference') {
    const [taken, sent] = [to, from].map((type) =>
      type.type === 'reference' ? targetsOf(type).map(({ resource }) => resource) : [],
    ) as [string[], string[]];
    const fits = from.type === 'reference' && sent.every((resource) => taken.includes(resource));
    return fits ? undefined : `references ${listed(taken)}`;
  }
  if (from.type === 'reference') return 'is no reference';
  if (kindOf(from) !== kindOf(to)) return `is ${withArticle(fieldTypeRow(to).noun)}`;
  if (from.type === 'list' && to.type === 'list') {
    const ofItems = misfit(from.of, to.of);
    if (ofItems !== undefined) return `has values of which each ${ofItems}`;
  }
  if (from.type === 'enum') {
    const lost = from.values.filter((value) => !isValueOf(to, value).success);
    return lost.length === 0 ? undefined : `cannot be ${listed(lost.map((value) => JSON.stringify(value)))}`;
  }
  if (to.type === 'enum') return `has enum: [${to.values.join(', ')}]`;
  const exceeded = limitsOf(from, to).find(([, , isExceeded]) => isExceeded);
  return exceeded && `has ${exceeded[0]}: ${exceeded[1]}`;
}

function limitsOf(from: FieldType, to: FieldType): readonly Limit[] {
  if (from.type === 'decimal' && to.type === 'decimal') {
    const units = (value: string): bigint => unitsOf(value, maxDigits);
    const exceeds = (key: 'min' | 'max', sign: bigint): Limit => {
      const [inputLimit, limit] = [from[key], to[key]];
      const isExceeded =
        limit !== undefined && (inputLimit === undefined || sign * units(inputLimit) > sign * units(limit));
      return [key, limit, isExceeded];
    };
    return [
      ['scale', to.scale, from.scale !== to.scale],
      ['digits', to.digits, from.digits > to.digits],
      exceeds('min', -1n),
      exceeds('max', 1n),
    ];
  }
  const [inputLimits, limit] = [schemaOf(from), schemaOf(to)];
  return [
    ['format', limit.format, limit.format !== undefined && limit.format !== inputLimits.format],
    ['pattern', limit.pattern, limit.pattern !== undefined && limit.pattern !== inputLimits.pattern],
    ['min_length', limit.minLength, (inputLimits.minLength ?? 0) < (limit.minLength ?? 0)],
    ['max_length', limit.maxLength, (inputLimits.maxLength ?? Infinity) > (limit.maxLength ?? Infinity)],
    ['min', limit.minimum, (inputLimits.minimum ?? -Infinity) < (limit.minimum ?? -Infinity)],
    ['max', limit.maximum, (inputLimits.maximum ?? Infinity) > (limit.maximum ?? Infinity)],
    ['max_items', limit.maxItems, (inputLimits.maxItems ?? Infinity) > (limit.maxItems ?? Infinity)],
    ['max_bytes', limit.maxBytes, (inputLimits.maxBytes ?? Infinity) > (limit.maxBytes ?? Infinity)],
    ['unique_items', 'true', limit.uniqueItems === true && inputLimits.uniqueItems !== true],
  ];
}
