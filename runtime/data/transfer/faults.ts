import { quoted } from '../../kernel/model/text.ts';
import { maxRowBytes } from '../limits.ts';
import type { CellFault } from './cells.ts';
import type { CsvFault } from './csv.ts';

/** The faults of a row of a file that is not CSV, for the command line. */
export const csvFaults: Readonly<Record<CsvFault, string>> = {
  longRow: `a row is longer than ${maxRowBytes / 1024 / 1024} MiB; is a quote not closed?`,
  openQuote: 'a quote is not closed before the file ends',
  textAfterQuote: 'text follows the quote that closes a cell; write a quote in a cell twice',
  carriageReturn:
    'a cell without quotes has a carriage return (CR) in it; end lines with LF or CRLF, and write a cell that has one in quotes',
  loneQuote:
    'a cell without quotes around it has a quote in it; write the whole cell in quotes, and each quote in it twice',
};

const kinds = {
  integer: 'an integer, like 1234',
  number: 'a number, like 1234.5',
  ambiguous: 'a number, like 1234.5',
  digits: 'a number with fewer digits',
  boolean: 'true or false',
  date: 'a date, like 2026-01-31',
  array: 'an array of JSON, like ["a","b"]',
  object: 'an object or an array of JSON, like {"a":1}',
} as const;

/** Completes the name of a column, or "The row", for the command line. */
export const describeFault = (fault: CellFault): string =>
  fault.code === 'cellCount'
    ? `has ${fault.cells} ${fault.cells === 1 ? 'cell' : 'cells'}, but the header has ${fault.columns}`
    : `must be ${kinds[fault.code]}, not ${quoted(fault.text)}`;
