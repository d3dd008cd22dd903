import type { RecordValue, Value } from '../model/fields.ts';
import type { WriteResult } from '../records/write.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { TableSql } from './table-sql.ts';

/** The values of parameters; a list is bound as one. */
export type Values = readonly (Value | readonly Value[])[];

/** An SQL statement with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: Values;
}

/** Binds a value, and returns its parameter. */
export type Bind = (value: Value | readonly Value[]) => string;

/** The value of a field before a write and after it. */
export type Change = readonly [before: RecordValue, after: RecordValue];

/** The event of a write of one record. */
export interface NewEvent {
  readonly operation: string;
  /** The path of the resource, like `crm/lead`. */
  readonly resource: string;
  readonly record: string;
  /** The version of the record after the write; of a deleted record, the next version. */
  readonly version: number;
  /** Made when they are stored, as a delete may have very many. */
  readonly changes: () => Changes;
}

/** The fields that a write changes. */
export type Changes = Readonly<Record<string, Change>>;

/** A change of the row counter of a parent; that of a table of records has an empty one. */
export interface CountChange {
  readonly sql: TableSql;
  readonly parent: string;
  /** The number that is added; -Infinity if the rows that it counts are deleted. */
  readonly rows: number;
}

/** A row as an engine returns it; PostgreSQL's values are strings. */
export type Row = readonly unknown[];

/** The rows of several statements. */
export type Rows = readonly (readonly Row[])[];

/** Statements that are sent together. Several are one transaction. */
export interface Round {
  readonly statements: readonly Statement[];
  /** Changes of row counters, after the statements: the locks that most writers wait for are the last ones. */
  readonly counts?: readonly CountChange[];
  /** The events of the statements, which are stored after them. */
  readonly events?: readonly NewEvent[];
  /** Stores the answer to the request, after these. */
  readonly answer?: Statement;
  /** The next round is in the same transaction, which is rolled back if the write ends instead. */
  readonly keepsTransactionOpen?: true;
  /** The statements of a read that change rows: only where writers do not take turns. */
  readonly isChange?: true;
}

/** Work as rounds of statements: it yields each round and gets the rows of each statement back. */
export type Steps<T> = Generator<Round, T, Rows>;

export type WriteSteps = Steps<WriteResult>;

/** The statements on every table of a store. */
export interface AllTables {
  readonly dialect: QueryDialect;
  of(table: string, organization: number): TableSql;
}

/** A read that a feature declares: the statements on rows of an organization, and what is made of them. */
export interface Read<Args extends readonly unknown[], T> {
  readonly steps: (all: AllTables, organization: number, ...args: Args) => Steps<T>;
  /** Whether it takes no longer than the read of a record: it does not wait for those that do. */
  readonly isQuick?: true;
  /** Whether replicas answer it, as they answer lists: the writes of others may be missing for some seconds. */
  readonly isOfReplicas?: true;
}
