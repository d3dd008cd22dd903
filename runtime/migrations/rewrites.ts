import { CliError } from '../model/errors.ts';
import { columnValue, type Value } from '../model/fields.ts';
import { toTimestamp } from '../model/formats.ts';
import { type Column, shownAs, type Table } from '../model/table.ts';
import { literal, quote } from '../sql/schema.ts';
import { organizationColumn } from '../sql/helper-tables.ts';
import type { QueryDialect } from '../sql/query-dialect.ts';
import { searchColumn, searchOf, type WordStorage, wordsOf } from '../sql/search.ts';
import { foldedColumns, foldedValue } from '../sql/unique.ts';
import { isList } from '../sql/values.ts';
import { computeRows } from './computed.ts';
import { converted as convertedValue, readValue } from './converted.ts';
import type { Database, Rewrite } from './types.ts';
import { slicesOf } from './slices.ts';
import { inAttempt } from './transact.ts';

/** The words that a table is searched by. Rows written before that, or by a version that does not search them, have others. */
export const searchRewrite = (table: Table): Rewrite => ({ table, what: 'words', fields: table.list.search });

/** The folded texts that are compared without case. */
export const foldedRewrite = (table: Table): Rewrite => ({
  table,
  what: 'folded',
  fields: [...foldedColumns(table).keys()],
});

/** The columns with values that had other names. */
export const renamedColumns = ({ columns }: Table): Column[] => columns.filter(({ formerValues }) => formerValues);

/** The values that rows may hold by former names. */
export const namesRewrite = (table: Table): Rewrite => ({
  table,
  what: 'names',
  fields: renamedColumns(table).map(({ name }) => name),
});

/** Says in a sentence what a rewrite does. */
export function describeRewrite({ table, what, fields }: Rewrite): string {
  const [values, how] = {
    words: ['words', 'stored'],
    folded: ['texts', 'stored without case'],
    times: ['date-times', 'written in UTC with milliseconds'],
    names: ['values', 'written by their present names'],
    computed: ['values', 'computed'],
    converted: ['values', 'converted'],
  }[what];
  return `In each row of ${table.name} the ${values} of ${fields.join(', ')} are ${how}.`;
}

/**
 * Stores the values in each row that has others. A text that is no date-time stays. An interrupted run keeps the rows that it
 * has done.
 *
 * @param transaction runs work on rows that must not change meanwhile: `transact` outside of an attempt
 * @returns the number of values that were others
 * @throws CliError if two rows of a unique index would have the same
 */
export async function rewriteRows(
  database: Database,
  rewrite: Rewrite,
  transaction: typeof inAttempt = inAttempt,
): Promise<number> {
  if (rewrite.what === 'computed') return computeRows(database, rewrite, transaction);
  const [written = 0] = await rewriteTogether(database, rewrite.table, [rewrite]);
  return written;
}

/**
 * Does rewrites of a table in one go through its rows. None of them computes.
 *
 * @returns the number of values of each rewrite that were others
 * @throws CliError if two rows of a unique index would have the same
 */
export async function rewriteTogether(
  database: Database,
  table: Table,
  rewrites: readonly Rewrite[],
): Promise<readonly number[]> {
  const written = rewrites.map(() => 0);
  const expressions: string[] = [];
  const columns = rewrites.flatMap((rewrite, index) =>
    derivedColumns(rewrite, database.dialect).map((column) => {
      const start = expressions.length;
      const end = expressions.push(quote(column.name), ...(column.sources ?? column.fields.map(quote)));
      return { column, index, start, end };
    }),
  );
  if (columns.length === 0) return written;
  for await (const rows of slicesOf(database, table.name, expressions)) {
    for (const { column, index, start, end } of columns) {
      const changes = rows.flatMap(([organization, id, ...values]) =>
        changesOf(column, Number(organization), String(id), values.slice(start, end)),
      );
      if (changes.length === 0) continue;
      const update = database.query(updateOf(table.name, column, changes));
      const { length: changed } = await update.catch((error: Error) => refuse(rewrites[index] as Rewrite, error));
      written[index] = (written[index] ?? 0) + changed;
    }
  }
  return written;
}

function refuse({ table, what, fields }: Rewrite, error: Error): never {
  // Both engines call it so.
  if (!/^(?:folded|names)$/.test(what) || !/unique constraint/i.test(error.message)) throw error;
  if (what === 'folded')
    throw new CliError(
      `Records of ${table.name} would have the same ${fields.join(', ')} as they are folded now. Take ignore_case out of the ` +
        'spec, migrate, and put it back: that start names them.',
    );
  const keys = (table.unique ?? []).map((key) => key.fields).filter((key) => key.some((name) => fields.includes(name)));
  throw new CliError(
    `Two records of ${table.name} would have the same ${keys.map((key) => key.join(', ')).join(' or ')}, as values have the ` +
      'present names: one of them was stored under a former name. Change or delete one, and run this again.',
  );
}

