import { expect, test } from 'vitest';

import { describeCopy } from '../../runtime/cli/copy.ts';

test('a copy is described in numbers that agree with their nouns', () => {
  const contents = { bytes: 4_096, miscounted: [] };
  expect(describeCopy({ ...contents, rows: 1, tables: 1 })).toBe('4,096 bytes, 1 row in 1 table');
  expect(describeCopy({ ...contents, rows: 2_000, tables: 0 })).toBe('4,096 bytes, 2,000 rows in 0 tables');
});
