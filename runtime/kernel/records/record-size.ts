import type { Value } from '../model/fields.ts';
import type { Column, ShownRecord, Table } from '../model/table.ts';
import { printJson } from '../values/json-text.ts';

/** Bytes that a number, a boolean or a null has at most in JSON, and the quotes of a string. */
const maxNumberBytes = 26;

/** Bytes that a UTF-16 unit or a byte of a string has at most in JSON: `\u0001`. */
const maxEscape = 6;

/** Whether the value of a column counts as the longest one: a reorder changes `idx` without a look at the record. */
const hasFixedSize = ({ name }: Column): boolean => name === 'idx';

/** Bytes of a record's JSON beside those of its values: names, punctuation, and columns of a fixed size. */
const bytesOfNames = ({ columns }: Table): number =>
  columns.reduce(
    (sum, column) => sum + column.name.length + '"":,'.length + (hasFixedSize(column) ? maxNumberBytes : 0),
    '{}'.length - ','.length,
  );

/** Bytes of a value in the JSON of a record, as its column shows it. Engines spell some fractions longer than JavaScript. */
function bytesOfValue(column: Column, value: Value): number {
  if (hasFixedSize(column)) return 0;
  if (column.type === 'json') return Buffer.byteLength(String(value ?? column.backfill ?? null));
  const isFraction = typeof value === 'number' && !Number.isSafeInteger(value);
  return isFraction ? maxNumberBytes : Buffer.byteLength(JSON.stringify(value ?? column.backfill ?? null));
}

/** Bytes that a stored value surely has in the JSON of its record. Engines spell some numbers shorter than JavaScript. */
const leastBytes = ({ type }: Column, value: ShownRecord[string] | undefined): number =>
  type === 'double precision' && value !== null ? 1 : Buffer.byteLength(printJson(value));

/** Whether the JSON of a new record has at most `Table.maxBody` bytes. @param values one for each column */
export function fitsRecord(table: Table, values: readonly Value[]): boolean {
  let most = bytesOfNames(table);
  for (const value of values) most += maxNumberBytes + (typeof value === 'string' ? value.length * maxEscape : 0);
  if (most <= table.maxBody) return true;
  const bytes = table.columns.map((column, at) => bytesOfValue(column, values[at] as Value));
  return bytes.reduce((sum, one) => sum + one, bytesOfNames(table)) <= table.maxBody;
}

/**
 * Whether the JSON of a record has at most `Table.maxBody` bytes with new values.
 *
 * @param stored the bytes of the stored record, as its engine spells it
 * @param record its values, at least of the columns that change, and of those of a fixed size
 * @param set the new values, by their columns
 */
export function fitsChanged(
  { columns, maxBody }: Table,
  stored: number,
  record: ShownRecord,
  set: Readonly<Record<string, Value>>,
): boolean {
  let bytes = stored;
  for (const column of columns) {
    const isFixed = hasFixedSize(column);
    if (!isFixed && !(column.name in set)) continue;
    const most = isFixed ? maxNumberBytes : bytesOfValue(column, set[column.name] as Value);
    bytes += most - leastBytes(column, record[column.name]);
  }
  return bytes <= maxBody;
}
