import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { chooseCoding } from '../../runtime/api/codings.ts';
import { seed } from '../support/seed.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br ; q=0.5 , gzip;Q=0.501', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['identity', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0', undefined],
  ['identity;q=0, deflate', undefined],
  ['deflate, zstd', undefined],
  // An invalid weight is ignored, not guessed.
  ['gzip;q=2', undefined],
  ['gzip;q=-1', undefined],
  ['gzip;q=', undefined],
  ['gzip;q=0.1234', undefined],
  ['gzip;level=9', undefined],
  ['gzip;q=1;q=0', undefined],
  [',,gzip,,', 'gzip'],
  ['gzipped, brotli', undefined],
])('Accept-Encoding: %s is answered with %s', (header, coding) => {
  expect(chooseCoding(header, ['br', 'gzip'])).toBe(coding);
});

test('a coding that is not there is not chosen', () => {
  expect(chooseCoding('br', ['gzip'])).toBeUndefined();
  expect(chooseCoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip');
});

test('no header is too strange or too long for a choice', () => {
  const part = fc.constantFrom('gzip', 'br', '*', 'identity', ';', 'q=', '0', '1', '.5', ',', ' ', '\t', '=', 'é');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      expect(['br', 'gzip', undefined]).toContain(chooseCoding(parts.join(''), ['br', 'gzip']));
    }),
    { seed },
  );
  expect(chooseCoding(`${'x;q=0.5,'.repeat(2_000)}gzip`, ['gzip'])).toBe('gzip');
});
