import type { Value } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import type { OrganizationWrite, Origin, SingleWrite, Write, WriteRejection } from '../records/write.ts';
import type { Dml } from './dml.ts';
import type { RowCounts } from './row-counters.ts';
import type { ItemChange, StaleRecords } from './stale-records.ts';
import type { LockedRow, TableSql } from './table-sql.ts';
import type { NewEvent, Row, Rows, Statement, Steps, WriteSteps } from './types.ts';

/** Values by the names of their columns. */
export type ColumnValues = Readonly<Record<string, Value>>;

/** The kinds of writes of one record. An undo restores a deleted one. */
export type WriteKind = 'create' | 'restore' | 'update' | 'transition' | 'delete';

/** A write of one record, before its row is read. */
export interface ChangeRequest {
  readonly dml: Dml;
  /** The parts that such writes of the table have. */
  readonly parts: readonly WritePart[];
  readonly sql: TableSql;
  readonly write: OrganizationWrite<'insert' | 'update' | 'delete'>;
  readonly id: string;
  /** The columns that the write sets: all of a new record. */
  readonly given: ColumnValues;
  /** As events name it; a transition may have rules of its own. */
  readonly operation: string;
  /** The field whose former value a failure of a transition names. */
  readonly state?: string | undefined;
  /** The fields that must not be null afterwards. */
  readonly requires?: readonly string[] | undefined;
  /** Whether the body of the request has fields of the record; it has without this. */
  readonly isNamed?: boolean;
  /** Takes the records that may have to change as this one does. */
  readonly stale: StaleRecords | undefined;
  /** The changes of the record's line items since its totals were stored; undefined if they are unknown. */
  readonly items?: readonly ItemChange[] | undefined;
  /** The record has changed already in this transaction, or a transition is made: its rules are checked even if no column changes. */
  readonly isChanged?: boolean | undefined;
  /** Its row, if it has been locked and read before. */
  readonly row?: Row | undefined;
  /** The columns that are read; all of them (undefined) unless the record may be large. */
  readonly names?: readonly string[] | undefined;
}

/** A write whose row is locked. */
export interface LockedChange extends ChangeRequest {
  readonly stored: LockedRow | undefined;
  /** The columns that parts derive. */
  readonly derived: ColumnValues;
  /** The columns that the write sets, and those that parts derive. */
  readonly set: ColumnValues;
  /** The names of the columns that get another value; none of a new record. */
  readonly changing: readonly string[];
  /** The rows that a part of the write has read. */
  readonly rowsOf: (part: WritePart) => PartRows;
}

/** Columns that follow from a record as it would be. */
export interface Derived {
  readonly computed: ColumnValues;
}

/** The rows of the statements that a part has sent, and its columns. */
export interface PartRows<D extends Derived = Derived> {
  readonly before: Rows;
  readonly behind: Rows;
  readonly derived: D | undefined;
}

/** Ids of records, by table. */
export type Ids = Map<string, readonly string[]>;

/** A delete that is under way. */
export interface Deletion {
  readonly dml: Dml;
  readonly write: OrganizationWrite<'delete'>;
  /** The records that it has deleted, without line items that went with these. */
  readonly ids: Ids;
  readonly counts: RowCounts;
  /** The records that may have to change with it. */
  readonly stale: StaleRecords | undefined;
  /** How many records it changes or deletes beside the first one, without line items. */
  others: number;
  /** How many line items went with the records. */
  items: number;
}

/**
 * The share of one feature in writes. The statements of all parts travel in two rounds: locks and reads around the row, then the
 * row with its effects. The order of the parts is that of their locks, and of the reasons to reject a write.
 */
export interface WritePart<D extends Derived = Derived> {
  /** Whether it has a share in such writes of a table; in all of them without this. */
  isFor?(kind: WriteKind, table: Table, dml: Dml): boolean;
  /** Its statements around the row of a new record change other rows: a failure undoes them. */
  readonly changesRows?: true;
  /** Takes locks ahead of the row. */
  before?(change: ChangeRequest): readonly Statement[];
  /** `before` is sent again behind the row: what it finds may have changed until the row was locked. */
  readonly repeatsBefore?: true;
  /** Locks that a batch takes for a write ahead of all, behind those of rows; those of a part are taken in the order of their texts. */
  ahead?(sql: TableSql, write: SingleWrite, origin: Origin): readonly Statement[];
  /** Reads once the row can no longer change. */
  behind?(change: ChangeRequest): readonly Statement[];
  /** Derives columns of a row that is stored. @param stored undefined if the record is new */
  derive?(change: ChangeRequest, stored: LockedRow | undefined, rows: PartRows<D>): Steps<D>;
  /** The columns that it derives in each change of a row. */
  sets?(table: Table): readonly string[];
  reject?(change: LockedChange, rows: PartRows<D>): WriteRejection | undefined;
  /** A rejection that takes statements of its own: of a change, once nothing else rejects it, of a new row that was not stored. */
  search?(change: LockedChange): Steps<WriteRejection | undefined>;
  /** The row is about to be stored: at most its own statement fails. */
  storing?(change: LockedChange, rows: PartRows<D>): void;
  /** Statements ahead of the delete of rows that are locked. */
  erasing?(sql: TableSql, origin: Origin, ids: readonly string[]): readonly Statement[];
  /** Deletes rows that belong to deleted ones. */
  belongings?(deletion: Deletion, ids: Ids): Steps<void>;
  /** Does to other records whatever follows from a delete. */
  removed?(deletion: Deletion): Steps<WriteRejection | undefined>;
  /** Statements that store the events of a write. */
  note?(dml: Dml, write: OrganizationWrite, events: readonly NewEvent[]): readonly Statement[];
  /** Surrounds the steps of a whole write; undefined if these stay as they are. */
  around?(dml: Dml, write: OrganizationWrite, steps: WriteSteps): WriteSteps | undefined;
}

/** The steps of an operation. @param stale takes the records that may have to change with the write, if there can be any */
export type Operation<Op extends Write['op']> = (
  dml: Dml,
  write: OrganizationWrite<Op>,
  stale?: StaleRecords,
) => WriteSteps;

export type Operations = { readonly [Op in Write['op']]?: Operation<Op> };
