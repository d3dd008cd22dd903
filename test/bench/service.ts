import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { generate } from '../../generator/generate.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { projectRoot } from './child.ts';

/** Resources beside those of the tests' own service: of memory and of a start, each takes its share. */
const more = 17;

let made: Promise<string> | undefined;

/**
 * The program of the service that is measured, as a path from the root of the project. It has what the tests' own service
 * has, leads and items of bills of materials, and as many more resources as make 27 with some 360 fields.
 */
export async function serviceProgram(): Promise<string> {
  made ??= makeProject();
  return join(await made, 'generated/server.ts');
}

/** Makes a project that goes away with this process. */
async function makeProject(): Promise<string> {
  // Inside of this one, where imports find its packages; with a dot, so that its own checks do not look in there.
  const root = mkdtempSync(join(projectRoot, 'test/.tmp-bench-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  symlinkSync(join(projectRoot, 'runtime'), join(root, 'runtime'));
  // The hooks beside the specs.
  symlinkSync(join(projectRoot, 'test/service/spec'), join(root, 'spec'));
  const specs = readSpecs(join(projectRoot, 'test/service'));
  for (let n = 0; n < more; n++) {
    const [area, name] = n % 3 === 2 ? ['assets', 'machine'] : ['sales', 'order'];
    specs.set(`spec/${area}/${name}-${n}.yaml`, specs.get(`spec/${area}/${name}.yaml`)!);
  }
  for (const [path, text] of (await generate(specs)).files) {
    const file = join(root, 'generated', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return relative(projectRoot, root);
}
