import { hash } from 'node:crypto';
import { type Column, fieldOf, shownAs, type Table } from '../kernel/model/table.ts';
import { brokenRuleOf } from '../kernel/model/validate.ts';
import { isList, presentName, renamesOf } from '../kernel/sql/values.ts';
import { quote } from '../kernel/sql/schema.ts';
import { NamedRows } from './checks.ts';
import { looksAt, type StoredColumn } from './looks.ts';
import type { Comparison, RowCheck } from './types.ts';
import { readValue, slicesOf } from './slices.ts';

/**
 * The formats that rows must have: lists, rules and computed fields take the texts for days and instants, among which another
 * text has no place. Rows may break all other rules: these are for writes, and older rows are still found and shown.
 */
export const neededFormats: ReadonlySet<string | undefined> = new Set(['date', 'date-time']);

/** The renames of values belong to the rule: rows that an older server gave a former name break it once that has left the spec. */
function nameOf({ name: table, logic }: Table, column: Column): string | undefined {
  // A computed column holds what its expression says.
  if (column.rule === undefined || Object.hasOwn(logic?.computed ?? {}, column.name)) return undefined;
  const rule = `${column.rule}${renamesOf(column) ?? ''}`;
  return `${table}.${column.name} fits ${hash('sha256', rule, 'hex').slice(0, 16)}`;
}

/** The rows of columns with rules are read once for each rule, and those that break it named. */
export const fits = looksAt(nameOf, (comparison, note, stored) => {
  const [strict = [], lax = []] = [true, false].map((is) =>
    stored.filter(({ column }) => neededFormats.has(column.format) === is),
  );
  return {
    ...note,
    ...(strict.length > 0 && { check: misfits(comparison, strict, advice) }),
    ...(lax.length > 0 && { report: misfits(comparison, lax, 'They keep them, and writes take no such value.') }),
  };
});

const advice = 'Correct them with the version before, or take the format out of the spec.';

/** Finds the rows whose values break the rules of their columns. @param consequence a sentence for each finding */
const misfits =
  ({ table, actualName, dialect }: Comparison, columns: readonly StoredColumn[], consequence: string): RowCheck =>
  async (database) => {
    const broken = new NamedRows();
    const values = columns.map(({ former, column, type: { scale = column.scale } }) => {
      // Another scale is stored in other units, on SQLite.
      const value = presentName(column, quote(former), dialect.values);
      return dialect.values.shown({ ...column, ...(scale !== undefined && { scale }) }, value);
    });
    for await (const rows of slicesOf(database, actualName, values)) {
      for (const [, id, ...row] of rows) {
        for (const [at, { column }] of columns.entries()) {
          const rule = brokenBy(column, row[at]);
          if (rule !== undefined) broken.add(`${column.name} of ${table.name} ${rule}`, id);
        }
      }
    }
    return broken.describe(
      (rule, rows, ids) =>
        `The field ${rule}, and ${rows} ${rows === '1 row' ? 'has' : 'have'} another value: ${ids}. ${consequence}`,
    );
  };

/** The rule that a stored value breaks, in words. */
function brokenBy(column: Column, stored: unknown): string | undefined {
  const field = fieldOf(column);
  if (!field || stored === null) return undefined;
  const value = isList(column) ? shownAs(column, String(stored)) : readValue(stored, column);
  return brokenRuleOf(field, value)?.message;
}
