import { expect, test } from 'vitest';

import { describeSave } from '../../generator/changes/save.ts';
import { readService } from '../../generator/check/service.ts';
import { firstService } from '../../generator/model/template.ts';
import type { Service } from '../../generator/model/model.ts';

/** A service with these specs, without their common lines. */
function serviceOf(specs: Readonly<Record<string, string>>): Service {
  const files = Object.entries(specs).map(([key, text]): [string, string] => [
    `spec/${key}.yaml`,
    `kind: record\n${text}`,
  ]);
  const { service, diagnostics } = readService(new Map([['spec/service.yaml', firstService('shop')], ...files]));
  if (!service) throw new Error(JSON.stringify(diagnostics));
  return service;
}

const lead = (...fields: string[]): Service =>
  serviceOf({ 'crm/lead': `doc: A lead.\nfields:\n${fields.map((field) => `  ${field}\n`).join('')}` });

test('a save that changes nothing says nothing', () => {
  expect(describeSave(lead('name:'), lead('name:'))).toEqual([]);
});

test('each resource has a line with what changes, and its breaks', () => {
  const before = lead('name: { max_length: 10 }', 'fax: { type: integer }');
  const after = lead('name: { max_length: 20 }', 'fax: { type: integer, required: true }', 'age: { type: integer }');
  const [line = '', ...more] = describeSave(before, after);
  expect(more).toEqual([]);
  expect(line).toMatch(/^changed {2}crm\/lead: /);
  for (const words of ['name max_length', 'fax required added (breaking)', 'age added']) expect(line).toContain(words);
});

test('a field with its new name says nothing but that', () => {
  expect(describeSave(lead('name:', 'fax:'), lead('name:', 'telefax: { renamed_from: fax }'))).toEqual([
    'changed  crm/lead: fax renamed (breaking)',
  ]);
});

test('a removed field is named, with the place of its data and the line that renames it', () => {
  expect(describeSave(lead('name:', 'fax:'), lead('name:', 'telefax:'))).toEqual([
    'changed  crm/lead: fax removed (breaking), telefax added',
    'spec/crm/lead.yaml: fax is gone. Its data stays in the column "fax" of the table "lead", which no field shows.',
    '  If it is called telefax now, add to telefax: renamed_from: fax. A start that has added telefax before says how to copy the values.',
    '  To delete the data: npm run migrate -- --drop lead.fax',
  ]);
  expect(describeSave(lead('name:', 'fax:'), lead('name:'))).toContain(
    '  If another field has its place, add to that one: renamed_from: fax',
  );
});

test('a removed resource is named, with the place of its rows and the line that renames it', () => {
  const spec = 'doc: One.\nfields:\n  name:\n';
  expect(describeSave(serviceOf({ 'crm/lead': spec }), serviceOf({ 'crm/contact': spec }))).toEqual([
    'changed  crm/lead: removed (breaking)',
    'changed  crm/contact: added',
    'crm/lead is gone. Its rows stay in the table "lead", which no resource shows.',
    '  If another resource has its place, add to spec/crm/contact.yaml: renamed_from: lead',
    '  To delete the data: npm run migrate -- --drop lead',
  ]);
});

test('all new resources that could be the removed one are named', () => {
  const spec = 'doc: One.\nfields:\n  name:\n';
  const after = serviceOf({ 'crm/contact': spec, 'crm/person': spec });
  expect(describeSave(serviceOf({ 'crm/lead': spec }), after)).toContain(
    '  If another resource has its place, add to spec/crm/contact.yaml or spec/crm/person.yaml: renamed_from: lead',
  );
});

test('the line that renames a field leaves its type as it is', () => {
  const [, , hint] = describeSave(lead('points: integer'), lead('score: integer'));
  expect(hint).toBe(
    '  If it is called score now, add to score: renamed_from: points. A start that has added score before says how to copy the values.',
  );
});

test('only the first of many changes are named', () => {
  const fields = Array.from({ length: 10 }, (_, n) => `f${n}:`);
  expect(describeSave(lead('name:'), lead('name:', ...fields))).toEqual([
    'changed  crm/lead: f0 added, f1 added, f2 added, f3 added, f4 added, f5 added, 4 more',
  ]);
});
