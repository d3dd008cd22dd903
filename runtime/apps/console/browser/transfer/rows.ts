import type { Cell, CellField } from '../../../../data/transfer/cells.ts';
import type { CsvRow } from '../../../../data/transfer/csv.ts';
import { readRow } from '../../../../data/transfer/csv-row.ts';
import type { SourceRow } from '../../../../data/transfer/source-row.ts';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { rowChecker, rulesBrokenBy } from './check.ts';
import { cellField, type Matching } from './matching.ts';
import { pauses } from './pauses.ts';

/** An error of a row: at the column with an index, or about the whole row. */
export interface Fault {
  readonly column?: number;
  readonly message: string;
}

/** A row of a file that is not stored yet, as it is mended. */
export interface Entry {
  readonly row: SourceRow;
  readonly cells: readonly Cell[];
  /** Why it cannot be sent. */
  readonly errors: readonly Fault[];
  /** Rules that it seems to break: the server decides. */
  readonly doubts: readonly Fault[];
  readonly isEdited: boolean;
}

/** Reads and checks the rows of a file whose columns have fields. */
export class RowReader {
  readonly #columns: readonly string[];
  readonly #fields: readonly (CellField | undefined)[];
  readonly resource: Resource;
  readonly #check: ReturnType<typeof rowChecker>;

  constructor(resource: Resource, columns: readonly string[], matching: Matching) {
    const fields = new Map(resource.fields.map((field) => [field.name, cellField(field)]));
    this.resource = resource;
    this.#columns = columns;
    this.#fields = matching.map((name) => fields.get(name));
    this.#check = rowChecker(resource);
  }

  /** The number of fields that rows have. */
  get width(): number {
    return this.#fields.filter(Boolean).length;
  }

  read(csvRow: CsvRow, isEdited = false): Entry {
    const { cells } = csvRow;
    const row = readRow(csvRow, this.#columns, this.#fields);
    const hasAllCells = cells.length === this.#columns.length;
    const errors = hasAllCells
      ? this.#check(row).map(({ column, message }) => this.fault(column, message))
      : [{ message: texts.transfer.cellCount(cells.length, this.#columns.length) }];
    const doubts = rulesBrokenBy(this.resource, row).map(({ column, message }) => this.fault(column, message));
    return { row, cells, errors, doubts, isEdited };
  }

  /** A function that tells the values of unique fields that are those of an earlier row, when the rows come in the order of the file. */
  repeats(): (row: SourceRow) => readonly Fault[] {
    const unique = this.resource.fields.filter(
      ({ name, isUnique }) => isUnique && this.#fields.some((field) => field?.name === name),
    );
    const lines = unique.map(({ name }) => ({ name, byValue: new Map<unknown, number>() }));
    return (row) =>
      lines.flatMap(({ name, byValue }) => {
        const value = row.body[name] ?? null;
        const line = value === null ? undefined : byValue.get(value);
        if (line === undefined) byValue.set(value, row.line);
        return line === undefined
          ? []
          : [this.fault(row.locate(name).column, texts.wrong.sameAs([], texts.transfer.line(line)))];
      });
  }

  /** An error at a column of the file, or else about the row. @param message completes the name of the column, or is a sentence */
  fault(column: string, message: string): Fault {
    const index = this.#columns.findIndex((name, at) => name === column && this.#fields[at]);
    const said = texts.wrong.said(message);
    if (index !== -1) return { column: index, message: said };
    return { message: texts.wrong.at(column === '' ? texts.transfer.theRow : column, said) };
  }

  /** A row with another text in a cell, or with as many cells as there are columns. */
  edit({ row, cells }: Entry, column?: number, text = ''): Entry {
    const all = this.#columns.map((_, index) => (index === column ? text || null : (cells[index] ?? null)));
    // The cells that are too many stay until they are taken away.
    const rest = column === undefined ? [] : cells.slice(all.length);
    return this.read({ line: row.line, cells: [...all, ...rest] }, true);
  }
}

/** Reads all rows of a file. The page stays responsive meanwhile. @throws the reason of the signal */
export async function readRows(
  reader: RowReader,
  rows: readonly CsvRow[],
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly Entry[]> {
  const pause = pauses(signal);
  const repeats = reader.repeats();
  const entries: Entry[] = [];
  for (const csvRow of rows) {
    const entry = reader.read(csvRow);
    entries.push({ ...entry, doubts: [...entry.doubts, ...repeats(entry.row)] });
    const waiting = pause();
    if (!waiting) continue;
    onProgress(entries.length);
    await waiting;
  }
  return entries;
}
