import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { actions, defaultOperations, kinds, operations } from '../../runtime/kernel/model/operations.ts';
import { projectRoot } from '../support/server.ts';

/** The second cell of a row of a table in docs/, as words. */
function cellOf(file: string, row: string): string[] {
  const text = readFileSync(join(projectRoot, 'docs', file), 'utf8');
  const line = text.split('\n').find((one) => one.startsWith(`| \`${row}\` `) && one.split('|').length <= 5);
  return (line?.split('|')[2] ?? '').replaceAll('`', '').trim().split(', ');
}

test.each(kinds)('docs/spec.md lists the operations of a %s', (kind) => {
  expect(cellOf('spec.md', kind)).toEqual(defaultOperations(kind));
});

test.each(actions.filter((action) => action !== 'transition'))(
  'docs/api-keys.md lists those of the scope %s',
  (action) => {
    const names = Object.entries(operations).flatMap(([name, row]) => (row.action === action ? [name] : []));
    expect(cellOf('api-keys.md', action)).toEqual(names);
  },
);
