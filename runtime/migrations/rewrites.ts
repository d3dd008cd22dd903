import { CliError } from '../kernel/model/errors.ts';
import { columnValue, type Value } from '../kernel/model/fields.ts';
import { type Column, shownAs, type Table } from '../kernel/model/table.ts';
import { literal, organizationColumn, quote } from '../kernel/sql/schema.ts';
import type { HiddenColumn } from '../kernel/sql/table-parts.ts';
import type { Database, Derivation, DerivedColumn, Rewrite, Transaction } from './types.ts';
import { slicesOf } from './slices.ts';
import { inAttempt, transact } from './transact.ts';

/** Says in a sentence what a rewrite does. */
export const inEachRow = ({ name }: Table, values: string, fields: readonly string[], how: string): string =>
  `In each row of ${name} the ${values} of ${fields.join(', ')} are ${how}.`;

/** The value of a field that a row shows, as its column would hold it: that of its present name, and the backfill in place of null. */
export const shownIn = ({ columns }: Table, field: string, value: Value = null): Value =>
  columnValue(shownAs(columns.find(({ name }) => name === field) as Column, value));

/** A hidden column, as rows are rewritten. */
export const rewritten = (table: Table, { name, type, fields, valueOf, holds }: HiddenColumn): DerivedColumn => ({
  name,
  type,
  fields,
  valueOf: (values, organization) =>
    valueOf(Object.fromEntries(fields.map((field, at) => [field, shownIn(table, field, values[at])])), organization),
  ...(holds && { holds }),
});

/**
 * Stores the values in each row that has others. An interrupted run keeps the rows that it has done.
 *
 * @param transaction `transact` outside of an attempt
 * @returns the number of values that were others
 * @throws CliError if two rows of a unique index would have the same
 */
export async function rewriteRows(
  database: Database,
  rewrite: Rewrite,
  transaction: Transaction = inAttempt,
): Promise<number> {
  if ('compute' in rewrite) return rewrite.compute(database, transaction);
  const [written = 0] = await rewriteTogether(database, rewrite.table, [rewrite]);
  return written;
}

/**
 * Does all rewrites of tables again.
 *
 * @param onDone gets the number of values of each rewrite that were others
 * @throws CliError if two rows of a unique index would have the same
 */
export async function rewriteAgain(
  database: Database,
  tables: readonly Table[],
  rewrites: readonly Rewrite[],
  onDone: (rewrite: Rewrite, written: number) => void,
): Promise<void> {
  for (const rewrite of rewrites) {
    if ('compute' in rewrite) onDone(rewrite, await rewriteRows(database, rewrite, transact));
  }
  for (const table of tables) {
    const derivations = rewrites.filter(
      (rewrite): rewrite is Derivation => rewrite.table === table && 'columns' in rewrite,
    );
    const written = await rewriteTogether(database, table, derivations);
    derivations.forEach((rewrite, at) => onDone(rewrite, written[at] ?? 0));
  }
}

/**
 * Does rewrites of a table in one go through its rows.
 *
 * @returns the number of values of each rewrite that were others
 * @throws CliError if two rows of a unique index would have the same
 */
export async function rewriteTogether(
  database: Database,
  table: Table,
  rewrites: readonly Derivation[],
): Promise<readonly number[]> {
  const written = rewrites.map(() => 0);
  const expressions: string[] = [];
  const columns = rewrites.flatMap((rewrite, index) =>
    rewrite.columns(database.dialect).map((column) => {
      const start = expressions.length;
      const end = expressions.push(quote(column.name), ...(column.sources ?? column.fields.map(quote)));
      return { column, index, start, end };
    }),
  );
  if (columns.length === 0) return written;
  // Columns that are made of their own values are last: the others are made of the values that were read.
  columns.sort((a, b) => ownValues(a.column) - ownValues(b.column));
  for await (const rows of slicesOf(database, table.name, expressions)) {
    for (const { column, index, start, end } of columns) {
      const changes = rows.flatMap(([organization, id, ...values]) =>
        changesOf(column, Number(organization), String(id), values.slice(start, end)),
      );
      if (changes.length === 0) continue;
      const update = database.query(updateOf(table.name, column, changes));
      const { length: changed } = await update.catch((error: Error) => refuse(rewrites[index]?.clash, error));
      written[index] = (written[index] ?? 0) + changed;
    }
  }
  return written;
}

const ownValues = ({ name, fields }: DerivedColumn): number => Number(fields.includes(name));

function refuse(clash: string | undefined, error: Error): never {
  // Both engines call it so.
  throw clash !== undefined && /unique constraint/i.test(error.message) ? new CliError(clash) : error;
}

/** Literals of the organization, id and new value of a row that has another one, and of the fields that it is made of. */
function changesOf(
  { fields, valueOf, literalOf = literal, holds }: DerivedColumn,
  organization: number,
  id: string,
  [stored, ...read]: readonly unknown[],
): string[][] {
  const values = read.map((value) => (value ?? null) as Value);
  const value = valueOf(values, organization);
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
