import { expect, test } from 'vitest';
import { code, codeBlock, counted, escaped } from '../../generator/changes/markdown.ts';
import { listed } from '../../generator/model/names.ts';

test.each([
  ['plain text, with a_name and 1.5 %', 'plain text, with a_name and 1.5 %'],
  ['a | b', 'a \\| b'],
  ['*so* __user `x` [y](z)', '\\*so\\* \\_\\_user \\`x\\` \\[y\\](z)'],
  ['<script>&amp;', '\\<script\\>\\&amp;'],
  ['$5 and ~~6~~ and \\', '\\$5 and \\~\\~6\\~\\~ and \\\\'],
  ['several\n# lines\r\n', 'several # lines'],
])('%j is escaped as %j', (text, expected) => {
  expect(escaped(text)).toBe(expected);
});

test.each([
  ['website', '`website`'],
  ['a `b` c', '``a `b` c``'],
  ['`b`', '`` `b` ``'],
  ['a\nb', '`a b`'],
])('%j is the code %j', (text, expected) => {
  expect(code(text)).toBe(expected);
});

test('a block of code cannot be ended by what is in it', () => {
  expect(codeBlock('sql', "select '\n```\n'")).toBe("````sql\nselect '\n```\n'\n````");
});

test('counts and lists read as English', () => {
  expect([0, 1, 2].map((count) => counted(count, 'file'))).toEqual(['no file', '1 file', '2 files']);
  expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map(listed)).toEqual(['a', 'a and b', 'a, b and c']);
});
