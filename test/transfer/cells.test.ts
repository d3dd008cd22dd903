import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Cell, type CellField, readCell } from '../../runtime/data/transfer/cells.ts';
import { describeFault } from '../../runtime/data/transfer/faults.ts';
import {
  type DecimalSign,
  type Language,
  languageOf,
  readNumber,
  SignEvidence,
} from '../../runtime/data/transfer/notation.ts';
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
  expect(readCell(field(type), cell, 'api')).toEqual({ value });
});

test('a quoted empty cell of a field that takes no empty string is null', () => {
  expect(readCell(field('string', false), '', 'api')).toEqual({ value: null });
});

test.each<[CellField['type'], string, string]>([
  ['number', '1,234.5', 'must be a number, like 1234.5, not "1,234.5"'],
  ['integer', '9007199254740993', 'must be a number with fewer digits, not "9007199254740993"'],
  ['number', '-9007199254740993', 'must be a number with fewer digits, not "-9007199254740993"'],
  ['number', ' 1', 'must be a number, like 1234.5, not " 1"'],
  ['number', '0x10', 'must be a number, like 1234.5, not "0x10"'],
  ['number', 'NaN', 'must be a number, like 1234.5, not "NaN"'],
  ['integer', 'one', 'must be an integer, like 1234, not "one"'],
  ['boolean', 'yes', 'must be true or false, not "yes"'],
  ['boolean', '1', 'must be true or false, not "1"'],
  ['array', 'a', 'must be an array of JSON, like ["a","b"], not "a"'],
  ['array', '{}', 'must be an array of JSON, like ["a","b"], not "{}"'],
])('a cell of a %s with %j is refused', (type, cell, message) => {
  const reading = readCell(field(type), cell, 'api');
  expect('fault' in reading && describeFault(reading.fault)).toBe(message);
});

const decimal = { ...field('string', false), format: 'decimal' };
const colour = { ...field('string', false), values: ['red', 'Green'] };

test.each<[CellField, Cell, unknown]>([
  [field('number'), '1,234.5', 1234.5],
  [field('number'), ' 1 234.5 ', 1234.5],
  [field('number'), '\u22127', -7],
  [field('integer'), '1,234', 1234],
  [decimal, '1,234.50', '1234.50'],
  [decimal, "'-12.50", '-12.50'],
  [field('boolean'), ' Ja', true],
  [field('boolean'), 'no', false],
  [{ ...field('string'), format: 'date' }, '12/31/2026', '2026-12-31'],
  [{ ...field('string'), format: 'date' }, '05.06.2026', '2026-06-05'],
  [{ ...field('string'), format: 'date' }, '2026-12-31', '2026-12-31'],
  [{ ...field('string'), format: 'date-time' }, '2026-12-31T08:00:00.000Z', '2026-12-31T08:00:00.000Z'],
  [{ ...field('string'), format: 'date-time' }, '12/31/2026, 2:30 PM', new Date(2026, 11, 31, 14, 30).toISOString()],
  [colour, 'green ', 'Green'],
  [colour, 'blue', 'blue'],
  [field('string'), ' as it is ', ' as it is '],
  [{ ...field('array'), of: field('string') }, 'a; b, c', ['a', 'b, c']],
  [{ ...field('array'), of: field('string') }, '["a","b"]', ['a', 'b']],
  [{ ...field('array'), of: field('integer') }, '1;2', [1, 2]],
])('people write a cell of %j as %j', ({ ...given }, cell, value) => {
  expect(readCell(given, cell, { sign: 'own' })).toEqual({ value });
});

test.each([
  ['date', '31/12/2026'],
  ['date', '31-12-2026'],
  ['date', '12/31/26'],
  ['date', '31.02.2026'],
  ['date-time', '12/31/2026 25:00'],
])('a %s that can be another day, or is none, is refused: %s', (format, text) => {
  const reading = readCell({ ...field('string', false), format }, text, { sign: 'own' });
  expect(reading).toEqual({ fault: { code: 'date', text } });
});

const german = languageOf('de-DE');
const english = languageOf('en-US');

const signOf = (language: Language, ...numbers: readonly string[]): DecimalSign | undefined => {
  const evidence = new SignEvidence(language);
  for (const text of numbers) evidence.add(text, false);
  return evidence.sign;
};

test('the numbers of a table that can be read in one way decide how the others are', () => {
  // Nothing decides.
  expect(signOf(german, '1.234', '5')).toBeUndefined();
  expect(signOf(english, '1,234')).toBeUndefined();
  // A number with decimals of one kind beside thousands of the other decides both.
  expect(signOf(german, '1.234', '12,5')).toBe('own');
  expect(signOf(german, '1.234', '12.5')).toBe('other');
  expect(signOf(german, '1.234', '1.234.567')).toBe('own');
  expect(signOf(german, '1.234', '0.125')).toBe('other');
  expect(signOf(english, '1,234', '1.234,50')).toBe('other');
  expect(signOf(english, '1.234', '1e21')).toBe('own');
  // Both kinds.
  expect(signOf(german, '1.234', '12,5', '12.5')).toBeUndefined();
  expect(signOf(german, '5', 'x')).toBe('own');
});

test('a number that can be read in two ways is not guessed', () => {
  expect(readNumber('1.234', false, undefined, german)).toEqual({
    fault: { code: 'ambiguous', text: '1.234', readings: { own: '1234', other: '1.234' } },
  });
  expect(readNumber('1.234', false, 'own', german)).toEqual({ plain: '1234' });
  expect(readNumber('1.234', false, 'other', german)).toEqual({ plain: '1.234' });
  expect(readNumber('1.234', true, undefined, german)).toEqual({ plain: '1234' });
  expect(readNumber('12.5', false, undefined, german)).toEqual({ plain: '12.5' });
  expect(readNumber('12.5', false, 'own', german)).toEqual({ fault: { code: 'number', text: '12.5' } });
  expect(readNumber('12.50.3', false, undefined, german)).toEqual({ fault: { code: 'number', text: '12.50.3' } });
});

test('what the API writes is read in every language as the API means it, or asked for', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom('de-DE', 'en-US', 'de-CH', 'fr-FR', 'sv-SE', 'ar-EG', 'hi-IN'),
      (value, locale) => {
        const plain = String(value);
        const reading = readNumber(plain, false, undefined, languageOf(locale));
        if ('fault' in reading)
          expect('readings' in reading.fault && Object.values(reading.fault.readings)).toContain(plain);
        else expect(reading).toEqual({ plain });
      },
    ),
    { seed, numRuns: 2_000 },
  );
});
