import type { Value } from '../model/fields.ts';
import type { Column, Table } from '../model/table.ts';
import { quote } from '../sql/schema.ts';

/** PostgreSQL and JavaScript print some of these numbers with other digits. */
const isNumber = ({ type }: Column): boolean => type === 'double precision';

/** See `Dialect.inserted`: an insert into a distributed table may return columns, and no JSON. */
export const inserted = ({ columns }: Table): string =>
  columns
    .filter(isNumber)
    .map(({ name }) => quote(name))
    .join(', ') || '1';

/** The JSON of a new record as `row_to_json` prints it. */
export function insertedJson({ columns }: Table, values: readonly Value[], row: readonly unknown[]): string {
  const numbers = row.values();
  const pairs = columns.map((column, i) => {
    const number = isNumber(column) ? (numbers.next().value as string | null) : null;
    return `"${column.name}":${number ?? JSON.stringify(values[i] ?? column.backfill ?? null)}`;
  });
  return `{${pairs.join(',')}}`;
}
