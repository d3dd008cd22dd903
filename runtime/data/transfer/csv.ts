/** Reads and writes CSV (RFC 4180). Nothing in here needs Node: the console does the same in a browser. */
import { JsonText } from '../../kernel/values/json-text.ts';
import { maxRowBytes } from '../limits.ts';
import { type Cell, protectedText } from './cells.ts';

export interface CsvRow {
  /** The line that it begins in, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** Why a file is not CSV: a row is too long, a quote is not closed, text follows one that closes a cell, or a cell without quotes has a CR or a quote. */
export type CsvFault = 'longRow' | 'openQuote' | 'textAfterQuote' | 'carriageReturn' | 'loneQuote';

/** A file is not CSV. */
export class CsvRefusal extends Error {
  override readonly name = 'CsvRefusal';
  readonly fault: CsvFault;
  /** The one in which the row begins. */
  readonly line: number;
  /** The character behind a quote that closes a cell, where no text may follow: another delimiter, perhaps. */
  readonly next: string | undefined;

  constructor(fault: CsvFault, line: number, next?: string) {
    super(`${fault} in line ${line}`);
    this.fault = fault;
    this.line = line;
    this.next = next;
  }
}

export const lineBreaks = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
};

interface ReadRow {
  readonly cells: readonly Cell[];
  /** The place behind its line break. */
  readonly end: number;
}

/**
 * Reads the rows of one text that comes in chunks, the header as the first one. Lines end with LF or CRLF; empty lines are left
 * out. A cell is null if it is empty and has no quotes.
 */
export class CsvReader {
  readonly #delimiter: string;
  /** The end of a cell without quotes, or a quote in it. */
  readonly #plain: RegExp;
  #text = '';
  #line = 1;
  /** The text is read on once it is as long: otherwise a long row would be read again with every chunk. */
  #wanted = 0;

  /** @param delimiter a character */
  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#plain = new RegExp(`["\n${RegExp.escape(delimiter)}]`, 'g');
  }

  /** The rows that are complete with a chunk. @throws CsvRefusal behind the rows before the one that is refused */
  *read(chunk: string): Generator<CsvRow, void> {
    this.#text += chunk;
    if (this.#text.length >= this.#wanted) yield* this.#rows(false);
  }

  /** The rows that are left when the text has ended. @throws CsvRefusal as `read` does */
  *end(): Generator<CsvRow, void> {
    yield* this.#rows(true);
  }

  *#rows(isEnd: boolean): Generator<CsvRow, void> {
    const text = this.#text;
    let start = 0;
    while (start < text.length) {
      const row = this.#row(start, isEnd);
      if ((row?.end ?? text.length) - start > maxRowBytes) this.#refuse('longRow');
      if (!row) break;
      const { cells, end } = row;
      if (cells.length > 0) yield { line: this.#line, cells };
      this.#line += lineBreaks(text.slice(start, end));
      start = end;
    }
    this.#text = text.slice(start);
    this.#wanted = Math.min(2 * this.#text.length, maxRowBytes + 1);
  }

  /** Reads the row that begins at a place: without cells, if its line is empty. @returns undefined if more text may belong to it */
  #row(start: number, isEnd: boolean): ReadRow | undefined {
    const text = this.#text;
    const cells: Cell[] = [];
    for (let at = start; ;) {
      const isQuoted = text[at] === '"';
      const end = isQuoted ? this.#endOfQuoted(at, isEnd) : this.#endOfPlain(at);
      if (end === -1 && isQuoted && isEnd) this.#refuse('openQuote');
      if (end === -1 || (end >= text.length - 1 && text[end] !== '\n' && !isEnd)) return undefined;
      if (isQuoted) {
        cells.push(text.slice(at + 1, end - 1).replaceAll('""', '"'));
      } else {
        const cell = text.slice(at, end);
        if (cell.includes('\r')) this.#refuse('carriageReturn');
        cells.push(cell === '' ? null : cell);
      }
      if (text[end] === this.#delimiter) {
        at = end + 1;
        continue;
      }
      const isEmpty = cells.length === 1 && cells[0] === null;
      const endOfLine = end + (text[end] === '\r' ? 2 : 1);
      return { cells: isEmpty ? [] : cells, end: Math.min(endOfLine, text.length) };
    }
  }

  /** The end of a cell with quotes, behind the second one; -1 if there is none yet. */
  #endOfQuoted(start: number, isTextEnd: boolean): number {
    const text = this.#text;
    let quote = text.indexOf('"', start + 1);
    while (quote !== -1 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2);
    if (quote === -1) return -1;
    const end = quote + 1;
    const next = text[end];
    const isLineEnd = next === '\r' && (text[end + 1] === '\n' || (end + 1 === text.length && !isTextEnd));
    if (next === undefined || next === this.#delimiter || next === '\n' || isLineEnd) return end;
    return this.#refuse('textAfterQuote', next);
  }

  /** The end of a cell without quotes: at a delimiter, at a line break, or at the end of the text. */
  #endOfPlain(start: number): number {
    const text = this.#text;
    this.#plain.lastIndex = start;
    const end = this.#plain.exec(text)?.index ?? text.length;
    if (text[end] === '"') this.#refuse('loneQuote');
    return text[end] === '\n' && end > start && text[end - 1] === '\r' ? end - 1 : end;
  }

  #refuse(fault: CsvFault, next?: string): never {
    throw new CsvRefusal(fault, this.#line, next);
  }
}

/** How CSV is written. */
export interface CsvForm {
  readonly delimiter: string;
  /**
   * Texts that a spreadsheet would take for formulas begin with an apostrophe, which an import takes off, and the file is to
   * begin with a byte order mark.
   */
  readonly isForSpreadsheet: boolean;
}

function textOf(value: unknown, isForSpreadsheet: boolean): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return protectedText(value, isForSpreadsheet);
  return value instanceof JsonText ? value.text : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A line of a CSV file with the cells that another file has: `CsvReader` reads the same. */
export const printCells = (cells: readonly Cell[], delimiter: string): string => {
  const quoted = (cell: string): string =>
    cell === '' || /["\r\n]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return `${cells.map((cell) => (cell === null ? '' : quoted(cell))).join(delimiter)}\n`;
};

/** A line of a CSV file, from which `CsvReader` and `readCell` read the same values. */
export const printRow = (values: readonly unknown[], { delimiter, isForSpreadsheet }: CsvForm): string =>
  printCells(
    values.map((value) => textOf(value, isForSpreadsheet)),
    delimiter,
  );
