import type { Column, Table } from '../../kernel/model/table.ts';
import type { Row } from './connection.ts';

/** Prints a value that is not null as JSON. */
type Print = (value: string) => string;

interface Member {
  readonly column: string;
  /** The text before its value. The id, which is always shown, is the first one. */
  readonly start: string;
  readonly print: Print;
}

const escaped = /["\\\p{Cc}]/u;
// Most texts contain nothing to escape.
const printText: Print = (value) => (escaped.test(value) ? JSON.stringify(value) : `"${value}"`);
const printBoolean: Print = (value) => (value === 't' ? 'true' : 'false');
const asIs: Print = (value) => value;

const printers: { readonly [T in Column['type']]: Print } = {
  text: printText,
  decimal: printText,
  boolean: printBoolean,
  bigint: asIs,
  'double precision': asIs,
  json: asIs,
};

const members = new WeakMap<Table, readonly Member[]>();

const membersOf = (table: Table): readonly Member[] =>
  members.getOrInsertComputed(table, ({ columns }) =>
    columns.map(({ name, type }, i) => ({
      column: name,
      start: `${i === 0 ? '{' : ','}"${name}":`,
      print: printers[type],
    })),
  );

/**
 * The JSON of a record, from the values of `shownColumns`: as `row_to_json` prints it, for less of the database's time. A
 * statement that makes no JSON of rows needs no subquery, which Citus would plan at each execution.
 *
 * @param fields names of the columns that are shown; all without it
 */
export function rowJson(table: Table, row: Row, fields?: readonly string[]): string {
  let json = '';
  let i = 0;
  for (const { column, start, print } of membersOf(table)) {
    const value = row[i++] ?? null;
    if (fields?.includes(column) !== false) json += start + (value === null ? 'null' : print(value));
  }
  return `${json}}`;
}

/** Whether one of the values of rows has so many characters. */
export function isAnyLong(rows: readonly Row[], length: number): boolean {
  for (const row of rows) for (const value of row) if (value !== null && value.length >= length) return true;
  return false;
}
