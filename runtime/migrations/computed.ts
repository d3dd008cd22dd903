import { hash } from 'node:crypto';
import { CliError } from '../model/errors.ts';
import { columnValue, type Value } from '../model/fields.ts';
import { currentTime } from '../model/ids.ts';
import { type ShownRecord, shownValues, showsValue, type Table } from '../model/table.ts';
import { evaluate } from '../rules/evaluate.ts';
import { derive } from '../sql/logic.ts';
import type { TableSql } from '../sql/table-sql.ts';
import { selectTotals, totalsIn } from '../sql/totals.ts';
import { Dml } from '../sql/dml.ts';
import type { Statement } from '../sql/types.ts';
import type { ActualColumns, ActualSchema, Database, Rewrite, RowCheck, Step } from './types.ts';
import { readValue } from './converted.ts';
import { NamedRows } from './named-rows.ts';
import { addRequired, removeRequired } from './required.ts';
import { slicesOf } from './slices.ts';
import type { inAttempt } from './transact.ts';
import { byActualName } from './schema.ts';
import { quote, renamesOf } from '../sql/values.ts';

const computedFields = ({ logic }: Table): string[] => Object.keys(logic?.computed ?? {});

/** The tables with computed fields: line items come first, as totals are over theirs. */
const computedTables = (tables: readonly Table[]): Table[] =>
  tables
    .filter((table) => computedFields(table).length > 0)
    .toSorted((a, b) => Number(b.parent !== undefined) - Number(a.parent !== undefined));

export const computedRewrites = (tables: readonly Table[]): Rewrite[] =>
  computedTables(tables).map((table) => ({ table, what: 'computed', fields: computedFields(table), tables }));

/** The name by which `requiredColumns` lists a table whose rows hold what its expressions say: another one for others. */
export function computedNames(table: Table): string[] {
  const { computed = {}, totals = {} } = table.logic ?? {};
  const expressions = Object.entries(computed).map(([name, { expression }]) => [name, expression]);
  if (expressions.length === 0) return [];
  const renames = table.columns.flatMap((column) => renamesOf(column) ?? []);
  return [
    `${table.name} computed ${hash('sha256', JSON.stringify([expressions, totals, ...renames]), 'hex').slice(0, 16)}`,
  ];
}

/** Whether totals of a table are over the rows of another one. */
const addsUp = ({ logic }: Table, { name }: Table): boolean =>
  Object.values(logic?.totals ?? {}).some(({ items }) => items === name);

/** The steps that compute fields of rows which are older than their expressions, or than those of the line items that they add up. */
export const compareComputed = (tables: readonly Table[], { required, tables: known }: ActualSchema): Step[] => {
  const isListed = (table: Table): boolean => computedNames(table).every((name) => required.has(name));
  return computedRewrites(tables).flatMap((rewrite): Step[] => {
    const { table } = rewrite;
    const actualName = [...byActualName(tables, known)].find(([, one]) => one === table)?.[0] ?? table.name;
    const columns = known.get(actualName);
    const sources = [table, ...tables.filter((other) => addsUp(table, other))];
    if (!columns || sources.every(isListed)) return [];
    const check = areComputable(table, actualName, columns);
    // A start that ends before the step of the parents is followed by one that has it, too.
    const parents = tables.filter((other) => addsUp(other, table)).flatMap(computedNames);
    const statements = [...addRequired(computedNames(table)), ...removeRequired(parents)];
    return [{ kind: 'addition', isNote: true, rewrite, check, statements }];
  });
};

/** The check that fields of all rows can be computed, before the steps. Totals are over rows that these may change: the rewrite checks them. */
const areComputable =
  (table: Table, actualName: string, columns: ActualColumns): RowCheck =>
  async (database) => {
    const { logic, columns: desired } = table;
    const { values } = database.dialect;
    if (!logic || Object.keys(logic.totals).length > 0) return [];
    const stored = [...byActualName(desired, columns)].flatMap(([name, column]) => {
      const from = values.typeOf(columns.get(name) ?? '');
      return from ? [{ name, column, from: { ...column, ...from } }] : [];
    });
    // Conversions have checks of their own.
    if (stored.some(({ column, from }) => from.type !== column.type)) return [];
    const added = Object.fromEntries(desired.map((column) => [column.name, column.default]));
    const failures = new NamedRows();
    const expressions = stored.map(({ name, from }) => values.shown(from, quote(name)));
    for await (const rows of slicesOf(database, actualName, expressions)) {
      for (const [, id, ...row] of rows) {
        const given = stored.map(({ column, from }, at) => [column.name, readValue(row[at], from)] as const);
        const record = shownValues(table, { ...added, ...Object.fromEntries(given) });
        const [failed] = evaluate({ ...logic, rules: [] }, record, {}, currentTime()).violations;
        if (failed) failures.add(failed.message, id);
      }
    }
    return describeFailures(table, failures);
  };

/** The computed fields of a new record, which has no line items. @param tables with those of line items that it may have */
export function computedOf(
  database: Database,
  tables: readonly Table[],
  table: Table,
  record: ShownRecord,
  time: string,
): Readonly<Record<string, Value>> {
  if (!table.logic) return {};
  const dml = new Dml(tables, database.dialect);
  return derive(table.logic, record, totalsIn(dml, dml.of(table.name, 0), []), time).computed;
}

/**
 * Computes fields of all rows again, and stores those that differ. Other writers of a row wait for its slice at most.
 *
 * @returns the number of rows that held others
 * @throws CliError if a field has no value
 */
export async function computeRows(
  database: Database,
  { table, tables = [] }: Rewrite,
  transaction: typeof inAttempt,
): Promise<number> {
  const dml = new Dml(tables, database.dialect);
  const failures = new NamedRows();
  let written = 0;
  for await (const rows of slicesOf(database, table.name)) {
    written += await transaction(database, async () => {
      let changed = 0;
      for (const [organization, id] of rows) {
        const result = await computeRow(database, dml, dml.of(table.name, Number(organization)), String(id));
        if (typeof result === 'string') failures.add(result, id);
        else if (result) changed++;
      }
      return changed;
    });
  }
  const failed = describeFailures(table, failures);
  if (failed.length > 0) throw new CliError(failed.join('\n  '));
  return written;
}

const describeFailures = ({ name }: Table, failures: NamedRows): string[] =>
  failures.describe((message, rows, ids) => `${message} It is so in ${rows} of ${name}: ${ids}.`);

/** @returns whether the row held other values; the reason why a field has none */
async function computeRow(database: Database, dml: Dml, sql: TableSql, id: string): Promise<boolean | string> {
  const query = ({ text, values }: Statement): Promise<unknown[][]> => database.query(text, values);
  const { logic } = sql.table;
  const [row] = await query(sql.forUpdate(id));
  // It was deleted meanwhile.
  if (!row || !logic) return false;
  const { record } = sql.lockedRow(row);
  const totals: unknown[][][] = [];
  for (const statement of selectTotals(dml, sql, id)) totals.push(await query(statement));
  const { computed, violations } = evaluate({ ...logic, rules: [] }, record, totalsIn(dml, sql, totals), currentTime());
  const [failed] = violations;
  if (failed) return failed.message;
  const set = Object.fromEntries(Object.entries(computed).map(([name, value]) => [name, columnValue(value)]));
  const isSame = Object.entries(set).every(([name, value]) =>
    showsValue(sql.column(name), record[name] ?? null, value),
  );
  if (!isSame) await query(sql.update(id, set));
  return !isSame;
}
