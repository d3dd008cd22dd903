import { expect, test } from 'vitest';

import { readService } from '../../generator/check/service.ts';
import { fieldTypeNames } from '../../generator/model/language.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { formats } from '../../runtime/kernel/model/formats.ts';
import { defaultOperations, kinds } from '../../runtime/kernel/model/operations.ts';
import { testProject } from '../support/server.ts';

const resources = readService(readSpecs(testProject)).service?.resources ?? [];
const fields = resources.flatMap((resource) => resource.fields);

/** The features that this service must have, so that tests over all resources meet everything that a spec can say. */
const wanted: Readonly<Record<string, readonly [found: Iterable<unknown>, all: readonly unknown[]]>> = {
  kinds: [resources.map(({ kind }) => kind), kinds],
  operations: [
    resources.flatMap(({ kind, operations }) => operations.map((name) => `${name} of a ${kind}`)),
    kinds.flatMap((kind) => defaultOperations(kind).map((name) => `${name} of a ${kind}`)),
  ],
  transitions: [resources.flatMap(({ transitions }) => transitions.map(({ name }) => name)), ['submit', 'cancel']],
  types: [
    fields.map(({ type }) => type),
    ['text', 'enum', ...fieldTypeNames.filter((name) => name !== 'string'), ...Object.keys(formats)],
  ],
  keys: [
    fields.flatMap((field) => Object.entries(field).flatMap(([key, value]) => (value ? [key] : []))),
    [
      'required',
      'nullable',
      'readOnly',
      'doc',
      'default',
      'constant',
      'minLength',
      'maxLength',
      'pattern',
      'min',
      'max',
    ],
  ],
  parents: [
    resources.flatMap(({ parent }) => {
      const kind = resources.find(({ key }) => key === parent?.resource)?.kind;
      return parent ? [kind ?? (parent.typeField === undefined ? 'elsewhere' : 'elsewhere, by its type')] : [];
    }),
    ['record', 'singleton', 'elsewhere', 'elsewhere, by its type'],
  ],
};

test.each(Object.entries(wanted))('there are all %s', (_, [found, all]) => {
  expect([...new Set(found)]).toEqual(expect.arrayContaining([...all]));
});

test('there is a wide record, a large body and a record with fewer operations', () => {
  expect(Math.max(...resources.map((resource) => resource.fields.length))).toBeGreaterThanOrEqual(40);
  expect(resources.filter(({ maxBody = 0 }) => maxBody >= 2 ** 24)).toHaveLength(1);
  expect(resources.filter(({ kind, operations }) => operations.length < defaultOperations(kind).length)).toHaveLength(
    1,
  );
});
