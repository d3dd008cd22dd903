import { hash } from 'node:crypto';
import type { Feature } from '../../kernel/feature.ts';
import { CliError } from '../../kernel/model/errors.ts';
import { columnValue, type Value } from '../../kernel/model/fields.ts';
import { currentTime } from '../../kernel/model/ids.ts';
import { shownValues, showsValue, type Table } from '../../kernel/model/table.ts';
import { evaluate } from './expressions/evaluate.ts';
import type { JsonRecord, Logic } from './expressions/logic.ts';
import { derive } from './write-part.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import { totalOwnersOf } from './total-owners.ts';
import { selectTotals, totalsIn } from './totals.ts';
import { Dml } from '../../kernel/sql/dml.ts';
import { inTotalOrder } from '../../kernel/sql/total-owners.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import { inEachRow } from '../../migrations/rewrites.ts';
import type {
  ActualColumns,
  Computation,
  Database,
  RowCheck,
  SchemaComparison,
  Step,
  Transaction,
} from '../../migrations/types.ts';
import { NamedRows } from '../../migrations/checks.ts';
import type { MigrationPart, NewRecord } from '../../migrations/part.ts';
import { removeRequired } from '../../migrations/required.ts';
import { noteStep } from '../../migrations/steps.ts';
import { readValue, slicesOf } from '../../migrations/slices.ts';
import { byActualName } from '../../migrations/schema.ts';
import { quote, renamesOf } from '../../kernel/sql/values.ts';

const computedFields = ({ logic }: Table): string[] => Object.keys(logic?.computed ?? {});

/** The tables with computed fields: those whose rows totals are over come before those with the totals. */
const computedTables = (tables: readonly Table[]): Table[] =>
  inTotalOrder(tables, totalOwnersOf(tables)).filter((table) => computedFields(table).length > 0);

export const computedRewrites = (tables: readonly Table[], features: readonly Feature[]): Computation[] =>
  computedTables(tables).map((table) => ({
    table,
    description: inEachRow(table, 'values', computedFields(table), 'computed'),
    compute: (database, transaction) =>
      computeRows(database, new Dml(tables, database.dialect, features), table, transaction),
  }));

/** The name by which `requiredColumns` lists a table whose rows hold what its expressions say: another one for others. */
function computedNames(table: Table): string[] {
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

/** The tables from whose rows totals of a table follow, also those of other totals that it adds up; the table is one of them. */
function sourcesOf(table: Table, tables: readonly Table[]): Set<Table> {
  const sources = new Set([table]);
  // A set goes on with what is added meanwhile.
  for (const source of sources) for (const other of tables) if (addsUp(source, other)) sources.add(other);
  return sources;
}

/** The steps that compute fields of rows which are older than their expressions, or than those of the rows that they add up. */
function compareComputed({ features, tables, actual: { required, tables: known } }: SchemaComparison): Step[] {
  const isListed = (table: Table): boolean => computedNames(table).every((name) => required.has(name));
  return computedRewrites(tables, features).flatMap((rewrite): Step[] => {
    const { table } = rewrite;
    const actualName = [...byActualName(tables, known)].find(([, one]) => one === table)?.[0] ?? table.name;
    const columns = known.get(actualName);
    if (!columns || [...sourcesOf(table, tables)].every(isListed)) return [];
    const check = areComputable(table, actualName, columns);
    // A start that ends before the step of the parents is followed by one that has it, too.
    const parents = tables.filter((other) => addsUp(other, table)).flatMap(computedNames);
    const note = noteStep(...computedNames(table));
    const statements = [...note.statements, ...removeRequired(parents)];
    return [{ ...note, kind: 'rewrite', rewrite, check, statements }];
  });
}

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
        const [failed] = evaluate(
          { ...(logic as Logic), rules: [] },
          record as JsonRecord,
          {},
          currentTime(),
        ).violations;
        if (failed) failures.add(failed.message, id);
      }
    }
    return describeFailures(table, failures);
  };

/** The computed fields of a new record, which has no line items. */
function computedOf({ database, features, tables, table, record, time }: NewRecord): Readonly<Record<string, Value>> {
  if (!table.logic) return {};
  const dml = new Dml(tables, database.dialect, features);
  return derive(table.logic, record, totalsIn(dml, dml.of(table.name, 0), []), time).computed;
}

/**
 * Computes fields of all rows again, and stores those that differ. Other writers of a row wait for its slice at most.
 *
 * @returns the number of rows that held others
 * @throws CliError if a field has no value
 */
async function computeRows(database: Database, dml: Dml, table: Table, transaction: Transaction): Promise<number> {
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
  const { computed, violations } = evaluate(
    { ...(logic as Logic), rules: [] },
    record as JsonRecord,
    totalsIn(dml, sql, totals),
    currentTime(),
  );
  const [failed] = violations;
  if (failed) return failed.message;
  const set = Object.fromEntries(Object.entries(computed).map(([name, value]) => [name, columnValue(value)]));
  const isSame = Object.entries(set).every(([name, value]) =>
    showsValue(sql.column(name), record[name] ?? null, value),
  );
  if (!isSame) await query(sql.update(id, set));
  return !isSame;
}

export const migration: MigrationPart = {
  notes: computedNames,
  derive: compareComputed,
  rewrites: computedRewrites,
  complete: computedOf,
};
