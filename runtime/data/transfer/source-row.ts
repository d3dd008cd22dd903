import type { JsonText } from '../../kernel/values/json-text.ts';
import type { CellValue } from './cells.ts';

/** A record as a response shows it: its fields in their order. */
export type ReadRecord = Readonly<Record<string, string | number | boolean | null | JsonText>> & {
  readonly id: string;
};

/** A fault of a row. */
export interface RowError {
  readonly line: number;
  /** The name of its column or its member; empty if it is about the whole row. */
  readonly column: string;
  /** Completes the name of the column, or "The row". */
  readonly message: string;
}

/** A row of a file, as the body of a request. */
export interface SourceRow {
  /** The line that it begins in, from 1. */
  readonly line: number;
  readonly body: Readonly<Record<string, CellValue>>;
  /** Why some of it cannot be read. */
  readonly errors: readonly RowError[];
  /** The record that it updates, as it was found; without it, it becomes a new one. */
  readonly updates?: ReadRecord;
  /** The lines of earlier rows whose records some of its fields name, by the field. */
  readonly earlier?: Readonly<Record<string, number>>;
  /** Its cells as JSON, or its line: other rows have another text. */
  readonly text: string;
  /** The place of the value of a field. */
  locate(field: string): Pick<RowError, 'line' | 'column'>;
}
