import { expect, test } from 'vitest';

import { StatementNames } from '../../runtime/postgres/statement-names.ts';

test('a statement is named at its second use, alike in every process, and no other statement has its name', () => {
  const [names, others] = [new StatementNames(), new StatementNames()];
  expect(names.of('select 1')).toBeUndefined();
  const name = names.of('select 1');
  expect(name).toMatch(/^[\w-]{22}$/);
  for (const text of ['select 2', 'select 1']) others.of(text);
  expect(others.of('select 2')).not.toBe(name);
  expect(others.of('select 1')).toBe(name);
});
