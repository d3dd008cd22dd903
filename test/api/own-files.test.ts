import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import * as generated from '../../generated/tables.ts';
import { readService } from '../../generator/check/service.ts';
import { modeline } from '../../generator/read/paths.ts';
import { tableOf } from '../../generator/emit/shape.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { fileOf, rejectionsOf } from '../editor/validator.ts';
import { readTree } from '../generator/golden.ts';
import { longLines } from '../generator/text.ts';
import { openApiFaults } from '../support/openapi.ts';
import { testFiles } from '../support/test-files.ts';
import { projectRoot, testProject } from '../support/server.ts';

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

test('no generated file has a line that is too long', () => {
  const files = [...readTree(join(projectRoot, 'generated'))];
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(([path, text]) => longLines(path, text))).toEqual([]);
});

test('the OpenAPI document has few lines that are longer than a reviewer sees', () => {
  const lengths = readFileSync(join(projectRoot, 'generated/openapi.json'), 'utf8')
    .split('\n')
    .map((line) => line.length);
  expect(lengths.filter((length) => length > 160).length).toBeLessThanOrEqual(50);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(400);
});

test('no other test names a resource that only this service has', () => {
  const known = readSpecs(testProject);
  const keys = [...specs.keys()]
    .filter((path) => !known.has(path))
    .map((path) => path.slice('spec/'.length, -'.yaml'.length));
  expect(keys.length).toBeGreaterThan(20);
  const names = new RegExp(`(?<![\\w-])(?:${keys.join('|')})(?![\\w-])`, 'g');
  const named = testFiles().flatMap((path) =>
    [...readFileSync(join(projectRoot, 'test', path), 'utf8').matchAll(names)].map(([name]) => `test/${path}: ${name}`),
  );
  expect(named).toEqual([]);
});
