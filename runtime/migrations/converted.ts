import { brokenDecimalRule, maxDigits } from '../model/decimals.ts';
import type { ColumnType, Value } from '../model/fields.ts';
import { withScale } from '../rules/decimal.ts';
import { isList, type StoredType } from '../sql/values.ts';

/** The value of a record that an engine returns: SQLite returns a boolean as a number, PostgreSQL all values as texts. */
export function readValue(value: unknown, { type }: StoredType): Value {
  if (value === null) return null;
  if (type === 'boolean') return value === 1 || value === 't';
  return type === 'bigint' || type === 'double precision' ? Number(value) : String(value);
}

/** A value in a type that is no decimal; null if it is no value of that type. */
function plain(value: Value, type: ColumnType): Value {
  if (type === 'text') return String(value);
  if (type === 'boolean')
    return value === 'true' || value === 1 ? true : value === 'false' || value === 0 ? false : null;
  const number = Number(value);
  return (type === 'bigint' ? Number.isSafeInteger(number) : Number.isFinite(number)) ? number : null;
}

/** A decimal without the zeros at its end. */
const shortest = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal);

function toDecimal(value: Value, from: ColumnType, scale: number): Value {
  const text = from === 'decimal' ? shortest(String(value)) : String(value);
  return brokenDecimalRule(text, { digits: maxDigits, scale }) ? null : withScale(text, scale);
}

/** The value of a record in another type; null if a conversion back would not return it, or of a text and a decimal an equal one. */
export function converted(value: Value, from: StoredType, to: StoredType): Value {
  if (value === null || isList(from) || isList(to)) return null;
  if (to.type === 'decimal') return toDecimal(value, from.type, to.scale ?? 0);
  const result = plain(value, to.type);
  if (result === null || from.type === to.type) return result;
  if (from.type === 'decimal') return shortest(String(result)) === shortest(String(value)) ? result : null;
  return plain(result, from.type) === value ? result : null;
}
