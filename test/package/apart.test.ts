import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

import { testFiles } from '../support/test-files.ts';
import { projectRoot } from '../support/server.ts';

const tests = join(projectRoot, 'test');

/** The folders of this service. A new service in this repository replaces the first two and deletes the third. */
const own = /^(?:spec|generated|test\/api)\//;

const files = testFiles().filter((path) => join(tests, path) !== import.meta.filename);

/** The files of the project that a test imports. */
const importsOf = (path: string, code: string): string[] =>
  [...code.matchAll(/\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, target]) =>
    relative(projectRoot, resolve(tests, path, '..', target!)).replaceAll('\\', '/'),
  );

/** The paths below the project's root that a test names, and its reads of the spec. */
const placesOf = (code: string): string[] => [
  ...[...code.matchAll(/\b(?:projectRoot|process\.cwd\(\)),\s*[`']([^`']+)[`']/g)].map(([, path]) => `${path}/`),
  ...[...code.matchAll(/\breadSpecs\((?:projectRoot|process\.cwd\(\)|'\.')\)/g)].map(() => 'spec/'),
];

test('nothing but test/api needs the spec of this service, its generated code or test/api', () => {
  expect(files.length).toBeGreaterThan(100);
  const needed = files.flatMap((path) => {
    const code = readFileSync(join(tests, path), 'utf8');
    return [...importsOf(path, code), ...placesOf(code)]
      .filter((place) => own.test(place))
      .map((place) => `test/${path}: ${place}`);
  });
  expect(needed).toEqual([]);
});

test.each([
  ["import { leadTable } from '../../generated/tables.ts';", 'generated/tables.ts'],
  ["import type { app } from '../../generated/app.ts';", 'generated/app.ts'],
  ["await import('../api/interface.ts')", 'test/api/interface.ts'],
  ["cpSync(join(projectRoot, 'spec'), join(root, 'spec'));", 'spec/'],
  ["join(projectRoot, 'generated/server.ts')", 'generated/server.ts/'],
  ['const specs = readSpecs(process.cwd());', 'spec/'],
])('%s would be found', (code, place) => {
  const found = [...importsOf('server/a.test.ts', code), ...placesOf(code)];
  expect(found.filter((one) => own.test(one))).toEqual([place]);
});
