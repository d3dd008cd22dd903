import { expect, test } from 'vitest';

import { camelCase, capitalize, kebabCaseOf, pascalCase, pluralOf, withArticle } from '../../generator/model/names.ts';

test.each([
  ['lead', 'leads'],
  ['day', 'days'],
  ['category', 'categories'],
  ['address', 'addresses'],
  ['box', 'boxes'],
  ['branch', 'branches'],
  ['dish', 'dishes'],
  ['appointment booking settings', 'appointment booking settings'],
  ['POS item group', 'POS item groups'],
  ['BOM', 'BOMs'],
])('several of "%s" are "%s"', (noun, plural) => {
  expect(pluralOf(noun)).toBe(plural);
});

test.each(['a lead', 'an address', 'an invoice', 'an issue', 'an uncle', 'a unit', 'a user', 'a BOM item', 'an iPad'])(
  'the article of %s',
  (phrase) => {
    expect(withArticle(phrase.slice(phrase.indexOf(' ') + 1))).toBe(phrase);
  },
);

test.each([
  ['lead', 'Lead', 'lead'],
  ['bank_guarantee', 'BankGuarantee', 'bankGuarantee'],
  ['send-back', 'SendBack', 'sendBack'],
  ['sales_1', 'Sales1', 'sales1'],
  ['a_b_c', 'ABC', 'aBC'],
])('%s is the type %s and the variable %s', (name, type, variable) => {
  expect([pascalCase(name), camelCase(name)]).toEqual([type, variable]);
});

test.each([
  ['Business Records', 'business-records'],
  [`Bob's "Shop" \\ Co`, 'bob-s-shop-co'],
  ['3. Müller & Söhne!', 'muller-sohne'],
  ['記録', ''],
  [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
])('the title %s makes the name %s', (title, name) => {
  expect(kebabCaseOf(title)).toBe(name);
});

test('a title begins with a capital and keeps the rest', () => {
  expect(['bank guarantee', 'iPad', 'BOM item', 'ärger'].map(capitalize)).toEqual([
    'Bank guarantee',
    'IPad',
    'BOM item',
    'Ärger',
  ]);
});
