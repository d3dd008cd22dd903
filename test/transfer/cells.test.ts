import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Cell, type CellField, csvInput, csvOutput, readCell } from '../../runtime/data/transfer/cells.ts';
import { seed } from '../support/seed.ts';

const field = (type: CellField['type'], takesEmpty = type === 'string'): CellField => ({
  name: 'x',
  type,
  takesEmpty,
  takesNull: true,
  isReadOnly: false,
});

test.each<[CellField['type'], Cell, unknown]>([
  ['string', null, null],
  ['string', '', ''],
  ['string', ' 12 ', ' 12 '],
  ['number', null, null],
  ['number', '', null],
  ['number', '-0.5', -0.5],
  ['number', '1e+21', 1e21],
  ['number', '9007199254740992', 9007199254740992],
  ['number', '1234567890.12345', 1234567890.12345],
  ['integer', '9007199254740991', 9_007_199_254_740_991],
  ['boolean', '', null],
  ['boolean', 'TRUE', true],
  ['boolean', 'false', false],
  ['array', '', null],
  ['array', '["a", "b,\\n"]', ['a', 'b,\n']],
])('a cell of a %s with %j is %j', (type, cell, value) => {
  expect(readCell(field(type), cell)).toEqual({ value });
});

test('a quoted empty cell of a field that takes no empty string is null', () => {
  expect(readCell(field('string', false), '')).toEqual({ value: null });
});

test.each<[CellField['type'], string, string]>([
  ['number', '1,234.5', 'a number, like 1234.5, not "1,234.5"'],
  ['integer', '9007199254740993', 'a number with fewer digits, not "9007199254740993"'],
  ['number', '-9007199254740993', 'a number with fewer digits, not "-9007199254740993"'],
  ['number', ' 1', 'a number, like 1234.5, not " 1"'],
  ['number', '0x10', 'a number, like 1234.5, not "0x10"'],
  ['number', 'NaN', 'a number, like 1234.5, not "NaN"'],
  ['integer', 'one', 'an integer, like 1234, not "one"'],
  ['boolean', 'yes', 'true or false, not "yes"'],
  ['boolean', '1', 'true or false, not "1"'],
  ['array', 'a', 'an array of JSON, like ["a","b"], not "a"'],
  ['array', '{}', 'an array of JSON, like ["a","b"], not "{}"'],
])('a cell of a %s with %j is refused', (type, cell, rule) => {
  expect(readCell(field(type), cell)).toEqual({ rule });
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
  fc
    .array(fc.constantFrom('"', ',', ';', '\n', '\r\n', '\r', '\t', ' ', "'", '\uFEFF', '=1', 'a'), { maxLength: 6 })
    .map((all) => all.join('')),
);
const value = fc.oneof(hostile, fc.constant(null), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true }));

test.each([',', ';', '\t'])('records come back from CSV exactly, with %j between the cells', (delimiter) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constant('id'), value, value), { minLength: 1, maxLength: 5 }), (rows) => {
      const records = rows.map(([id, one, other]) => ({ id, one, other }));
      const text = stringify(records, { ...csvOutput(['id', 'one', 'other'], delimiter, false), header: true });
      const read = parse(
        `\uFEFF${text.replaceAll(/(?<!["\r\n])\n(?=id\b)/g, '\r\n')}`,
        csvInput(delimiter),
      ) as Cell[][];
      expect(read[0]).toEqual(['id', 'one', 'other']);
      const typeOf = (given: unknown): CellField['type'] =>
        typeof given === 'number' ? 'number' : typeof given === 'boolean' ? 'boolean' : 'string';
      for (const [at, row] of rows.entries()) {
        const cells = read[at + 1]?.map((cell, column) => readCell(field(typeOf(row[column])), cell));
        // -0 is written as 0.
        expect(cells).toEqual(row.map((given) => ({ value: Object.is(given, -0) ? 0 : given })));
      }
    }),
    { seed, numRuns: 200 },
  );
});

test('for a spreadsheet, a cell that it would take for a formula begins with an apostrophe', () => {
  const options = csvOutput(['a', 'b'], ',', true);
  expect(
    stringify(
      [
        ['=1+1', -1],
        ['@x', 'x=1'],
        ['-1', ''],
      ],
      options,
    ),
  ).toBe("'=1+1,-1\n'@x,x=1\n'-1,\"\"\n");
});
