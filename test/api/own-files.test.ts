import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import * as generated from '../../generated/tables.ts';
import { readService } from '../../generator/check/service.ts';
import { modeline } from '../../generator/paths.ts';
import { tableOf } from '../../generator/shape.ts';
import { readSpecs } from '../../generator/spec-files.ts';
import type { Table } from '../../runtime/schema/table.ts';
import { fileOf, rejectionsOf } from '../editor/validator.ts';
import { readTree } from '../generator/golden.ts';
import { linesOver120 } from '../generator/text.ts';
import { openApiFaults } from '../support/openapi.ts';
import { projectRoot } from '../support/server.ts';

const specs = readSpecs(projectRoot);
const resources = readService(specs).service?.resources ?? [];
const tables = new Map(Object.values(generated).map((table: Table) => [table.name, table]));

test.each([...specs])('%s names its schema in its first line, and editors accept it', (path, text) => {
  expect(text.split('\n')[0]).toBe(modeline(path));
  const file = fileOf(path, text);
  expect(file && rejectionsOf(file)).toEqual([]);
});

test('every resource has a table in the generated code, and every table a resource', () => {
  expect(new Map(resources.map((resource) => [resource.name, tableOf(resource)]))).toEqual(tables);
});

test('the OpenAPI document is without fault', async () => {
  expect(await openApiFaults(readFileSync(join(projectRoot, 'generated/openapi.json'), 'utf8'))).toEqual([]);
});

test('no generated file has a line over 120', () => {
  const files = [...readTree(join(projectRoot, 'generated'))];
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(([path, text]) => linesOver120(path, text))).toEqual([]);
});
