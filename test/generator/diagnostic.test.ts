import { expect, test } from 'vitest';

import { readService } from '../../generator/check/service.ts';
import { formatDiagnostic } from '../../generator/read/diagnostic.ts';
import { chooseSpecs } from '../../generator/read/spec-files.ts';

test('a file name cannot change what a terminal shows', () => {
  const text = 'kind: record\ndoc: A thing.\nfields:\n  a: strin\n';
  const { diagnostics } = readService(new Map([['spec/crm/\x1b[31m\na.yaml', text]]));
  const shown = diagnostics.map((diagnostic) => formatDiagnostic(diagnostic)).join('');
  expect(shown).toContain(String.raw`spec/crm/\x1b[31m\x0aa.yaml:4:6: a: unknown type "strin"`);
  expect(shown).not.toMatch(/\p{Cc}/u);
  const { faults } = chooseSpecs([{ path: 'spec/crm/\x1b[31m.yaml', type: 'link' }]);
  expect(faults.join()).toContain(String.raw`spec/crm/\x1b[31m.yaml: a symbolic link`);
});

const names = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}`).join(', ');

test.each([
  [
    '1,000 values of an enum',
    (count: number) => `a: { enum: [${names(count)}] }`,
    1000,
    '3:22: enum must name at most 1000 values',
  ],
  ['300 fields', names, 300, '3:9: a resource can have at most 300 fields'],
])('a resource has at most %s', (_, fields, most, refusal) => {
  const [enough, tooMany] = [most, most + 1].map((count) => {
    const text = `kind: record\ndoc: A thing.\nfields: { ${fields(count)} }\n`;
    const { diagnostics } = readService(new Map([['spec/crm/lead.yaml', text]]));
    return diagnostics
      .filter(({ file }) => file === 'spec/crm/lead.yaml')
      .map((diagnostic) => formatDiagnostic(diagnostic));
  });
  expect(enough).toEqual([]);
  expect(tooMany).toEqual([`spec/crm/lead.yaml:${refusal}`]);
});
