import { expect, test } from 'vitest';
import { readService } from '../../generator/check/service.ts';
import { columnsOf } from '../../generator/model/columns.ts';

const service = 'name: shop\ntitle: Shop\ndoc: Sells.\nversion: 1.0.0\nlicense: MIT\n';

/** The columns of a resource, from the lines of its spec. */
function columnsIn(...lines: readonly string[]): readonly string[] {
  const texts = { 'spec/service.yaml': service, 'spec/crm/lead.yaml': ['doc: A.', ...lines].join('\n') };
  const { service: read, diagnostics } = readService(new Map(Object.entries(texts)));
  expect(diagnostics).toEqual([]);
  return columnsOf(read!.resources[0]!);
}

const fields = (names: string): string => `fields: { ${names} }`;

test('a list has the columns that its spec names', () => {
  const list = 'list: { filter: [b], columns: [created_at, a, id] }';
  expect(columnsIn('kind: record', list, fields('a: , b: , c: '))).toEqual(['created_at', 'a', 'id']);
});

test('the default is the first six fields, so that one that is appended pushes none of them out', () => {
  const six = 'a: , b: , c: , d: , e: , f: ';
  const list = 'list: { filter: [f, g, updated_at], sort: [g] }';
  const columns = columnsIn('kind: record', list, fields(`${six}, g: { required: true }`));
  expect(columns).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(columnsIn('kind: record', fields(six))).toEqual(columns);
});

test('the default has the states of a resource, and the numbers that its list sums', () => {
  const states = ['transitions:', '  submit: { field: state, from: draft, to: sent }'];
  const all = fields('a: , b: , c: , d: , e: , f: , g: , state: { default: draft }, total: number');
  const columns = columnsIn('kind: record', 'list: { sum: [total] }', ...states, all);
  expect(columns).toEqual(['a', 'state', 'b', 'c', 'd', 'e', 'f', 'total']);
});

test('the default leaves out the field of the parent, texts that are too long, and JSON', () => {
  const parent = 'parent: { field: deal_id }';
  const all = fields(
    'deal_id: { required: true }, letter: { required: true, max_length: 65537 }, settings: json, name: ',
  );
  expect(columnsIn('kind: line-item', 'max_body: 2 MiB', parent, all)).toEqual(['name']);
});

test('the default leaves out what the title of a row shows, unless the list is sorted by it', () => {
  const names = fields('first: , middle: , last: , company: ');
  const title = 'record_title: [first, middle, last]';
  expect(columnsIn('kind: record', title, 'list: { sort: [last] }', names)).toEqual(['last', 'company']);
  expect(columnsIn('kind: record', 'record_title: first', names)).toEqual(['first', 'middle', 'last', 'company']);
});

test('a resource without a list has no columns', () => {
  expect(columnsIn('kind: record', 'operations: [create]', fields('a: '))).toEqual([]);
  expect(columnsIn('kind: singleton', fields('a: '))).toEqual([]);
});
