import type { Value } from '../model/fields.ts';
import type { WriteRejection } from '../records/write.ts';
import { organizationColumn } from './helper-tables.ts';
import type { TableSql } from './table-sql.ts';
import type { Statement, Steps } from './types.ts';
import { foldedColumns, foldedValues, type UniqueKey, uniqueKeys } from './unique.ts';
import { quote } from './values.ts';
import type { WritePart } from './write-part.ts';

/** Unique fields. */
export const unique: WritePart = { search: ({ sql, write, set }) => findClash(sql, write.id, set) };

/** Finds a record whose values keep those of `set` from being stored; undefined if there is none, or none any more. */
export function* findClash(
  sql: TableSql,
  id: string,
  set: Readonly<Record<string, Value>>,
  later: readonly Value[] = [],
): Steps<WriteRejection | undefined> {
  const keys = uniqueKeys(sql.table).filter(({ fields }) => fields.some((field) => field in set));
  if (keys.length === 0) return undefined;
  const found = yield { statements: keys.map((key) => selectClash(sql, key, id, set)), keepsTransactionOpen: true };
  const clashes = found.flatMap(([row], at) => (row ? [{ fields: keys[at]?.fields ?? [], id: row[0] as string }] : []));
  const clash = clashes.find((one) => !later.includes(one.id)) ?? clashes[0];
  return clash && { outcome: 'not_unique', ...clash };
}

/** Selects the id of the record with the values that a record is to have in unique fields; those not in `set` are stored. */
export function selectClash(
  sql: TableSql,
  key: UniqueKey,
  id: string,
  set: Readonly<Record<string, Value>>,
): Statement {
  const given = { ...set, ...foldedValues(foldedColumns(sql.table), set) };
  const columns = key.columns.filter((column) => column in given);
  const values = [id, ...columns.map((column) => given[column] as Value)];
  return sql.statement(`clash ${key.name} ${columns.join()}`, values, () => {
    const own = sql.organizationRows([`"id" = ${sql.param(1)}`]);
    const same = key.columns.map((column) => {
      const at = columns.indexOf(column);
      const value =
        at === -1 ? `(select ${quote(column)} from ${own})` : sql.stored(sql.column(column), sql.param(at + 2));
      return `_other.${quote(column)} = ${value}`;
    });
    const other = sql.inOrganization(`_other.${quote(organizationColumn)}`);
    const conditions = [other, `_other."id" <> ${sql.param(1)}`, ...same].join(' and ');
    return `select _other."id" from ${quote(sql.table.name)} as _other where ${conditions}`;
  });
}
