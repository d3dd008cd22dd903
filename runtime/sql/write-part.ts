import type { Value } from '../model/fields.ts';
import type { OrganizationWrite, WriteRejection } from '../records/write.ts';
import type { Dml } from './dml.ts';
import type { Derived } from './logic.ts';
import type { ItemChange, StaleRecords } from './stale-records.ts';
import type { LockedRow, TableSql } from './table-sql.ts';
import type { Round, Rows, Statement, Steps } from './types.ts';

/** A change of one record, before its row is read. */
export interface ChangeRequest {
  readonly dml: Dml;
  readonly sql: TableSql;
  readonly write: OrganizationWrite<'update'>;
  /** As events name it; a transition may have rules of its own. */
  readonly operation: string;
  /** The field whose former value a failure of a transition names. */
  readonly state: string | undefined;
  /** The fields that must not be null afterwards. */
  readonly requires: readonly string[];
  /** Takes the records that may have to change as this one does. */
  readonly stale: StaleRecords | undefined;
  /** The changes of the record's line items since its totals were stored; undefined if they are unknown. */
  readonly items: readonly ItemChange[] | undefined;
  /** The record has changed already in this transaction: its rules are checked even if no column changes. */
  readonly isChanged: boolean | undefined;
  /** The columns that are read; all of them (undefined) unless the record may be large. */
  readonly names: readonly string[] | undefined;
}

/** Values by the names of their columns. */
export type ColumnValues = Readonly<Record<string, Value>>;

/** A change whose row is locked. */
export interface LockedChange extends ChangeRequest {
  readonly stored: LockedRow;
  /** The columns that the write sets, and those that parts derive. */
  readonly set: ColumnValues;
  readonly derived: Derived;
  /** The names of the columns that get another value. */
  readonly changing: readonly string[];
}

/** The rows of the statements that a part has sent. */
export interface PartRows {
  readonly before: Rows;
  readonly behind: Rows;
}

/**
 * The share of one feature in a change of a record. The statements of all parts travel in two rounds: locks and reads around the
 * row, then the row with its effects. The order of the parts is that of their locks, and of the reasons to reject a change.
 */
export interface WritePart {
  /** Locks that are taken ahead of the row. */
  readonly before?: (change: ChangeRequest) => readonly Statement[];
  /** Reads once the row can no longer change. */
  readonly behind?: (change: ChangeRequest) => readonly Statement[];
  /** Columns that follow from the record as it would be. */
  readonly derive?: (change: ChangeRequest, stored: LockedRow) => Steps<Derived>;
  readonly reject?: (
    change: LockedChange,
    rows: PartRows,
    rowsOf: (part: WritePart) => PartRows,
  ) => WriteRejection | undefined;
  /** A rejection that takes statements of its own, once nothing else rejects the change. */
  readonly search?: (change: LockedChange) => Steps<WriteRejection | undefined>;
  /** Changes of counters and events, which travel with the row. @param columns those that are stored */
  readonly effects?: (change: LockedChange, columns: ColumnValues) => Pick<Round, 'counts' | 'events'>;
  /** The row is stored. */
  readonly stored?: (change: LockedChange) => void;
}

/** The field that names the parent of a line item; empty for other records. */
export const parentField = ({ table }: TableSql): string => table.parent?.field ?? '';
