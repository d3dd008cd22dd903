import { describe, expect, test } from 'vitest';
import * as generated from '../service/generated/tables.ts';
import { readService } from '../../generator/check/service.ts';
import { tableOf } from '../../generator/emit/shape.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { testProject } from '../support/server.ts';
import { validCases } from './golden.ts';

const tables = new Map(Object.values(generated).map((table: Table) => [table.name, table]));
const resources = readService(readSpecs(testProject)).service?.resources ?? [];

test.each(resources.map((resource) => [resource.key, resource] as const))(
  'the table of %s is that of the generated code',
  (_, resource) => {
    // Functions are in the generated code alone.
    const { logic: _logic, ...table } = tables.get(resource.name) as Table;
    expect(tableOf(resource)).toEqual(table);
  },
);

test('every resource has a table, and every table a resource', () => {
  expect(resources.map(({ name }) => name).toSorted()).toEqual([...tables.keys()].toSorted());
});

describe('a parent', () => {
  const all = validCases.flatMap(({ specs }) => readService(specs).service?.resources ?? []);
  const items = [...resources, ...all].filter(({ parent }) => parent);

  test.each(['resource', 'typeField'] as const)('is in the table with its %s', (key) => {
    const named = items.filter(({ parent }) => parent?.[key] !== undefined);
    expect(named.length).toBeGreaterThan(0);
    for (const resource of named) {
      const { field, typeField, table } = resource.parent!;
      const expected = { field, ...(typeField && { typeField }), ...(table && { table }) };
      expect(tableOf(resource).parent).toEqual(expected);
    }
  });
});
