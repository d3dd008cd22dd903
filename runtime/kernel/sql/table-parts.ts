import type { Value } from '../model/fields.ts';
import type { Column, Table } from '../model/table.ts';
import type { Engine } from './values.ts';

/** A search: the condition on the records of a list for which `Page.search` has the words, and whose index finds them. */
export interface ListSearch {
  /** The value of a parameter, from the words. */
  readonly queryOf: (words: readonly string[], organization: number) => string;
  /** A condition: the row is found by the parameter. */
  readonly matches: (parameter: string, mayUseIndex: boolean) => string;
  /** The rows of the index that are found, as they follow `from`; absent if it has no rows of its own. */
  readonly found?: (parameter: string) => string;
}

/** A column that no record shows. */
export interface HiddenColumn {
  readonly name: string;
  readonly type: string;
  /** The fields that its value is made of. */
  readonly fields: readonly string[];
  /** Its value, from those of its fields that are among the values. */
  readonly valueOf: (values: Readonly<Record<string, Value>>, organization: number) => Value;
  /** An expression: its value when some of its fields change, from a parameter that is the value by `valueOf`. */
  readonly changed?: (fields: readonly string[], parameter: string) => string;
  /** Whether a column that reads so has a value, if the two may be spelled otherwise. */
  readonly holds?: (column: string, value: string) => boolean;
  /** The column as conditions of lists compare it, which need an index over it. */
  readonly column?: Column;
  /** The field that lists are sorted by in its place; `column` says how. */
  readonly orders?: string;
  /** How lists are searched by it. */
  readonly search?: ListSearch;
}

/** The parts that a feature adds to a table. */
export interface TableParts {
  readonly columns?: (table: Table, engine: Engine) => readonly HiddenColumn[];
  /** Whether a new record may have values that only one may have. */
  readonly mayClash?: (table: Table) => boolean;
}

/** The parts of all features. */
export type Parts = readonly TableParts[];

export const hiddenColumns = (table: Table, engine: Engine, features: Parts): HiddenColumn[] =>
  features.flatMap(({ columns }) => columns?.(table, engine) ?? []);
