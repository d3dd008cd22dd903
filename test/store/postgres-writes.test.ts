import { expect, test } from 'vitest';

import { statementName } from '../../runtime/engines/postgres/connection.ts';

test('a statement is named at its second use, alike in every process, and no other statement has its name', () => {
  // No other test of the process uses it.
  const text = 'select 1 as one_of_this_test';
  expect(statementName(text)).toBe('');
  expect(statementName(text)).toBe('J0GW9UsU_fqupeJLxCtgNq');
  expect(statementName(`${text} `)).toBe('');
  expect(statementName(`${text} `)).not.toBe(statementName(text));
});
