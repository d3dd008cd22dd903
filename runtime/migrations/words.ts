import type { Value } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import { literal, organizationColumn, quote } from '../sql/schema.ts';
import { type SearchIndex, searchOf, wordsOf } from '../sql/search.ts';
import type { Database } from './driver.ts';

/** Rows whose words are compared at a time. */
const rowsPerSlice = 500;

/**
 * Stores the words of each row that has others, as those of rows that were written before they were searched, or by a version
 * that does not search them. What is done stays when it is interrupted.
 *
 * @returns the number of rows that had others
 */
export async function fillWords(database: Database, table: Table): Promise<number> {
  const search = searchOf(table);
  if (!search) return 0;
  const { columns } = search;
  const selected = [organizationColumn, 'id', ...columns.flatMap(({ field, name }) => [field, name])].map(quote);
  const key = `${quote(organizationColumn)}, "id"`;
  let written = 0;
  for (let behind = ''; ;) {
    const rows = await database.query(
      `select ${selected.join(', ')} from ${quote(table.name)}${behind} order by ${key} limit ${rowsPerSlice}`,
    );
    const changed = rows.flatMap((row) => changeOf(table, search, row) ?? []);
    if (changed.length > 0) await database.query(updateOf(search, changed));
    written += changed.length;
    const last = rows.at(-1);
    if (!last || rows.length < rowsPerSlice) return written;
    behind = ` where (${key}) > (${Number(last[0])}, ${literal(String(last[1]))})`;
  }
}

/** The organization and id of a row, and for each column its field and the words; undefined if it has these. */
function changeOf(
  { columns }: Table,
  search: SearchIndex,
  [organization, id, ...values]: readonly unknown[],
): [Value[]] | undefined {
  const owner = Number(organization);
  let isSame = true;
  const pairs = search.columns.flatMap(({ field }, at) => {
    const value = (values[2 * at] ?? null) as Value;
    const shown = value ?? columns.find(({ name }) => name === field)?.backfill ?? null;
    const words = wordsOf(search, owner, shown);
    isSame &&= words === values[2 * at + 1];
    return [value, words];
  });
  return isSame ? undefined : [[owner, String(id), ...pairs]];
}

/** Of rows whose fields have changed since they were read, the words are already those of the new values. */
function updateOf({ table, columns }: SearchIndex, changes: readonly (readonly Value[])[]): string {
  const name = quote(table);
  // Both engines name the columns of a list of values so.
  const values = changes.map((change) => `(${change.map(literal).join(', ')})`);
  const words = columns.map((column, at) => `${quote(column.name)} = _new.column${2 * at + 4}`);
  const unchanged = columns.map(
    ({ field }, at) => `${name}.${quote(field)} is not distinct from _new.column${2 * at + 3}`,
  );
  return (
    `update ${name} set ${words.join(', ')} from (values ${values.join(', ')}) as _new ` +
    `where ${name}.${quote(organizationColumn)} = _new.column1 and ${name}."id" = _new.column2 and ${unchanged.join(' and ')}`
  );
}
