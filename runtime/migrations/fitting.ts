import { hash } from 'node:crypto';
import { type Column, fieldOf, type Table } from '../model/table.ts';
import { brokenRuleOf } from '../model/validate.ts';
import { isList, presentName, renamesOf } from '../sql/values.ts';
import { quote } from '../sql/schema.ts';
import { readValue } from './converted.ts';
import { NamedRows } from './named-rows.ts';
import { addRequired } from './required.ts';
import type { Comparison, RowCheck, Step } from './types.ts';
import { slicesOf } from './slices.ts';

/**
 * The formats that rows must have: lists, rules and computed fields take the texts for days and instants, among which another
 * text has no place. Rows may break all other rules: these are for writes, and older rows are still found and shown.
 */
export const neededFormats: ReadonlySet<string | undefined> = new Set(['date', 'date-time']);

/** The columns with a rule. Computed ones hold what their expressions say. */
const ruledColumns = ({ columns, logic }: Table): Column[] =>
  columns.filter(({ name, rule }) => rule !== undefined && !Object.hasOwn(logic?.computed ?? {}, name));

/** The renames of values belong to the rule: rows that an older server gave a former name break it once that has left the spec. */
const nameOf = (table: Table, column: Column): string => {
  const rule = `${column.rule ?? ''}${renamesOf(column) ?? ''}`;
  return `${table.name}.${column.name} fits ${hash('sha256', rule, 'hex').slice(0, 16)}`;
};

/** The rules that the rows of a table were compared with, as `requiredColumns` lists them. */
export const fitNames = (table: Table): string[] => ruledColumns(table).map((column) => nameOf(table, column));

/** The step for the rules that are not listed: the rows of their columns are read once, and those that break them named. */
export function compareRules(comparison: Comparison): Step[] {
  const { table, columns, desired, actual, dialect } = comparison;
  const unlisted = ruledColumns(table).filter((column) => !actual.required.has(nameOf(table, column)));
  if (unlisted.length === 0) return [];
  const stored = [...desired].filter(
    // A conversion has a check of its own.
    ([name, column]) =>
      unlisted.includes(column) && dialect.values.typeOf(columns.get(name) ?? '')?.type === column.type,
  );
  const [strict, lax] = [true, false].map((is) => stored.filter(([, { format }]) => neededFormats.has(format) === is));
  return [
    {
      kind: 'addition',
      isNote: true,
      statements: addRequired(unlisted.map((column) => nameOf(table, column))),
      ...(strict?.length && { check: misfits(comparison, strict, advice) }),
      ...(lax?.length && { report: misfits(comparison, lax, 'They keep them, and writes take no such value.') }),
    },
  ];
}

const advice = 'Correct them with the version before, or take the format out of the spec.';

/** Finds the rows whose values break the rules of their columns. @param consequence a sentence for each finding */
const misfits =
  (
    { table, actualName, columns: actual, dialect }: Comparison,
    columns: readonly (readonly [string, Column])[],
    consequence: string,
  ): RowCheck =>
  async (database) => {
    const broken = new NamedRows();
    const values = columns.map(([name, column]) => {
      // Another scale is stored in other units, on SQLite.
      const { scale = column.scale } = dialect.values.typeOf(actual.get(name) ?? '') ?? {};
      const value = presentName(column, quote(name), dialect.values);
      return dialect.values.shown({ ...column, ...(scale !== undefined && { scale }) }, value);
    });
    for await (const rows of slicesOf(database, actualName, values)) {
      for (const [, id, ...row] of rows) {
        for (const [at, [, column]] of columns.entries()) {
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
  const value = isList(column) ? (JSON.parse(String(stored)) as unknown) : readValue(stored, column);
  return brokenRuleOf(field, value)?.message;
}
