import type { Column } from '../../kernel/model/table.ts';
import { exactSums, sumOf, unitsIn } from '../../kernel/sql/sums.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import { type Engine, shownValue } from '../../kernel/sql/values.ts';

/** The sum of that many of the largest doubles is none that is too large, if each is multiplied by its inverse. */
const most = 2 ** 70;

/** Units of the fraction of a double: the sum of a million of them is exact. */
const unit = 2 ** 32;

/**
 * Expressions over rows: the sum of doubles as a text for `doubleIn`. It does not depend on the order of the rows: SQLite compensates
 * for what additions round off; on PostgreSQL, whole numbers and two parts of fractions have sums of their own.
 */
const doubleSums: Readonly<Record<Engine, (value: string) => string>> = {
  sqlite: (value) => `sum(${value} * ${1 / most})`,
  postgres(value) {
    const fraction = `(${value} - trunc(${value})) * ${unit}`;
    const parts = [`trunc(${value}) * ${1 / most}`, `trunc(${fraction})`, `${fraction} - trunc(${fraction})`];
    return `concat_ws(' ', ${parts.map((part) => `sum(${part})`).join(', ')})`;
  },
};

function doubleIn(sum: unknown): number {
  const [whole = 0, ...fractions] = String(sum ?? 0)
    .split(' ')
    .map(Number);
  return whole * most + fractions.reduce((all, fraction) => all + fraction, 0) / unit;
}

/** An expression over rows: the sum of a column. */
export function sumSql({ dialect: { engine, values } }: TableSql, column: Column): string {
  const value = shownValue(column, values);
  return column.type === 'double precision' ? doubleSums[engine](value) : exactSums[engine](column, value);
}

/** The sum that a row has: of a decimal a string; 0 if no record has a value. A sum that JSON cannot hold is infinite. */
export const sumIn = (column: Column, sum: unknown): string | number =>
  column.type === 'double precision' ? doubleIn(sum) : sumOf(unitsIn(sum), column);
