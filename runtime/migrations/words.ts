import type { Value } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import { literal, organizationColumn, quote } from '../sql/schema.ts';
import { type SearchIndex, searchColumn, searchOf, type WordStorage, wordsOf } from '../sql/search.ts';
import type { Database } from './driver.ts';

/** Rows whose words are compared at a time. */
const rowsPerSlice = 500;

/**
 * Stores the words of each row that has others, as those of rows that were written before they were searched, or by a version
 * that does not search them. An interrupted run keeps the rows that it has done.
 *
 * @returns the number of rows that had others
 */
export async function backfillSearch(database: Database, table: Table): Promise<number> {
  const search = searchOf(table);
  if (!search) return 0;
  const selected = [organizationColumn, 'id', ...search.fields].map(quote);
  const key = `${quote(organizationColumn)}, "id"`;
  let written = 0;
  for (let behind = ''; ;) {
    const rows = await database.query(
      `select ${selected.join(', ')} from ${quote(table.name)}${behind} order by ${key} limit ${rowsPerSlice}`,
    );
    const [last] = rows.slice(-1);
    if (!last) return written;
    const changed = rows.map((row) => changeOf(table, search, database.words, row));
    written += (await database.query(updateOf(search, database.words, changed))).length;
    if (rows.length < rowsPerSlice) return written;
    behind = ` where (${key}) > (${Number(last[0])}, ${literal(String(last[1]))})`;
  }
}

/** The organization, id and words of a row, and its searched fields. */
function changeOf(
  { columns }: Table,
  search: SearchIndex,
  storage: WordStorage,
  [organization, id, ...fields]: readonly unknown[],
): Value[] {
  const owner = Number(organization);
  const values = fields.map((value) => (value ?? null) as Value);
  const shown = search.fields.map((field, at): [string, Value] => [
    field,
    values[at] ?? columns.find(({ name }) => name === field)?.backfill ?? null,
  ]);
  const words = wordsOf(search, owner, Object.fromEntries(shown)) ?? {};
  return [owner, String(id), storage.stored(words), ...values];
}

/** Skips rows whose fields have changed since they were read: their words are already those of the new values. */
function updateOf(
  { table, fields }: SearchIndex,
  { type }: WordStorage,
  changes: readonly (readonly Value[])[],
): string {
  const [name, column] = [quote(table), quote(searchColumn)];
  // Both engines name the columns of a list of values so.
  const values = changes.map((change) => `(${change.map(literal).join(', ')})`);
  const words = `cast(_new.column3 as ${type})`;
  const conditions = [
    `${name}.${quote(organizationColumn)} = _new.column1`,
    `${name}."id" = _new.column2`,
    `${name}.${column} is distinct from ${words}`,
    ...fields.map((field, at) => `${name}.${quote(field)} is not distinct from _new.column${at + 4}`),
  ];
  return (
    `update ${name} set ${column} = ${words} from (values ${values.join(', ')}) as _new ` +
    `where ${conditions.join(' and ')} returning 1`
  );
}
