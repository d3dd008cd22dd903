import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Cell, type CellField, type Notation, readCell } from '../../runtime/data/transfer/cells.ts';
import { CsvReader, CsvRefusal, type CsvRow, printRow } from '../../runtime/data/transfer/csv.ts';
import { seed } from '../support/seed.ts';

function read(chunks: readonly string[], delimiter: string): CsvRow[] {
  const reader = new CsvReader(delimiter);
  return [...chunks.flatMap((chunk) => [...reader.read(chunk)]), ...reader.end()];
}

const piece = fc.constantFrom(
  '"',
  '""',
  ',',
  ';',
  '\n',
  '\r\n',
  '\r',
  '\t',
  ' ',
  "'",
  '=1',
  'a',
  '\n\n',
  ',"',
  '",',
  '"\n',
);
const csv = fc.array(piece, { maxLength: 12 }).map((all) => all.join(''));
const delimiters = fc.constantFrom(',', ';', '\t', '|', '^', 'd');

test('text is divided into cells as csv-parse divides it, wherever its chunks end', () => {
  const reference = (text: string, delimiter: string): (Cell[] | undefined)[] | undefined => {
    try {
      return parse(text, {
        delimiter,
        record_delimiter: ['\r\n', '\n'],
        skip_empty_lines: true,
        relax_column_count: true,
        cast(cell, { quoting }) {
          if (!quoting && cell.includes('\r')) throw new Error('a carriage return');
          return cell === '' && !quoting ? null : cell;
        },
      }) as unknown as Cell[][];
    } catch {
      return undefined;
    }
  };
  const own = (chunks: readonly string[], delimiter: string): (readonly Cell[])[] | undefined => {
    try {
      return read(chunks, delimiter).map(({ cells }) => cells);
    } catch (error) {
      if (!(error instanceof CsvRefusal)) throw error;
      return undefined;
    }
  };
  fc.assert(
    fc.property(csv, delimiters, fc.nat({ max: 12 }), (text, delimiter, cut) => {
      const expected = reference(text, delimiter);
      expect(own([text], delimiter)).toEqual(expected);
      expect(own([...text], delimiter)).toEqual(expected);
      expect(own([text.slice(0, cut), text.slice(cut)], delimiter)).toEqual(expected);
    }),
    { seed, numRuns: 2_000 },
  );
});

test('each row has the line that it begins in', () => {
  const rows = read(['a\n\n"b\n', '\nb",c\r\n\r', '\nd'], ',');
  expect(rows).toEqual([
    { line: 1, cells: ['a'] },
    { line: 3, cells: ['b\n\nb', 'c'] },
    { line: 7, cells: ['d'] },
  ]);
  expect(() => read(['a\n\n"b\n', '"c'], ',')).toThrow(expect.objectContaining({ line: 3, next: 'c' }));
});

test('a cell of many chunks is read once, and a row of over 64 MiB is refused', () => {
  const chunk = 'x'.repeat(256 * 1024);
  const started = performance.now();
  expect(read(['"', ...Array.from({ length: 200 }, () => chunk), '"\n'], ',')[0]?.cells[0]).toHaveLength(
    200 * chunk.length,
  );
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(() => read(['"', ...Array.from({ length: 257 }, () => chunk)], ',')).toThrow(
    expect.objectContaining({ fault: 'longRow' }),
  );
});

const field = (type: CellField['type']): CellField => ({
  name: 'x',
  type,
  takesEmpty: type === 'string',
  takesNull: true,
  isReadOnly: false,
});

const hostile = fc.oneof(
  fc.stringMatching(/^'{0,3}[=+@-]?[a1]?$/),
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  csv,
);
const value = fc.oneof(hostile, fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }));

test.each([',', ';', '\t'])(
  'values come back from CSV exactly, with %j between the cells, also from a file for spreadsheets',
  (delimiter) => {
    const typeOf = (given: unknown): CellField['type'] =>
      typeof given === 'number' ? 'number' : typeof given === 'boolean' ? 'boolean' : 'string';
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constant('id'), value, value), { maxLength: 5 }),
        fc.boolean(),
        fc.boolean(),
        fc.constantFrom<Notation>('api', { sign: 'own' }),
        (rows, isWindows, isForSpreadsheet, notation) => {
          const lines = rows.map((row) => printRow(row, { delimiter, isForSpreadsheet }));
          const text = lines.map((line) => (isWindows ? `${line.slice(0, -1)}\r\n` : line)).join('');
          const cells = read([text], delimiter).map((row, at) =>
            row.cells.map((cell, column) => readCell(field(typeOf(rows[at]?.[column])), cell, notation)),
          );
          // -0 is written as 0.
          expect(cells).toEqual(rows.map((row) => row.map((given) => ({ value: Object.is(given, -0) ? 0 : given }))));
        },
      ),
      { seed, numRuns: 200 },
    );
  },
);

test('for a spreadsheet, a text that it would take for a formula begins with an apostrophe', () => {
  const print = (...values: readonly unknown[]): string => printRow(values, { delimiter: ',', isForSpreadsheet: true });
  expect(print('=1+1', -1)).toBe("'=1+1,-1\n");
  expect(print('@x', 'x=1')).toBe("'@x,x=1\n");
  expect(print('-1', '')).toBe('\'-1,""\n');
  expect(print(['=1'], null)).toBe('"[""=1""]",\n');
  expect(print("'=1", "'1", "'+49")).toBe("''=1,'1,''+49\n");
  // So that a reader takes off none of its own.
  expect(printRow(['=1', "'=1"], { delimiter: ',', isForSpreadsheet: false })).toBe("=1,''=1\n");
});
