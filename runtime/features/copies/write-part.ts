import { columnValue, type Value } from '../../kernel/model/fields.ts';
import { invalidFields } from '../../kernel/model/errors.ts';
import type { Column } from '../../kernel/model/table.ts';
import type { Words } from '../../kernel/records/write.ts';
import { named } from '../../kernel/sql/parts.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import type { ChangeRequest, WritePart } from '../../kernel/sql/write-part.ts';

declare module '../../kernel/records/write.ts' {
  interface Rejections {
    /** Columns that are never null, and for which there is no value to copy. */
    nothing_to_copy: { columns: readonly string[] };
  }
}

export const describeNothingToCopy: Words<'nothing_to_copy'> = {
  nothing_to_copy: ({ columns }) =>
    invalidFields(columns, 'missing', 'is required, as there is no value to copy from another record'),
};

/** A record that values are copied from. */
interface SourceRecord {
  readonly sql: TableSql;
  /** The columns that get the values. */
  readonly columns: readonly Column[];
  readonly names: readonly string[];
  readonly select: Statement;
}

const absentOf = ({ sql, write }: ChangeRequest): readonly Column[] => {
  const absent = write.op === 'insert' ? (write.absent ?? []) : [];
  return sql.table.columns.filter(({ name }) => absent.includes(name));
};

/** The records that a new one copies values from: those of references that are not null, and singletons. */
function sourcesOf(change: ChangeRequest): SourceRecord[] {
  const { dml, sql: own, given } = change;
  const groups = Map.groupBy(absentOf(change), ({ copies }) => `${copies?.table} ${copies?.reference ?? ''}`);
  return [...groups.values()].flatMap((columns) => {
    const names = [...new Set(columns.map(({ copies }) => copies?.field ?? ''))];
    const { table = '', reference } = columns[0]?.copies ?? {};
    const sql = dml.of(table, own.organization);
    if (reference === undefined) return [{ sql, columns, names, select: sql.only(names) }];
    const id = given[reference] ?? null;
    return id === null ? [] : [{ sql, columns, names, select: sql.forUpdate(String(id), names, 'againstDelete') }];
  });
}

/** The values of fields that a create leaves out, as other records have them in its transaction. */
export const copying: WritePart = {
  isFor: (kind, { columns }) => kind === 'create' && columns.some(({ copies }) => copies),
  // Behind the locks of references.
  behind: (change) => sourcesOf(change).map(({ select }) => select),
  // oxlint-disable-next-line require-yield
  *derive(change, _, { behind }) {
    const computed: Record<string, Value> = Object.fromEntries(absentOf(change).map(({ name }) => [name, null]));
    for (const [i, { sql, columns, names }] of sourcesOf(change).entries()) {
      const row = behind[i]?.[0];
      if (!row) continue;
      const { record } = sql.lockedRow(row, names);
      for (const { name, copies } of columns) computed[name] = columnValue(record[copies?.field ?? ''] ?? null);
    }
    return { computed };
  },
  reject(change) {
    const absent = absentOf(change);
    if (absent.length === 0) return undefined;
    const missing = named.reject?.(change, change.rowsOf(named));
    if (missing) return missing;
    const columns = absent.flatMap(({ name, isNullable }) => (isNullable || change.set[name] !== null ? [] : [name]));
    return columns.length > 0 ? { outcome: 'nothing_to_copy', columns } : undefined;
  },
};
