import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import type { Copy } from '../generator/copy.ts';
import { TestServer } from '../support/server.ts';
import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { failuresWithout } from './kernel-tests.ts';
import { compileAfter, copyProject, leadPath } from './project.ts';
import { folders, withDependents } from './tree.ts';

/** Deletes a feature as a maintainer would: its folder, and the lines that name it on the contents page and among the exports. */
function deleteFeature({ root }: Copy, name: string): void {
  rmSync(join(root, 'runtime/features', name), { recursive: true });
  for (const file of ['runtime/features.ts', 'runtime/index.ts']) {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    const listed = new RegExp(`^import \\{ (\\w+) \\} from './features/${name}/feature\\.ts';$`, 'm').exec(text)?.[1];
    const isKept = (line: string): boolean =>
      !line.includes(`'./features/${name}/`) && (listed === undefined || line.trim() !== `${listed},`);
    writeFileSync(path, text.split('\n').filter(isKept).join('\n'));
  }
}

/** Serves a record: it is created, changed, read, listed by a filter, and deleted. */
async function serveRecord({ root }: Copy): Promise<void> {
  await using server = new TestServer({ project: root, alone: true });
  await server.start();
  const created = await server.request('POST', leadPath, { name: 'Ada', age: 36 });
  expect(created.status, created.text).toBe(201);
  const { id } = created.body as { id: string };
  const changed = await server.request('PATCH', `${leadPath}/${id}`, { age: 37 });
  expect(changed.body).toMatchObject({ id, name: 'Ada', age: 37 });
  expect((await server.request('GET', `${leadPath}/${id}`)).body).toEqual(changed.body);
  const list = await server.request('GET', `${leadPath}?name=Ada&sort=-age`);
  expect(list.body).toMatchObject({ data: [changed.body] });
  expect((await server.request('DELETE', `${leadPath}/${id}`)).status).toBe(200);
  expect((await server.request('GET', `${leadPath}/${id}`)).status).toBe(404);
}

/** Those whose copies run the tests of the kernel, too. */
const tested = new Set(new Random(seed).shuffled(folders).slice(0, longRounds(2, folders.length)));

let whole: Copy;
beforeAll(async () => {
  whole = await copyProject();
  expect(await compileAfter(whole)).toBe('');
});
afterAll(() => whole[Symbol.dispose]());
beforeEach(repeatable);

test.for(folders)('without %s, and what needs it, the runtime compiles and serves', async (name) => {
  const removed = withDependents(name);
  using project = await copyProject();
  for (const feature of removed) deleteFeature(project, feature);
  expect(await compileAfter(project, whole)).toBe('');
  await serveRecord(project);
  if (tested.has(name)) expect(await failuresWithout(project, removed)).toEqual([]);
});
