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
