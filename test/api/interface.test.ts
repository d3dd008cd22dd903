import { expect, test } from 'vitest';

import { endpoints, lineItems, records, resources, singletons } from './interface.ts';

test('the table holds 16 records, 9 line items and 2 singletons', () => {
  expect([records.length, lineItems.length, singletons.length]).toEqual([16, 9, 2]);
});

test('the table holds 136 operations, each once', () => {
  expect(endpoints).toHaveLength(136);
  expect(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size).toBe(136);
});

test('names and paths are given once', () => {
  expect(new Set(resources.map(({ name }) => name)).size).toBe(27);
  expect(new Set(resources.map(({ path }) => path)).size).toBe(27);
});

test.each(resources)('$name names each field once', ({ fields }) => {
  const names = fields.map(([name]) => name);
  expect(new Set(names).size).toBe(names.length);
});

test('dates are the fields named _date, without sla_resolution_date, and valid_till', () => {
  const named = (name: string): boolean =>
    (name.endsWith('_date') && name !== 'sla_resolution_date') || name === 'valid_till';
  for (const { name: resource, fields } of resources) {
    for (const [name, , options] of fields) expect(options?.format === 'date', `${resource} ${name}`).toBe(named(name));
  }
});
