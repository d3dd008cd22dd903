import { expect, test } from 'vitest';

import { type Cell, type CellField, readCell } from '../../runtime/data/transfer/cells.ts';

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
