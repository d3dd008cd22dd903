import { afterAll, expect, test } from 'vitest';

import { requireColumns } from '../../runtime/data/transfer/check.ts';
import { openCsv } from '../../runtime/data/transfer/csv-source.ts';
import { findResource } from '../../runtime/data/transfer/resource.ts';
import { service } from '../service/generated/app.ts';
import { Files } from './run.ts';

const files = new Files();
const resource = findResource(service.tables, 'crm/competitor');

afterAll(() => files[Symbol.dispose]());

test.each<[string, string | Uint8Array, string]>([
  ['quotes inside of a cell', 'competitor_name\na "b"\n', ':2: In the row that begins here, a cell without quotes'],
  [
    'a quote that is not closed',
    'website,competitor_name\n\n,"a\n\n',
    ':3: In the row that begins here, a quote is not closed',
  ],
  ['text behind a quote', 'competitor_name\n"a" b\n', ':2: In the row that begins here, text follows the quote'],
  ['semicolons', 'competitor_name;website\na;b\n', "If semicolons separate the columns, add --delimiter ';'."],
  ['tabs', 'competitor_name\twebsite\na\tb\n', 'If tabs separate the columns, add --delimiter tab.'],
  ['no header', '', 'its first row must name the columns'],
  [
    'no column of a required field',
    'website\nx\n',
    'The file has no column for competitor_name, which every competitor',
  ],
  [
    'lines that end in CR alone',
    'competitor_name\ra\rb\r',
    ':1: In the row that begins here, a cell without quotes has a carriage',
  ],
  [
    'lines that end in CR CR LF',
    'competitor_name\na\r\r\n',
    ':2: In the row that begins here, a cell without quotes has a carriage',
  ],
  [
    'a note for Excel',
    'sep=;\ncompetitor_name;website\n',
    ":1: The line is a note for a spreadsheet, not the names of columns: remove it and add --delimiter ';'.",
  ],
  ['a spreadsheet', 'PK\x03\x04...', 'is a spreadsheet or an archive. Save the sheet as CSV (UTF-8).'],
  ['a comma at its end', 'competitor_name,website,\na,b,\n', 'Column 3 has no name: the header ends with a delimiter.'],
  [
    'quoted cells and semicolons',
    '"competitor_name";"website"\n"a";"b"\n',
    "If semicolons separate the columns, add --delimiter ';'.",
  ],
  ['UTF-16', Buffer.from('\uFEFFa', 'utf16le'), 'is UTF-16. Save it as UTF-8.'],
  ['Latin-1', Buffer.from('competitor_name\nZo\xEB\n', 'latin1'), 'is not UTF-8, in line 1 or somewhat later.'],
  ['half a character at its end', Buffer.from([...Buffer.from('competitor_name\nZo'), 0xc3]), 'is not UTF-8'],
])('a file with %s is refused', async (what, text, message) => {
  const file = files.write(`${what.replaceAll(' ', '-')}.csv`, text);
  const read = async (): Promise<void> => {
    const source = await openCsv({ file, fields: resource.fields, renames: new Map(), fixed: {}, delimiter: ',' });
    requireColumns(resource, source);
    await Array.fromAsync(source.rows);
  };
  await expect(read()).rejects.toThrow(message);
});

test('a resource that does not exist is refused with the nearest name', () => {
  expect(() => findResource(service.tables, 'crm/leat')).toThrow('; did you mean "crm/lead"?');
});
