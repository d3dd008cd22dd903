import { expect, test } from 'vitest';

import type { CellField } from '../../runtime/data/transfer/cells.ts';
import { matchColumns } from '../../runtime/data/transfer/columns.ts';

const field = (name: string, isReadOnly = false): CellField => ({
  name,
  type: 'string',
  takesEmpty: true,
  takesNull: true,
  isReadOnly,
});
const fields = [field('id', true), field('lead_name'), field('company_name'), field('created_at', true)];

const match = (names: string[], renames: Record<string, string> = {}) =>
  matchColumns(names, fields, new Map(Object.entries(renames)));

test('columns are the fields of their names, or of those that a map gives them', () => {
  const {
    fields: found,
    readOnly,
    problems,
  } = match(['id', 'Full Name', 'Notes', 'company_name'], {
    'Full Name': 'lead_name',
    Notes: '',
  });
  expect(found.map((one) => one?.name)).toEqual([undefined, 'lead_name', undefined, 'company_name']);
  expect(readOnly).toEqual(['id']);
  expect(problems).toEqual([]);
});

test('a column names its field in any spelling', () => {
  const { fields: found, readOnly, problems } = match([' Company Name', 'LEAD-NAME', 'ID'], {});
  expect(found.map((one) => one?.name)).toEqual(['company_name', 'lead_name', undefined]);
  expect([readOnly, problems]).toEqual([['ID'], []]);
});

const maps = (column: string): string =>
  `\`--map "${column}=FIELD"\` names its field, \`--map "${column}="\` leaves it out.`;

test.each<[string[], Record<string, string>, string[]]>([
  [['lead_nam'], {}, [`The column "lead_nam" is not a field; did you mean "lead_name"? ${maps('lead_nam')}`]],
  [['Lead Name', 'lead_name'], {}, ['The columns "Lead Name" and "lead_name" are both the field lead_name.']],
  [['x'], {}, [`The column "x" is not a field. ${maps('x')}`]],
  [['lead_name', ''], {}, ['Column 2 has no name: the header ends with a delimiter. Remove it, and that of each row.']],
  [['', 'lead_name'], {}, ['Column 1 has no name; name it in the first row.']],
  [['lead_name', 'lead_name'], {}, ['The columns "lead_name" and "lead_name" are both the field lead_name.']],
  [
    ['name'],
    { Name: 'lead_name' },
    ['There is no column "Name"; did you mean "name"?', `The column "name" is not a field. ${maps('name')}`],
  ],
])('columns %j with the map %j are refused', (names, renames, problems) => {
  expect(match(names, renames).problems).toEqual(problems);
});

test('a column of a record that a reference names says what it may be', () => {
  const unique = { ...field('customer.email'), reference: 'customer_id' };
  const { problems } = matchColumns(
    ['party.name', 'customer.name', 'stranger.name'],
    [field('party_id'), field('customer_id'), unique],
    new Map(),
  );
  expect(problems).toEqual([
    'The column "party.name" is not a field; write party_id with ids. `npm run import` also takes a unique field, if ' +
      `party_id references one resource. ${maps('party.name')}`,
    `The column "customer.name" is not a field; write customer.email, or customer_id with ids. ${maps('customer.name')}`,
    `The column "stranger.name" is not a field. ${maps('stranger.name')}`,
  ]);
});

test('the faults of many columns are counted, with the fields that there are', () => {
  const names = Array.from({ length: 12 }, (_, n) => `other_${n}`);
  const { problems } = match(names, {});
  expect(problems).toHaveLength(11);
  expect(problems[10]).toMatch(/^2 more columns have faults\. The fields are lead_name, /);
});
