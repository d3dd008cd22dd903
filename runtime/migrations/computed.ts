import { hash } from 'node:crypto';
import { CliError } from '../model/errors.ts';
import { columnValue, type Value } from '../model/fields.ts';
import { currentTime } from '../model/ids.ts';
import type { ShownRecord, Table } from '../model/table.ts';
import { evaluate } from '../rules/evaluate.ts';
import { showsValue } from '../sql/events.ts';
import { derive } from '../sql/logic.ts';
import type { TableSql } from '../sql/table-sql.ts';
import { selectTotals, totalsIn } from '../sql/totals.ts';
import { Dml } from '../sql/dml.ts';
import type { Statement } from '../sql/query-dialect.ts';
import type { Database } from './driver.ts';
import type { Step } from './schema-plan.ts';
import { addRequired } from './required.ts';
import { slicesOf } from './slices.ts';
import type { inAttempt } from './transact.ts';
import type { Rewrite } from './rewrites.ts';
import type { ActualSchema } from './schema.ts';

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
  return [`${table.name} computed ${hash('sha256', JSON.stringify([expressions, totals]), 'hex').slice(0, 16)}`];
}

/** The steps that compute fields of rows which are older than their expressions. */
export const compareComputed = (tables: readonly Table[], { required, tables: known }: ActualSchema): Step[] =>
  computedRewrites(tables).flatMap((rewrite): Step[] => {
    const { table } = rewrite;
    const isStored = [table.name, ...(table.renamedFrom ?? [])].some((name) => known.has(name));
    if (!isStored || computedNames(table).every((name) => required.has(name))) return [];
    return [{ kind: 'addition', isNote: true, rewrite, statements: addRequired(computedNames(table)) }];
  });

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
  let written = 0;
  for await (const rows of slicesOf(database, table.name)) {
    written += await transaction(database, async () => {
      let changed = 0;
      for (const [organization, id] of rows) {
        if (await computeRow(database, dml, dml.of(table.name, Number(organization)), String(id))) changed++;
      }
      return changed;
    });
  }
  return written;
}

/** @returns whether the row held other values */
async function computeRow(database: Database, dml: Dml, sql: TableSql, id: string): Promise<boolean> {
  const query = ({ text, values }: Statement): Promise<unknown[][]> => database.query(text, values);
  const { logic, name: table } = sql.table;
  const [row] = await query(sql.forUpdate(id));
  // It was deleted meanwhile.
  if (!row || !logic) return false;
  const { record } = sql.lockedRow(row);
  const totals: unknown[][][] = [];
  for (const statement of selectTotals(dml, sql, id)) totals.push(await query(statement));
  const { computed, violations } = evaluate({ ...logic, rules: [] }, record, totalsIn(dml, sql, totals), currentTime());
  const [failed] = violations;
  if (failed) throw new CliError(`${failed.message} It is of the record ${id} of ${table}.`);
  const set = Object.fromEntries(Object.entries(computed).map(([name, value]) => [name, columnValue(value)]));
  const isSame = Object.entries(set).every(([name, value]) =>
    showsValue(sql.column(name), record[name] ?? null, value),
  );
  if (!isSame) await query(sql.update(id, set));
  return !isSame;
}