/** A column whose values are made of those of fields: a hidden one, or one of date-times or names, of its own. */
interface DerivedColumn {
  readonly name: string;
  readonly type: string;
  /** A row is left as it is if one of these has changed since it was read: its value is already made of the new ones. */
  readonly fields: readonly string[];
  /** Expressions for what it is made of, if these are not the fields. */
  readonly sources?: readonly string[];
  /** @param values those of the fields or sources */
  readonly valueOf: (organization: number, values: readonly Value[]) => Value;
  /** The list that a text is the JSON of: such a column is compared by its text. */
  readonly listOf?: (text: string) => string;
  /** The literal of a value that may be no text. */
  readonly literalOf?: (value: Value) => string;
  /** Whether a column that reads so has a value, if the two may be spelled otherwise. */
  readonly holds?: WordStorage['holds'];
}

function derivedColumns({ table, what, fields, converted }: Rewrite, { values, words }: QueryDialect): DerivedColumn[] {
  const columnNamed = (field: string): Column | undefined => table.columns.find(({ name }) => name === field);
  /** The value that a row shows: that of its present name, and the backfill in place of null. */
  const shown = (field: string, value: Value = null): Value =>
    columnValue(shownAs(columnNamed(field) as Column, value));
  if (what === 'times') {
    const valueOf = (_: number, [value = null]: readonly Value[]): Value =>
      typeof value === 'string' ? (toTimestamp(value) ?? value) : value;
    return fields.map((name) => ({ name, type: 'text', fields: [name], valueOf }));
  }
  if (what === 'names') {
    return fields.map((name) => {
      const column = columnNamed(name) as Column;
      const valueOf = (_: number, [value = null]: readonly Value[]): Value =>
        value === null ? null : shown(name, value);
      const listOf = (text: string): string => values.parameter(column, text);
      return { name, type: 'text', fields: [name], valueOf, ...(isList(column) && { listOf }) };
    });
  }
  if (what === 'folded') {
    return [...foldedColumns(table)].map(([field, name]) => ({
      name,
      type: 'text',
      fields: [field],
      valueOf: (_, [value]) => foldedValue(shown(field, value)),
    }));
  }
  if (converted) {
    const { name, from } = converted;
    return fields.map((field) => {
      const column = columnNamed(field) as Column;
      const sources = [values.shown(from, quote(field))];
      const valueOf = (_: number, [value]: readonly Value[]): Value =>
        convertedValue(readValue(value, from), from, column);
      const literalOf = (value: Value): string => values.literal(column, value);
      return { name, type: values.type(column), fields: [], sources, valueOf, literalOf };
    });
  }
  const search = searchOf(table);
  if (!search) return [];
  const valueOf = (organization: number, given: readonly Value[]): Value => {
    const record = Object.fromEntries(search.fields.map((field, at) => [field, shown(field, given[at])]));
    return words.stored(wordsOf(search, organization, record) ?? {});
  };
  return [{ name: searchColumn, type: words.type, fields: search.fields, valueOf, holds: words.holds }];
}

/** Literals of the organization, id and new value of a row that has another one, and of the fields that it is made of. */
function changesOf(
  { fields, valueOf, literalOf = literal, holds }: DerivedColumn,
  organization: number,
  id: string,
  [stored, ...read]: readonly unknown[],
): string[][] {
  const values = read.map((value) => (value ?? null) as Value);
  const value = valueOf(organization, values);
  const isStored =
    typeof stored === 'string' && typeof value === 'string' && holds ? holds(stored, value) : stored === value;
  if (isStored) return [];
  return [[String(organization), literal(id), literalOf(value), ...values.slice(0, fields.length).map(literal)]];
}

function updateOf(
  table: string,
  { name: derived, type, fields, listOf }: DerivedColumn,
  changes: readonly (readonly string[])[],
): string {
  const [name, column] = [quote(table), quote(derived)];
  const compared = (one: string): string => (listOf ? `cast(${name}.${one} as text)` : `${name}.${one}`);
  // Both engines name the columns of a list of values so.
  const values = changes.map((change) => `(${change.join(', ')})`);
  const value = `cast(_new.column3 as ${type})`;
  const conditions = [
    `${name}.${quote(organizationColumn)} = _new.column1`,
    `${name}."id" = _new.column2`,
    `${compared(column)} is distinct from ${value}`,
    ...fields.map((field, at) => `${compared(quote(field))} is not distinct from _new.column${at + 4}`),
  ];
  return (
    `update ${name} set ${column} = ${listOf?.(value) ?? value} from (values ${values.join(', ')}) as _new ` +
    `where ${conditions.join(' and ')} returning 1`
  );
}
