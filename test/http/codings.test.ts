import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { acceptsGzip } from '../../runtime/kernel/api/responses.ts';
import { seed } from '../support/seed.ts';
import { threadTime } from '../support/thread-time.ts';

const accepts = (header: string | undefined): boolean => acceptsGzip({ headers: { 'accept-encoding': header } });

test.each([
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['gzip, deflate, br, zstd', true],
  ['br;q=0.5, gzip', true],
  ['br, gzip;q=0.1', true],
  ['br ; q=0.5 , gzip;Q=0.501', true],
  ['br;q=0, gzip;q=0', false],
  // A client that means gzip names it.
  ['*', false],
  ['*;q=0', false],
  ['*;q=0, gzip', true],
  ['identity', false],
  ['identity, gzip;q=0.5', true],
  ['identity;q=0.5, gzip', true],
  ['identity;q=0.5, gzip;q=0.5', true],
  ['identity;q=0', false],
  ['identity;q=0, deflate', false],
  ['deflate, zstd', false],
  // An invalid weight is ignored, not guessed.
  ['gzip;q=2', false],
  ['gzip;q=-1', false],
  ['gzip;q=', false],
  ['gzip;q=0.1234', false],
  ['gzip;level=9', false],
  ['gzip;q=1;q=0', false],
  [',,gzip,,', true],
  ['gzipped, brotli', false],
])('Accept-Encoding: %s accepts gzip: %s', (header, isAccepted) => {
  expect(accepts(header)).toBe(isAccepted);
});

test('no header is too strange or too long for a choice', () => {
  const part = fc.constantFrom('gzip', 'br', '*', 'identity', ';', 'q=', '0', '1', '.5', ',', ' ', '\t', '=', 'é');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      expect([true, false]).toContain(accepts(parts.join('')));
    }),
    { seed },
  );
  const started = threadTime();
  for (const piece of ['x;q=0.5,', ' ', ', ', 'a;', 'a ', 'gzip ; ']) accepts(piece.repeat(1_000_000 / piece.length));
  // Quadratic time would be hours.
  expect(threadTime() - started).toBeLessThan(10_000);
  expect(accepts(`${'x;q=0.5,'.repeat(2_000)}gzip`)).toBe(true);
});
