import type { Feature } from '../kernel/feature.ts';
import type { Value } from '../kernel/model/fields.ts';
import type { Column, ShownRecord, Table } from '../kernel/model/table.ts';
import type { ValueStorage } from '../kernel/sql/values.ts';
import type { Cluster, Comparison, Database, Finding, Rewrite, SchemaComparison, Step } from './types.ts';
import type { SchemaDialect } from './definitions.ts';

declare module '../kernel/feature.ts' {
  interface Feature {
    /** Loads its share in migrations. */
    readonly migration?: () => Promise<MigrationPart>;
  }
}

/** The share of a feature in migrations: its own part of a database that has rows. */
export interface MigrationPart {
  /** The names of what `requiredColumns` knows of the rows of a table. */
  readonly notes?: (table: Table, dialect: SchemaDialect) => readonly string[];
  /** The statements that a new table takes behind those of the kernel. */
  readonly create?: (table: Table, dialect: SchemaDialect) => readonly string[];
  /** The steps before those of tables. */
  readonly begin?: (schema: SchemaComparison) => Iterable<Step>;
  /** The steps for an index that the database has; undefined if it is none of the feature. */
  readonly keepIndex?: (schema: SchemaComparison) => (name: string, columns: readonly string[]) => Step[] | undefined;
  /** Compares a table that is there. Its columns are those of the spec by then. */
  readonly compare?: (comparison: Comparison) => Iterable<Finding>;
  /**
   * The step that gives a column another type, or a phrase that says how to request it; undefined if its values cannot be converted.
   *
   * @param name that of the column before the first step
   */
  readonly convert?: (comparison: Comparison, name: string, column: Column) => Step | string | undefined;
  /** A sentence about a column that is added. */
  readonly added?: (table: Table, column: Column) => string | undefined;
  /** A sentence that says how to keep the data of a column that the spec does not have. */
  readonly orphaned?: (table: Table, column: string, values: ValueStorage) => string | undefined;
  /** The steps between tables, which are all there by then. */
  readonly connect?: (schema: SchemaComparison) => Iterable<Step>;
  /** The last steps: they make values of other ones. */
  readonly derive?: (schema: SchemaComparison) => Iterable<Step>;
  /** The rewrites that a request repeats for rows which other programs have written. */
  readonly rewrites?: (tables: readonly Table[], features: readonly Feature[]) => readonly Rewrite[];
  /** Values of a record that a migration adds. */
  readonly complete?: (record: NewRecord) => Readonly<Record<string, Value>>;
  /** Adds rows that organizations lack. */
  readonly addRows?: (database: Database, tables: readonly Table[]) => Promise<void>;
  /** Replaces rows that they got from another version. */
  readonly replaceRows?: (database: Database, tables: readonly Table[]) => Promise<void>;
  /** Goes on behind events of an organization that are removed. @returns warnings */
  readonly skipRemoved?: (database: Database, organization: number, last: number) => Promise<readonly string[]>;
  /** How tables are spread over the nodes of a cluster. */
  readonly cluster?: Cluster;
}

/** A record that a migration adds. */
export interface NewRecord {
  readonly database: Database;
  readonly features: readonly Feature[];
  readonly tables: readonly Table[];
  readonly table: Table;
  readonly record: ShownRecord;
  readonly time: string;
}

/** The shares of features in migrations. */
export const partsOf = (features: readonly Feature[]): Promise<readonly MigrationPart[]> =>
  Promise.all(features.flatMap(({ migration }) => migration?.() ?? []));
