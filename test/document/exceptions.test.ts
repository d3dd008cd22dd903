import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../support/server.ts';
import { exceptions } from './exceptions.ts';

const documentation = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8').replaceAll(/\s+/g, ' ');

test.each(Object.keys(exceptions))('docs/api.md says that this is refused: %s', (words) => {
  expect(documentation).toContain(` ${words}`);
});
