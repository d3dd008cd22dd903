import { targetsOf } from '../../kernel/model/fields.ts';
import { maxNamed } from '../../kernel/model/limits.ts';
import type { Table } from '../../kernel/model/table.ts';
import { organizationColumn, quote } from '../../kernel/sql/schema.ts';
import { clearedColumns } from '../unique/columns.ts';
import { allOf, findsNone, named } from '../../migrations/checks.ts';
import { looksAt } from '../../migrations/looks.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { change } from '../../migrations/steps.ts';
import type {
  ActualForeignKey,
  ActualSchema,
  RowCheck,
  SchemaComparison,
  StatementStep,
  Step,
} from '../../migrations/types.ts';
import { byActualName } from '../../migrations/schema.ts';
import { type ForeignKey, foreignKeys } from '../../migrations/definitions.ts';

/** A foreign key that is desired, and the names that its tables and its column have until the plan renames them. */
interface Desired extends ForeignKey {
  readonly actualTable: string;
  readonly actualColumn: string;
  readonly actualTarget: string;
  readonly isNullable: boolean;
  /** The columns that are set to null if the value names no record; none if that is refused. */
  readonly cleared: readonly string[];
}

/** The names that tables have until the plan renames them. */
const actualNamesOf = (tables: readonly Table[], { tables: actual }: ActualSchema): ReadonlyMap<string, string> =>
  new Map([...byActualName(tables, actual)].map(([name, table]) => [table.name, name]));

function desiredKeys(tables: readonly Table[], schema: ActualSchema): Desired[] {
  const { tables: actual } = schema;
  const actualNames = actualNamesOf(tables, schema);
  return tables.flatMap((table) => {
    const actualTable = actualNames.get(table.name) as string;
    const columns = byActualName(table.columns, actual.get(actualTable) ?? new Map<string, string>());
    const columnNames = new Map([...columns].map(([name, column]) => [column.name, name]));
    return foreignKeys(table).map((key) => {
      const column = table.columns.find(({ name }) => name === key.column);
      return {
        ...key,
        actualTable,
        actualColumn: columnNames.get(key.column) as string,
        actualTarget: actualNames.get(key.target) ?? key.target,
        isNullable: column?.isNullable === true,
        cleared: column?.references?.onMissing ? clearedColumns(table, key.column) : [],
      };
    });
  });
}

const isSame = (desired: Desired, key: ActualForeignKey): boolean =>
  desired.actualTable === key.table && desired.actualColumn === key.column && desired.actualTarget === key.target;

/** The steps that drop foreign keys which no reference of the spec explains: before renames and drops. */
function dropForeignKeys({ tables, actual, dialect }: SchemaComparison): Step[] {
  const desired = desiredKeys(tables, actual);
  return actual.foreignKeys
    .filter((key) => !desired.some((one) => isSame(one, key)))
    .map((key) => change('addition', ...dialect.dropForeignKey(key)));
}

/** The steps that add foreign keys, when all tables and columns exist. The rows are checked before. */
function addForeignKeys({ tables, actual, dialect }: SchemaComparison): Step[] {
  return desiredKeys(tables, actual).flatMap((desired) => {
    const existing = actual.foreignKeys.find((key) => isSame(desired, key));
    const columns = actual.tables.get(desired.actualTable);
    if (existing?.isValid === true || (!columns && dialect.definesForeignKeys)) return [];
    const hasRows = columns?.has(desired.actualColumn) === true;
    const added = dialect.addForeignKey(desired, { isThere: existing !== undefined, hasRows });
    const steps = added.map((statements) => change('addition', ...statements));
    if (!hasRows) return steps;
    // The last step looks at the rows. On PostgreSQL, no server stores further values after the one before it.
    if (desired.cleared.length > 0) return steps.toSpliced(-1, 0, clearMissing(desired));
    const advice = desired.isNullable ? ', or give the field on_missing: set_null, with which they become null' : '';
    const { target, actualTarget, ...names } = desired;
    const check = noneDangles({ ...names, targets: [target], actualTargets: [actualTarget], advice }, actual);
    return steps.map((step, at) => (at === 0 ? { ...step, check } : step));
  });
}

/** A condition on a row: its value names no record of these tables. */
function namesNone(column: string, targets: readonly string[]): string {
  const organization = quote(organizationColumn);
  const recordIn = (target: string): string =>
    `select 1 from ${quote(target)} as _record ` +
    `where _record.${organization} = _row.${organization} and _record."id" = _row.${quote(column)}`;
  const none = targets.map((target) => ` and not exists (${recordIn(target)})`);
  return `_row.${quote(column)} is not null${none.join('')}`;
}

/** The step that sets values to null which name no record. */
function clearMissing({ table, column, target, cleared }: Desired): StatementStep {
  const set = cleared.map((name) => `${quote(name)} = null`).join(', ');
  return {
    ...change('addition', `update ${quote(table)} as _row set ${set} where ${namesNone(column, [target])}`),
    note: `Values of ${column} of ${table} that name no ${target} become null, as on_missing of the field says.`,
  };
}

/** A column of references, its tables, and the names that all have until the plan renames them. */
interface Referring extends Pick<Desired, 'table' | 'column' | 'actualTable' | 'actualColumn'> {
  readonly targets: readonly string[];
  readonly actualTargets: readonly string[];
  /** A phrase that follows the advice to correct the values; empty if nothing else helps. */
  readonly advice: string;
}

/** The check that each value of a column names a record. */
function noneDangles(referring: Referring, { tables }: ActualSchema): RowCheck {
  const { table, column, targets, actualTable, actualColumn, actualTargets, advice } = referring;
  const isMissing = namesNone(
    actualColumn,
    actualTargets.filter((target) => tables.has(target)),
  );
  const query =
    `select _row."id", _row.${quote(actualColumn)} from ${quote(actualTable)} as _row ` +
    `where ${isMissing} limit ${maxNamed + 1}`;
  return findsNone(query, (rows) => {
    const dangling = named(rows.map(([id, value]) => `${String(id)} (${JSON.stringify(value)})`));
    return [
      `The field ${column} of ${table} references ${targets.join(' or ')}, and names records that do not exist, in ` +
        `${dangling}. Correct these values with the version before${advice}.`,
    ];
  });
}

/** No foreign key guards a column that may name records of several tables: its rows are looked at once for these tables. */
const ofSeveral = looksAt(
  ({ name: table }, { name, references }) =>
    references?.others && `${table}.${name} names ${targetsOf(references).toSorted().join(' or ')}`,
  ({ table: { name: table }, tables, actual, actualName }, note, stored) => {
    const actualNames = actualNamesOf(tables, actual);
    const checks = stored.map(({ former, column: { name: column, references } }) => {
      const targets = references ? targetsOf(references) : [];
      const actualTargets = targets.map((target) => actualNames.get(target) ?? target);
      const names = { table, column, actualTable: actualName, actualColumn: former };
      return noneDangles({ ...names, targets, actualTargets, advice: '' }, actual);
    });
    return { ...note, check: allOf(checks) };
  },
);

export const migration: MigrationPart = { ...ofSeveral, begin: dropForeignKeys, connect: addForeignKeys };
