import { isList, type Value } from './api.ts';
import { lazy } from './lazy.ts';
import { type Field, isDecimal, isFree } from './model.ts';
import { texts } from './texts.ts';

/** All digits of a number are shown; fewer decimals than this are filled up with zeros, so that they stand below each other. */
const maxFilled = 4;
const numbers = Array.from({ length: maxFilled + 1 }, (_, decimals) =>
  lazy(() => new Intl.NumberFormat(undefined, { minimumFractionDigits: decimals, maximumFractionDigits: 20 })),
);

/** The decimals that each of the numbers in a column is to have, where they are few. */
export function decimalsOf(values: readonly (Value | undefined)[]): number {
  const lengths = values.map((value) =>
    typeof value === 'number' ? (/\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0) : 0,
  );
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  return longest <= maxFilled ? longest : 0;
}

/** The part of a field that tells how its values are shown. */
export type ShownField = Pick<Field, 'type' | 'format' | 'references' | 'of' | 'colors'>;

const formats: Readonly<Record<string, () => Intl.DateTimeFormat>> = {
  date: lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })),
  'date-time': lazy(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })),
};

/** A decimal with all of its digits; as it is if it is older than the type of its field. */
function decimalText(value: string): string {
  const [, fraction = ''] = /^-?\d+(?:\.(\d+))?$/.exec(value) ?? [];
  const digits = { minimumFractionDigits: fraction.length, maximumFractionDigits: fraction.length };
  // Browsers read a string exactly: https://tc39.es/ecma402/#sec-intlmathematicalvalue
  return /^-?\d/.test(value) ? new Intl.NumberFormat(undefined, digits).format(value as `${number}`) : value;
}

/** A value as text in the language of the browser; empty for null. */
export function textOf(value: Value | undefined, field: ShownField, decimals = 0): string {
  const { format } = field;
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? texts.values.yes : texts.values.no;
  if (typeof value === 'number') return (numbers[decimals] as () => Intl.NumberFormat)().format(value);
  if (isFree(field) || (typeof value === 'object' && !isList(value))) return JSON.stringify(value);
  if (isList(value)) return value.map((entry) => textOf(entry, field.of ?? field)).join(', ');
  if (isDecimal(field)) return decimalText(value);
  const dates = formats[format ?? ''];
  const time = dates ? Date.parse(value) : Number.NaN;
  return dates && !Number.isNaN(time) ? dates().format(time) : value;
}
