import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';

import { generate } from '../../generator/generate.ts';
import { Copy } from '../generator/copy.ts';
import { compile } from '../support/compiler.ts';

const service = 'name: shop\ntitle: Shop\ndoc: Sells things.\nversion: 1.0.0\nlicense: MIT\n';

const plainLead =
  'kind: record\ndoc: A lead.\nlist: { filter: [name], sort: [age] }\nfields: { name: { required: true }, age: integer }\n';

/** The path of the one resource of `copyProject`. */
export const leadPath = '/api/crm/lead';

/**
 * A copy of the runtime, with a service of one resource, which needs no feature.
 *
 * @param more lines of its spec/service.yaml
 * @param lead the spec of its resource instead
 */
export async function copyProject(more = '', lead = plainLead): Promise<Copy> {
  const copy = new Copy('runtime', 'tsconfig.json', 'package.json');
  const { files, diagnostics } = await generate(
    new Map([
      ['spec/service.yaml', service + more],
      ['spec/crm/lead.yaml', lead],
    ]),
  );
  expect(diagnostics).toEqual([]);
  for (const [path, text] of files) {
    const target = join(copy.root, 'generated', path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return copy;
}

/** Compiles again what is not as in another copy, of which all was compiled. @returns what the compiler complains about */
export async function compileAfter({ root }: Copy, other?: Copy): Promise<string> {
  const file = join(root, 'compiled.json');
  if (other) cpSync(join(other.root, 'compiled.json'), file);
  return compile(root, '--incremental', '--tsBuildInfoFile', file);
}
