import type { Column } from '../model/table.ts';
import { decimalOf } from '../values/decimal.ts';
import type { Engine } from './values.ts';

/** So many units of each of 9 billion values are fewer than 64 bits hold. */
const sumPart = 1_000_000_000;

/**
 * Expressions over rows: the exact sum of integers, or of the units of decimals, as a text for `unitsIn`.
 *
 * @param rows the end of an aggregate: a filter
 */
export const exactSums: Readonly<Record<Engine, (column: Column, value: string, rows?: string) => string>> = {
  // A sum of more than 64 bits is an error of SQLite.
  sqlite: (_, value, rows = '') =>
    `concat_ws(' ', coalesce(sum(${value} / ${sumPart})${rows}, 0), coalesce(sum(${value} % ${sumPart})${rows}, 0))`,
  postgres: ({ scale = 0 }, value, rows = '') => `cast(trunc(coalesce(sum(${value})${rows}, 0) * 1e${scale}) as text)`,
};

/** The units of a sum: of two numbers with a space between them, the first one counts `sumPart`. */
export const unitsIn = (sum: unknown): bigint =>
  String(sum ?? 0)
    .split(' ')
    .reduce((units, part) => units * BigInt(sumPart) + BigInt(part), 0n);

/** A sum of so many units. Integers that JSON readers may not keep are infinite, so that no field can hold them. */
export function sumOf(units: bigint, column: Pick<Column, 'scale'> | undefined): string | number {
  if (column?.scale !== undefined) return decimalOf(units, column.scale);
  const sum = Number(units);
  return Number.isSafeInteger(sum) ? sum : sum * Infinity;
}
