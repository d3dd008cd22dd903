import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { features } from '../../runtime/features.ts';
import { featuresFolder, folders, importsOf } from './tree.ts';

test('each folder of a feature is on the contents page, by its name', () => {
  expect(features.list.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
  for (const folder of folders) expect(existsSync(join(featuresFolder, folder, 'feature.ts')), folder).toBe(true);
});

test.for(features.list)('$name imports only features that it declares', ({ name, needs = [] }) => {
  expect([...importsOf(name)].filter((other) => !needs.includes(other))).toEqual([]);
});
