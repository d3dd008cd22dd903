import { type Cell, type CellField, weigh } from '../../../../data/transfer/cells.ts';
import type { CsvRow } from '../../../../data/transfer/csv.ts';
import { readRow, type RowForm } from '../../../../data/transfer/csv-row.ts';
import { type DecimalSign, SignEvidence } from '../../../../data/transfer/notation.ts';
import type { SourceRow } from '../../../../data/transfer/source-row.ts';
import type { Resource } from '../model.ts';
import { texts } from '../texts.ts';
import { rowChecker, rulesBrokenBy } from './check.ts';
import { cellFaultText } from './faults.ts';
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

/** Reads and checks the rows of a table whose columns have fields. */
export class RowReader {
  readonly #form: RowForm;
  readonly resource: Resource;
  readonly #check: ReturnType<typeof rowChecker>;

  /** @param sign see `Notation` */
  constructor(
    resource: Resource,
    columns: readonly string[],
    fields: readonly (CellField | undefined)[],
    sign: DecimalSign | undefined,
  ) {
    this.resource = resource;
    this.#form = { columns, fields, notation: { sign }, describe: cellFaultText };
    this.#check = rowChecker(resource);
  }

  /** The number of fields that rows have. */
  get width(): number {
    return this.#form.fields.filter(Boolean).length;
  }

  read(csvRow: CsvRow, isEdited = false): Entry {
    const row = readRow(csvRow, this.#form);
    const errors = this.#check(row).map(({ column, message }) => this.fault(column, message));
    const doubts = rulesBrokenBy(this.resource, row).map(({ column, message }) => this.fault(column, message));
    return { row, cells: csvRow.cells, errors, doubts, isEdited };
  }

  /** A function that tells the values of unique fields that are those of an earlier row, when the rows come in the order of the file. */
  repeats(): (row: SourceRow) => readonly Fault[] {
    const unique = this.resource.fields.filter(
      ({ name, isUnique }) => isUnique && this.#form.fields.some((field) => field?.name === name),
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
    const { columns, fields } = this.#form;
    const index = columns.findIndex((name, at) => name === column && fields[at]);
    if (index !== -1) return { column: index, message };
    return { message: texts.wrong.at(column === '' ? texts.transfer.theRow : column, message) };
  }

  /** A row with another text in a cell, or with as many cells as there are columns. */
  edit({ row, cells }: Entry, column?: number, text = ''): Entry {
    const all = this.#form.columns.map((_, index) => (index === column ? text || null : (cells[index] ?? null)));
    // The cells that are too many stay until they are taken away.
    const rest = column === undefined ? [] : cells.slice(all.length);
    return this.read({ line: row.line, cells: [...all, ...rest] }, true);
  }
}

/** Looks at the numbers of a file. The page stays responsive meanwhile. @throws the reason of the signal */
export async function weighRows(
  rows: readonly CsvRow[],
  fields: readonly (CellField | undefined)[],
  signal: AbortSignal,
): Promise<SignEvidence> {
  const pause = pauses(signal);
  const evidence = new SignEvidence();
  for (const { cells } of rows) {
    weigh(evidence, fields, cells);
    const waiting = pause();
    if (waiting) await waiting;
  }
  return evidence;
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
