import { maxDigits } from '../../runtime/model/decimals.ts';
import { unitsOf } from '../../runtime/rules/decimal.ts';
import { isValueOf, kindOf, schemaOf, fieldTypeRow } from './field-types.ts';
import type { FieldType } from './model.ts';
import { listed, withArticle } from './names.ts';

/** A limit of a type, and whether a limit of another type, or none, allows more. */
type Limit = readonly [key: string, value: string | number | undefined, isExceeded: boolean];

/** Why a type does not take each value of another one, to follow the name of what has it; undefined if it does. */
export function misfit(from: FieldType, to: FieldType): string | undefined {
  if (to.type === 'reference') {
    return from.type === 'reference' && from.resource === to.resource ? undefined : `references ${to.resource}`;
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
      const [given, limit] = [from[key], to[key]];
      const isExceeded = limit !== undefined && (given === undefined || sign * units(given) > sign * units(limit));
      return [key, limit, isExceeded];
    };
    return [
      ['scale', to.scale, from.scale !== to.scale],
      ['digits', to.digits, from.digits > to.digits],
      exceeds('min', -1n),
      exceeds('max', 1n),
    ];
  }
  const [given, limit] = [schemaOf(from), schemaOf(to)];
  return [
    ['format', limit.format, limit.format !== undefined && limit.format !== given.format],
    ['pattern', limit.pattern, limit.pattern !== undefined && limit.pattern !== given.pattern],
    ['min_length', limit.minLength, (given.minLength ?? 0) < (limit.minLength ?? 0)],
    ['max_length', limit.maxLength, (given.maxLength ?? Infinity) > (limit.maxLength ?? Infinity)],
    ['min', limit.minimum, (given.minimum ?? -Infinity) < (limit.minimum ?? -Infinity)],
    ['max', limit.maximum, (given.maximum ?? Infinity) > (limit.maximum ?? Infinity)],
    ['max_items', limit.maxItems, (given.maxItems ?? Infinity) > (limit.maxItems ?? Infinity)],
    ['unique_items', 'true', limit.uniqueItems === true && given.uniqueItems !== true],
  ];
}
