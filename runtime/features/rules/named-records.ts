import { referenceKey, type ShownRecord } from '../../kernel/model/table.ts';
import { selectParents } from '../../kernel/sql/record-locks.ts';
import { quote } from '../../kernel/sql/schema.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import type { ChangeRequest, PartRows } from '../../kernel/sql/write-part.ts';
import type { JsonRecord, NamedRecords } from './expressions/logic.ts';

/** A record that rules of a write read. */
interface Read {
  /** The reference that names it. */
  readonly column: string;
  readonly sql: TableSql;
  readonly fields: readonly string[];
  /** Locks it against change; undefined if the write sets the reference to null, or to the record itself. */
  readonly statement: Statement | undefined;
}

const readsOf = ({ dml, sql, id, given, operation }: ChangeRequest): Read[] =>
  dml.readsOf(sql.table, operation).map(({ column, table, fields, lock }) => {
    const target = dml.of(table, sql.organization);
    const named = given[column];
    // A record that names itself is locked for its change.
    const ofRow = (): string => `${selectParents(sql, target.param(1), column)} and ${quote(column)} <> "id"`;
    const statement =
      named === undefined
        ? target.forUpdate([id], fields, lock, ofRow())
        : named === null || (named === id && table === sql.table.name)
          ? undefined
          : target.forUpdate(String(named), fields, lock);
    return { column, sql: target, fields, statement };
  });

/**
 * Reads the records that rules of a write read, and locks them, so that they stay as they are until it is visible. As a delete
 * locks a record ahead of those that reference it, this comes before the row is locked.
 */
export const lockNamed = (change: ChangeRequest): Statement[] =>
  readsOf(change).flatMap(({ statement }) => statement ?? []);

/**
 * The records that rules of a write read. One that does not exist is left out: the write is rejected for that reason.
 *
 * @param record as it would be
 * @param rows those of `lockNamed`: the last ones of an update were read when its row could no longer name other records
 */
export function namedRecords(change: ChangeRequest, record: ShownRecord, { before, behind }: PartRows): NamedRecords {
  const results = (behind.length > 0 ? behind : before).values();
  return Object.fromEntries(
    readsOf(change).flatMap(({ column, sql, fields, statement }) => {
      const row = statement && results.next().value?.[0];
      const isItself = record[column] === change.id && sql.table === change.sql.table;
      const named = isItself ? record : row && sql.lockedRow(row, fields).record;
      if (!named && record[column] !== null) return [];
      return [[referenceKey(column), (named ?? null) as JsonRecord | null]];
    }),
  );
}
