import type { Feature } from '../kernel/feature.ts';
import type { Value } from '../kernel/model/fields.ts';
import type { Column, Table } from '../kernel/model/table.ts';
import type { QueryDialect } from '../kernel/sql/query-dialect.ts';
import type { Values } from '../kernel/sql/types.ts';
import type { OwnTable } from './own-tables.ts';
import type { ForeignKey, SchemaDialect } from './definitions.ts';

/** A connection that reads and changes a database's schema. */
export interface Database {
  /** Whether an attempt is one transaction. */
  readonly isAtomic: boolean;
  /** The syntax of statements on records. */
  readonly dialect: QueryDialect;
  /** Runs a statement. @returns its rows, each an array of values */
  query(sql: string, values?: Values): Promise<unknown[][]>;
  /** @param cluster how tables are spread, if features say so */
  readSchema(cluster?: Cluster): Promise<{ actual: ActualSchema; dialect: MigrationDialect }>;
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

/** A column whose values are made of others of its row: a hidden one, or one of date-times or names, of its own. */
export interface DerivedColumn {
  readonly name: string;
  readonly type: string;
  /** A row is left as it is if one of these has changed since it was read: its value is already made of the new ones. */
  readonly fields: readonly string[];
  /** Expressions for what it is made of, if these are not the fields. */
  readonly sources?: readonly string[];
  /** @param values those of the fields or sources */
  readonly valueOf: (values: readonly Value[], organization: number) => Value;
  /** The list that a text is the JSON of: such a column is compared by its text. */
  readonly listOf?: (text: string) => string;
  /** The literal of a value that may be no text. */
  readonly literalOf?: (value: Value) => string;
  /** Whether a column that reads so has a value, if the two may be spelled otherwise. */
  readonly holds?: (stored: string, value: string) => boolean;
}

interface AnyRewrite {
  readonly table: Table;
  /** A sentence. */
  readonly description: string;
}

/** Values that are made of those of their own rows. */
export interface Derivation extends AnyRewrite {
  readonly columns: (dialect: QueryDialect) => readonly DerivedColumn[];
  /** Says that two rows of a unique index would have the same values, and how to help it. */
  readonly clash?: string;
  /** Whether a row takes long. */
  readonly isSlow?: boolean;
}

/** Values that are made of other rows, too. */
export interface Computation extends AnyRewrite {
  /** Stores the values in rows that have others. @returns the number of these rows */
  readonly compute: (database: Database, transaction: Transaction) => Promise<number>;
}

/** Values of all rows of a table that no statement can make. */
export type Rewrite = Derivation | Computation;

/** Runs work on rows that must not change meanwhile. */
export type Transaction = <T>(database: Database, work: () => Promise<T>) => Promise<T>;

/** How tables are spread over the nodes of a cluster. */
export interface Cluster {
  /** The tables that are. Undefined if the database is not one of a cluster. */
  readonly readDistributed: (query: Database['query']) => Promise<ReadonlySet<string> | undefined>;
  /** The statements that spread a new table. */
  readonly distributeTable: MigrationDialect['distribute'];
  /** The steps that spread all tables which are not yet, once they exist. @throws CliError if the database is not one of a cluster */
  readonly planDistribution: (
    features: readonly Feature[],
    database: Database,
    tables: readonly Table[],
  ) => Promise<Step[]>;
}

/** A table of a cluster: all nodes have all rows of one without a key. */
export type DistributedTable = Pick<OwnTable, 'name' | 'key' | 'identity'>;

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
  /** A query for some ids of rows whose texts in these columns do not fit into an index together; absent if all texts do. */
  readonly findTooLong?: (table: string, columns: readonly string[]) => string;
  /** Statements that spread a new table over the nodes of a cluster, if the others are. */
  readonly distribute: (table: DistributedTable) => string[];
}

/** Reads rows. @returns sentences that say why they refuse the migration */
export type RowCheck = (database: Database) => Promise<readonly string[]>;

/** An addition does not affect servers of another version; an incompatible step (a rename, another parent) breaks them. */
export type Effect = 'addition' | 'incompatible' | 'destructive';

/**
 * A step is needed by each server; by lists, to be fast; or by starts, which look at rows once and note that they are as the spec
 * has them. A cleanup is left to `npm run migrate` where servers of another version may run.
 */
export type Need = 'server' | 'lists' | 'start' | 'cleanup';

/** A check wants a value of columns in each row, or no two rows with the same values. */
export interface Demand {
  readonly what: 'filled' | 'distinct';
  readonly table: string;
  readonly columns: readonly string[];
}

interface AnyStep {
  readonly effect: Effect;
  readonly need: Need;
  /** Executed all or none. */
  readonly statements: readonly string[];
  /** Done before the first step. */
  readonly check?: RowCheck;
}

/** Changes tables, columns or rows. */
export interface StatementStep extends AnyStep {
  readonly kind: 'statements';
  /** A sentence about a declaration without an effect, or one that changes values. */
  readonly note?: string | undefined;
}

/** Creates or drops an index concurrently, and so cannot be part of a transaction. */
export interface IndexStep extends AnyStep {
  readonly kind: 'index';
  /** The index that it drops because its creation has failed: not if others have finished it meanwhile. */
  readonly unfinished?: string;
  /** A check that needs the steps before it. */
  readonly lateCheck?: RowCheck;
  readonly demand?: Demand;
}

/** Changes values of all rows, before the statements. */
export interface RewriteStep extends AnyStep {
  readonly kind: 'rewrite';
  readonly rewrite: Rewrite;
  readonly report?: RowCheck;
}

/** Notes in `requiredColumns` that the rows are as the spec has them. */
export interface NoteStep extends AnyStep {
  readonly kind: 'note';
  readonly demand?: Demand;
  /** Finds rows that keep values which are not taken any more: they are told, and refuse nothing. */
  readonly report?: RowCheck;
}

/** Puts a column with the converted values, which the first statement adds, in the place of another one. */
export interface ConversionStep extends AnyStep {
  readonly kind: 'conversion';
  readonly rewrite: Derivation;
  /** It is lost if nothing has requested the step: `lead.fax`. */
  readonly column: string;
  /** Finds values that others have stored since the first check, and converted ones that are not unique. */
  readonly lateCheck: RowCheck;
}

/** Only looks at rows. */
export interface CheckStep extends AnyStep {
  readonly kind: 'check';
  readonly check: RowCheck;
  readonly demand?: Demand;
}

/** One change of the schema. */
export type Step = StatementStep | IndexStep | RewriteStep | NoteStep | ConversionStep | CheckStep;

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

/** The features and tables of a service, and the schema of its database. */
export interface SchemaComparison {
  readonly features: readonly Feature[];
  readonly tables: readonly Table[];
  readonly actual: ActualSchema;
  readonly dialect: MigrationDialect;
}

/** A table that is desired and exists, and what its comparison needs. */
export interface Comparison extends SchemaComparison {
  readonly table: Table;
  /** The table's name until the plan renames it. */
  readonly actualName: string;
  readonly columns: ActualColumns;
  /** The desired columns by their actual names. */
  readonly desired: ReadonlyMap<string, Column>;
  readonly convert: DestructiveChanges['convert'];
}

/** A result of a comparison; a string is a blocker. */
export type Finding = Step | Orphan | string;
