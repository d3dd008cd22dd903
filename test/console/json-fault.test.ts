import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { jsonFault } from '../../runtime/apps/console/browser/record/json-fault.ts';
import { read } from '../../runtime/apps/console/browser/record/values.ts';
import type { Field } from '../../runtime/apps/console/browser/model.ts';
import { seed } from '../support/seed.ts';

const at = (line: number, column: number, expected: string): string =>
  `is no JSON at line ${line}, column ${column}: there must be ${expected}`;

test.each([
  ['', at(1, 1, '{ or [')],
  ['1', at(1, 1, '{ or [')],
  ['{}x', at(1, 3, 'the end')],
  ['{"a" 1}', at(1, 6, 'a colon')],
  ['{\n  "a": 1\n  "b": 2\n}', at(3, 3, 'a comma, or }')],
  ['{\n  a: 1\n}', at(2, 3, 'a key in quotes, or }')],
  ['{"a":1,}', at(1, 8, 'a key in quotes')],
  ['[1, 2,]', at(1, 7, 'a value')],
  ['[1, 02]', at(1, 6, 'a comma, or ]')],
  ["['a']", at(1, 2, 'a value, or ]')],
  ['{"a":[{"b":tru}]}', at(1, 12, 'a value')],
  ['[', at(1, 2, 'a value, or ]')],
  ['{"a":{},\n "a":1}', 'has the key "a" twice: at line 2, column 2'],
])('%j %s', (text, fault) => {
  expect(jsonFault(text)).toBe(fault);
});

test('what JSON.parse takes as an object or array has no fault, and what it refuses has one', () => {
  const pieces = fc.constantFrom(...'{}[],: \n1\\"'.split(''), '"a"', '"b"', '-0.5e3', 'null', 'tru', '01');
  const broken = fc.array(pieces, { maxLength: 8 }).map((all) => all.join(''));
  const whole = fc.jsonValue().map((value) => JSON.stringify([value], null, 1));
  fc.assert(
    fc.property(fc.oneof(broken, whole), (text) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        value = undefined;
      }
      const fault = jsonFault(text);
      const isTwice = fault?.startsWith('has the key') === true;
      expect(fault === undefined || isTwice).toBe(typeof value === 'object' && value !== null);
    }),
    { seed, numRuns: 5_000 },
  );
});

test('a text that was typed is sent as it is', () => {
  const field = { name: 'settings', type: 'object' } as Field;
  expect(read(field, '{ "2": 1.0, "1": 12345678901234567890 }')).toMatchObject({
    value: { text: '{"2":1.0,"1":12345678901234567890}' },
  });
  expect(read(field, '{')).toEqual({ problem: at(1, 2, 'a key in quotes, or }') });
});
