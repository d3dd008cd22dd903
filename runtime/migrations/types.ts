import type { Column, Table } from '../model/table.ts';
import type { QueryDialect } from '../sql/query-dialect.ts';
import type { Values } from '../sql/types.ts';
import type { ForeignKey, SchemaDialect } from '../sql/schema.ts';
import type { StoredType } from '../sql/values.ts';

/** A connection that reads and changes a database's schema. */
export interface Database {
  /** Whether an attempt is one transaction. */
  readonly isAtomic: boolean;
  /** The syntax of statements on records. */
  readonly dialect: QueryDialect;
  /** Runs a statement. @returns its rows, each an array of values */
  query(sql: string, values?: Values): Promise<unknown[][]>;
  readSchema(): Promise<{ actual: ActualSchema; dialect: MigrationDialect }>;
  /**
   * Runs `work`, which plans and executes steps. Repeats it after conflicts with other connections.
   *
   * @param isExclusive while no other connection exists, if the engine can ensure that
   */
  attempt<T>(work: () => Promise<T>, isExclusive?: boolean): Promise<T>;
  /** Executes the statements of a step, all or none, in isolation from other connections. @param prepare is done first, in the same way */
  apply(step: Step, prepare?: (run: (statement: string) => Promise<unknown>) => Promise<void>): Promise<void>;
  /**
   * Runs `work`, which reads and adds rows of all organizations. A server that starts on a cluster does not wait for it: it is done when all nodes answer.
   */
  whenComplete(work: (database: Database) => Promise<void>): Promise<void>;
  /** Keeps other connections from writing a table until the transaction ends, or from using it at all. */
  lockTable(table: string, mode?: 'share row exclusive' | 'access exclusive'): Promise<void>;
}

/** The columns of a table with their types in lower case. */
export type ActualColumns = ReadonlyMap<string, string>;

/** A foreign key of a database. */
export interface ActualForeignKey extends ForeignKey {
  /** Whether the rows that were there before it have been checked. */
  readonly isValid: boolean;
}

/** The schema of a database: the columns of each table and each index, by name. */
export interface ActualSchema {
  readonly tables: ReadonlyMap<string, ActualColumns>;
  /** An index without columns: its concurrent creation has failed, or is under way. */
  readonly indexes: ReadonlyMap<string, readonly string[]>;
  readonly foreignKeys: readonly ActualForeignKey[];
  /** Tables with one row counter: those of records. Undefined while the node that has their counters does not answer. */
  readonly counted: ReadonlySet<string> | undefined;
  /** The rows of `requiredColumns`. */
  readonly required: ReadonlySet<string>;
}

/** Values of each row of a table that are made of its fields, and that no statement can make. */
export interface Rewrite {
  readonly table: Table;
  readonly what: 'words' | 'folded' | 'times' | 'names' | 'computed' | 'converted';
  readonly fields: readonly string[];
  /** All tables, if the values are made of other rows. */
  readonly tables?: readonly Table[];
  /** The column that gets converted values, which the first statement of the step adds, and the type of those. */
  readonly converted?: { readonly name: string; readonly from: StoredType };
}

/** Changes that lose or rewrite data, and so must be requested: `lead` is a table, `lead.fax` a column. */
export interface DestructiveChanges {
  readonly drop: readonly string[];
  /** Columns that get the type of the spec. */
  readonly convert: readonly string[];
}

/** The parts of schema changes that differ between engines. */
export interface MigrationDialect extends SchemaDialect {
  readonly dropForeignKey: (key: ForeignKey) => string[];
  /**
   * The statements of each step that adds a foreign key.
   *
   * @param state whether it is there and only not checked; whether the column was there before, and so may have values
   */
  readonly addForeignKey: (
    key: ForeignKey,
    state: { readonly isThere: boolean; readonly hasRows: boolean },
  ) => (readonly string[])[];
  /** The step that drops an index of words. */
  readonly dropSearch: (name: string) => Step;
  /** The step that gives an index of words another name; absent if it is made anew in less time than all rows change in it. */
  readonly renameSearch?: (former: string, name: string) => Step;
  /** A query for some ids of rows whose texts in these columns do not fit into an index together; absent if all texts do. */
  readonly findTooLong?: (table: string, columns: readonly string[]) => string;
  /** Statements that spread a new table over the nodes of a cluster, if the others are. */
  readonly distribute: (table: string) => string[];
}

/** Reads rows. @returns sentences that say why they refuse the migration */
export type RowCheck = (database: Database) => Promise<readonly string[]>;

/** One change of the schema. */
export interface Step {
  /** An addition does not affect servers of another version; an incompatible step (a rename, another parent) breaks them. */
  readonly kind: 'addition' | 'incompatible' | 'destructive';
  /** Executed all or none. */
  readonly statements: readonly string[];
  /** Creates or drops an index concurrently, and so cannot be part of a transaction. */
  readonly isIndex?: boolean;
  /** The index that it drops because its creation has failed: not if others have finished it meanwhile. */
  readonly unfinished?: string;
  /** Nothing needs it: a start of a server leaves it to `npm run migrate` where servers of another version may run. */
  readonly isCleanup?: boolean;
  /** Changes only the rows of `requiredColumns`. */
  readonly isNote?: boolean;
  /** The name of the requested destructive change. */
  readonly request?: string;
  /** A change of all rows, before the statements. */
  readonly rewrite?: Rewrite;
  /** Columns that `check` wants a value of in each row. */
  readonly mustBeFilled?: { readonly table: string; readonly columns: readonly string[] };
  /** Fields of which `check` wants no two rows to have the same values. */
  readonly mustDiffer?: { readonly table: string; readonly columns: readonly string[] };
  readonly check?: RowCheck;
  /** Finds rows that keep values which are not taken any more: they are told, and refuse nothing. */
  readonly report?: RowCheck;
  /** The check needs the steps before it, and the rewrite. */
  readonly isLate?: boolean;
  /** A change of an index without which a server does not keep its promises. */
  readonly isNeeded?: true;
  /** A sentence about a declaration without an effect, or one that changes values. */
  readonly note?: string | undefined;
}

/** A table or column that is in the database and not in the spec. */
export interface Orphan {
  readonly table: string;
  readonly column?: string;
  /** The name of the table until the plan renames it. */
  readonly actualTable: string;
  /** A sentence that says how to keep the data. */
  readonly note?: string | undefined;
}

/** How the schema of a database becomes the desired one. */
export interface SchemaPlan {
  /** The steps from the actual to the desired schema, in order. Only requested steps lose data. */
  readonly steps: readonly Step[];
  /** Changes that would lose data, as sentences that name an alternative. */
  readonly blockers: readonly string[];
  readonly orphaned: readonly Orphan[];
  /** Requests that are impossible or unnecessary. */
  readonly errors: readonly string[];
  /** The notes of the steps and orphans. */
  readonly notes: readonly string[];
}

/** A table that is desired and exists, and what its comparison needs. */
export interface Comparison {
  readonly table: Table;
  /** The table's name until the plan renames it. */
  readonly actualName: string;
  readonly columns: ActualColumns;
  /** The desired columns by their actual names. */
  readonly desired: ReadonlyMap<string, Column>;
  readonly actual: ActualSchema;
  readonly dialect: MigrationDialect;
  readonly convert: DestructiveChanges['convert'];
}

/** A result of a comparison; a string is a blocker. */
export type Finding = Step | Orphan | string;
