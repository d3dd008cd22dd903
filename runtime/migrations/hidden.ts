import { CliError } from '../model/errors.ts';
import type { Value } from '../model/fields.ts';
import { toTimestamp } from '../model/formats.ts';
import type { Table } from '../model/table.ts';
import { literal, organizationColumn, quote } from '../sql/schema.ts';
import { searchColumn, searchOf, type WordStorage, wordsOf } from '../sql/search.ts';
import { foldedColumns, foldedValue } from '../sql/unique.ts';
import type { Database } from './driver.ts';
import { rowsPerSlice } from './limits.ts';
import type { Step } from './plan.ts';

/** A column whose values are made of those of fields: a hidden one, or one of date-times, of its own. */
interface DerivedColumn {
  readonly name: string;
  readonly type: string;
  readonly fields: readonly string[];
  /** @param values those of the fields, as they are stored */
  readonly valueOf: (organization: number, values: readonly Value[]) => Value;
}

/** The value that rows show in place of null. */
const backfillOf = ({ columns }: Table, field: string): Value =>
  columns.find(({ name }) => name === field)?.backfill ?? null;

function searchWords(table: Table, storage: WordStorage): DerivedColumn[] {
  const search = searchOf(table);
  if (!search) return [];
  const backfills = search.fields.map((field) => backfillOf(table, field));
  return [
    {
      name: searchColumn,
      type: storage.type,
      fields: search.fields,
      valueOf(organization, values) {
        const shown = search.fields.map((field, at) => [field, values[at] ?? backfills[at] ?? null] as const);
        return storage.stored(wordsOf(search, organization, Object.fromEntries(shown)) ?? {});
      },
    },
  ];
}

const foldedTexts = (table: Table): DerivedColumn[] =>
  [...foldedColumns(table)].map(([field, name]) => ({
    name,
    type: 'text',
    fields: [field],
    valueOf: (_, [value]) => foldedValue(value ?? backfillOf(table, field)),
  }));

/**
 * Stores the words of each row that has others, as those of rows that were written before they were searched, or by a version
 * that does not search them. An interrupted run keeps the rows that it has done.
 *
 * @returns the number of rows that had others
 */
export const backfillSearch = (database: Database, table: Table): Promise<number> =>
  backfill(database, table, searchWords(table, database.words));

/**
 * Stores the folded texts of each row that has others. An interrupted run keeps the rows that it has done.
 *
 * @returns the number of texts that were folded otherwise
 * @throws CliError if two rows of a unique index would have the same
 */
export const backfillFolded = (database: Database, table: Table): Promise<number> =>
  backfill(database, table, foldedTexts(table)).catch((error: Error) => {
    // Both engines call it so.
    if (!/unique constraint/i.test(error.message)) throw error;
    const fields = [...foldedColumns(table).keys()].join(', ');
    throw new CliError(
      `Records of ${table.name} would have the same ${fields} as they are folded now. Take ignore_case out of the spec, ` +
        'migrate, and put it back: that start names them.',
    );
  });

/**
 * Writes the date-times of all rows as timestamps. A text that is no date-time stays, and an interrupted run keeps the rows that
 * it has done.
 */
export const backfillTimes = (
  database: Database,
  { table, columns }: NonNullable<Step['rewritesTimes']>,
): Promise<number> =>
  backfill(
    database,
    table,
    columns.map((name) => ({
      name,
      type: 'text',
      fields: [name],
      valueOf: (_, [value = null]) => (typeof value === 'string' ? (toTimestamp(value) ?? value) : value),
    })),
  );

async function backfill(database: Database, table: Table, columns: readonly DerivedColumn[]): Promise<number> {
  let written = 0;
  for (const column of columns) {
    const selected = [organizationColumn, 'id', ...column.fields].map(quote);
    const key = `${quote(organizationColumn)}, "id"`;
    for (let behind = ''; ;) {
      const rows = await database.query(
        `select ${selected.join(', ')} from ${quote(table.name)}${behind} order by ${key} limit ${rowsPerSlice}`,
      );
      const [last] = rows.slice(-1);
      if (!last) break;
      const changes = rows.map((row) => changeOf(column, row));
      written += (await database.query(updateOf(table.name, column, changes))).length;
      if (rows.length < rowsPerSlice) break;
      behind = ` where (${key}) > (${Number(last[0])}, ${literal(String(last[1]))})`;
    }
  }
  return written;
}

/** The organization, id and new value of a row, and the values that it is made of. */
function changeOf({ valueOf }: DerivedColumn, [organization, id, ...fields]: readonly unknown[]): Value[] {
  const owner = Number(organization);
  const values = fields.map((value) => (value ?? null) as Value);
  return [owner, String(id), valueOf(owner, values), ...values];
}

/** Skips rows whose fields have changed since they were read: their values are already made of the new ones. */
function updateOf(
  table: string,
  { name: derived, type, fields }: DerivedColumn,
  changes: readonly (readonly Value[])[],
): string {
  const [name, column] = [quote(table), quote(derived)];
  // Both engines name the columns of a list of values so.
  const values = changes.map((change) => `(${change.map(literal).join(', ')})`);
  const value = `cast(_new.column3 as ${type})`;
  const conditions = [
    `${name}.${quote(organizationColumn)} = _new.column1`,
    `${name}."id" = _new.column2`,
    `${name}.${column} is distinct from ${value}`,
    ...fields.map((field, at) => `${name}.${quote(field)} is not distinct from _new.column${at + 4}`),
  ];
  return (
    `update ${name} set ${column} = ${value} from (values ${values.join(', ')}) as _new ` +
    `where ${conditions.join(' and ')} returning 1`
  );
}
