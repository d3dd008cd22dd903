import { maxNamed } from '../model/limits.ts';
import type { Table } from '../model/table.ts';
import { type ForeignKey, foreignKeys, quote } from '../sql/schema.ts';
import { organizationColumn } from '../sql/helper-tables.ts';
import { clearedColumns } from '../sql/unique.ts';
import { findsNone } from './checks.ts';
import type { ActualForeignKey, ActualSchema, MigrationDialect, RowCheck, Step } from './types.ts';
import { byActualName } from './schema.ts';

/** A foreign key that is desired, and the names that its tables and its column have until the plan renames them. */
interface Desired extends ForeignKey {
  readonly actualTable: string;
  readonly actualColumn: string;
  readonly actualTarget: string;
  readonly isNullable: boolean;
  /** The columns that are set to null if the value names no record; none if that is refused. */
  readonly cleared: readonly string[];
}

function desiredKeys(tables: readonly Table[], { tables: actual }: ActualSchema): Desired[] {
  const actualNames = new Map([...byActualName(tables, actual)].map(([name, table]) => [table.name, name]));
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
export function dropForeignKeys(tables: readonly Table[], actual: ActualSchema, dialect: MigrationDialect): Step[] {
  const desired = desiredKeys(tables, actual);
  return actual.foreignKeys
    .filter((key) => !desired.some((one) => isSame(one, key)))
    .map((key) => ({ kind: 'addition', statements: dialect.dropForeignKey(key) }));
}

/** The steps that add foreign keys, when all tables and columns exist. The rows are checked before. */
export function addForeignKeys(tables: readonly Table[], actual: ActualSchema, dialect: MigrationDialect): Step[] {
  return desiredKeys(tables, actual).flatMap((desired) => {
    const existing = actual.foreignKeys.find((key) => isSame(desired, key));
    const columns = actual.tables.get(desired.actualTable);
    if (existing?.isValid === true || (!columns && dialect.definesForeignKeys)) return [];
    const hasRows = columns?.has(desired.actualColumn) === true;
    const added = dialect.addForeignKey(desired, { isThere: existing !== undefined, hasRows });
    const steps = added.map((statements): Step => ({ kind: 'addition', statements }));
    if (!hasRows) return steps;
    // The last step looks at the rows. On PostgreSQL, no server stores further values after the one before it.
    if (desired.cleared.length > 0) return steps.toSpliced(-1, 0, clearMissing(desired));
    return steps.map((step, at) => (at === 0 ? { ...step, check: noneDangles(desired, actual) } : step));
  });
}

/** A condition on a row: its value names no record. */
function namesNone(column: string, target: string): string {
  const organization = quote(organizationColumn);
  const record =
    `select 1 from ${quote(target)} as _record ` +
    `where _record.${organization} = _row.${organization} and _record."id" = _row.${quote(column)}`;
  return `_row.${quote(column)} is not null and not exists (${record})`;
}

/** The step that sets values to null which name no record. */
function clearMissing({ table, column, target, cleared }: Desired): Step {
  const set = cleared.map((name) => `${quote(name)} = null`).join(', ');
  return {
    kind: 'addition',
    statements: [`update ${quote(table)} as _row set ${set} where ${namesNone(column, target)}`],
    note: `Values of ${column} of ${table} that name no ${target} become null, as on_missing of the field says.`,
  };
}

/** The check that each value of a column names a record. */
function noneDangles(key: Desired, { tables }: ActualSchema): RowCheck {
  const { table, column, target, actualTable, actualColumn, actualTarget, isNullable } = key;
  const advice = isNullable ? ', or give the field on_missing: set_null, with which they become null' : '';
  const reference = `_row.${quote(actualColumn)}`;
  const isMissing = tables.has(actualTarget) ? namesNone(actualColumn, actualTarget) : `${reference} is not null`;
  const query = `select _row."id", ${reference} from ${quote(actualTable)} as _row where ${isMissing} limit ${maxNamed + 1}`;
  return findsNone(query, (rows) => {
    const named = rows.slice(0, maxNamed).map(([id, value]) => `${String(id)} (${JSON.stringify(value)})`);
    const others = rows.length > maxNamed ? ' and others' : '';
    return [
      `The field ${column} of ${table} references ${target}, and names records that do not exist, in ` +
        `${named.join(', ')}${others}. Correct these values with the version before${advice}.`,
    ];
  });
}
