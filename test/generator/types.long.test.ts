import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

import { BenchProject } from '../bench-generator/project.ts';
import { projectRoot } from '../support/server.ts';

const run = promisify(execFile);

test('the compiler takes at most 1.2 GB for the types of 270 resources', async () => {
  using project = new BenchProject(270, projectRoot);
  await run(process.execPath, project.nodeArguments('generate'), { cwd: project.root });
  const settings = { extends: join(projectRoot, 'tsconfig.json'), include: ['generated'], exclude: [] };
  writeFileSync(join(project.root, 'tsconfig.json'), JSON.stringify(settings));
  const tsc = join(projectRoot, 'node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['-p', project.root, '--extendedDiagnostics']);
  const [, kilobytes] = /^Memory used:\s+(\d+)K$/m.exec(stdout) ?? [];
  expect(Number(kilobytes)).toBeLessThan(1_200_000);
});
