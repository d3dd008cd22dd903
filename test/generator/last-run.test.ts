import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Commands, type Run, runCommand, runFile } from '../support/commands.ts';
import type { LoadedModule } from '../support/loaded-modules.ts';
import { projectRoot, testProject } from '../support/server.ts';
import { readTree } from './golden.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-last-run-'));
const commands = new Commands();
const listing = pathToFileURL(join(projectRoot, 'test/support/loaded-modules.ts')).href;
const stamp = 'node_modules/.cache/last-generate.json';
const upToDate: Run = { code: 0, stdout: 'generated/ is up to date.\n', stderr: '' };

/** A project that is up to date, with the stamp of that run. */
const base = join(folder, 'base');
let projects = 0;

function project(): string {
  const root = join(folder, `project-${(projects += 1)}`);
  cpSync(base, root, { recursive: true, preserveTimestamps: true });
  return root;
}

const generate = (root: string, ...args: string[]): Promise<Run> => commands.run('generate', root, args);

/** Runs the generator in a process of its own. @returns its result, and the packages that it has loaded. */
async function loading(root: string, ...args: string[]): Promise<Run & { packages: string[] }> {
  const file = join(folder, `loaded-${(projects += 1)}`);
  writeFileSync(file, '');
  const env = { ...process.env, NODE_OPTIONS: `--import ${listing}`, LOADED_MODULES: file };
  const run = await runCommand('generate', root, args, env);
  const urls = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as LoadedModule).url);
  const packages = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  return { ...run, packages: [...new Set(packages)] };
}

/** Replaces a part of a file by one that is as long, and keeps the file's time. */
function replaceUnseen(file: string, from: string, to: string): void {
  const { atime, mtime } = statSync(file);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  expect(to.length).toBe(from.length);
  writeFileSync(file, text.replace(from, to));
  utimesSync(file, atime, mtime);
}

beforeAll(async () => {
  for (const path of ['service.yaml', 'crm/competitor.yaml', 'assets/machine.yaml'])
    cpSync(join(testProject, 'spec', path), join(base, 'spec', path));
  mkdirSync(join(base, 'node_modules'));
  const { code, packages } = await loading(base);
  expect(code).toBe(0);
  expect(packages).toContain('ts-morph');
});

afterAll(() => {
  commands[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

test.each<[string, string[], string]>([
  ['run', [], upToDate.stdout],
  ['check', ['--check'], ''],
])('a %s without changes loads no package but the one that suggests names', async (_, args, stdout) => {
  expect(await loading(project(), ...args)).toEqual({ ...upToDate, stdout, packages: ['fastest-levenshtein'] });
});

test('a run without changes reports warnings and files of others again', async () => {
  const root = project();
  writeFileSync(join(root, 'generated/notes.md'), 'Mine.\n');
  const spec = join(root, 'spec/crm/competitor.yaml');
  const moves = 'transitions:\n  close: { field: state, from: [opne], to: closed }\n';
  const state = '  state: { enum: [open, opne, closed], default: open }\n';
  writeFileSync(spec, `${readFileSync(spec, 'utf8')}${state}${moves}`);
  const first = await generate(root);
  expect(first.stderr).toContain('warning: close: "opne"');
  expect(first.stderr).toContain('generated/notes.md was not generated');
  expect(await loading(root)).toEqual({ ...upToDate, stderr: first.stderr, packages: ['fastest-levenshtein'] });
});

describe('a change is found even if the time and the size of the file are the same', () => {
  test.each([
    ['generated code', 'generated/crm/competitor.schema.ts', 'field.text', 'field.uuid'],
    ['the OpenAPI document', 'generated/openapi.json', '3.1.1', '3.1.0'],
  ])('%s that was edited by hand', async (_, path, from, to) => {
    const root = project();
    replaceUnseen(join(root, path), from, to);
    expect(await generate(root, '--check')).toMatchObject({ code: 1, stderr: expect.stringMatching(`^${path} was`) });
    expect(await generate(root)).toEqual({ ...upToDate, stdout: `wrote    ${path}\n` });
    expect(readTree(join(root, 'generated'))).toEqual(readTree(join(base, 'generated')));
  });

  test('a spec', async () => {
    const root = project();
    replaceUnseen(join(root, 'spec/crm/competitor.yaml'), 'website', 'wesbite');
    expect((await generate(root, '--check')).code).toBe(1);
    expect((await generate(root)).stdout).toContain('wrote    generated/crm/competitor.schema.ts\n');
  });

  test('the generator itself', async () => {
    // Inside of the project, where imports find its packages.
    const copy = mkdtempSync(join(projectRoot, 'test/.tmp-generator-'));
    try {
      for (const part of ['generator', 'runtime', 'package.json'])
        cpSync(join(projectRoot, part), join(copy, part), { recursive: true });
      const command = join(copy, 'generator/cli/generate.ts');
      const root = project();
      expect(await runFile(command, root)).toEqual(upToDate);
      replaceUnseen(join(copy, 'generator/emit/header.ts'), 'Edit the spec', 'Edit its spec');
      expect((await runFile(command, root)).stdout).toContain('wrote    generated/app.ts\n');
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });
});

test('a file that is gone is written, and one too many removed', async () => {
  const root = project();
  cpSync(join(root, 'generated/app.ts'), join(root, 'generated/old.ts'));
  rmSync(join(root, 'generated/tables.ts'));
  expect((await generate(root)).stdout).toBe('wrote    generated/tables.ts\nremoved  generated/old.ts\n');
});

describe('the stamp of the last run', () => {
  test.each<[string, (text: string) => string]>([
    ['is empty', () => ''],
    ['is half written', (text) => text.slice(0, text.length / 2)],
    ['has a report that is not its own', (text) => text.replace('"foreign":[]', '"foreign":["generated/x"]')],
  ])('that %s is ignored and written again', async (_, spoil) => {
    const root = project();
    const kept = readFileSync(join(root, stamp), 'utf8');
    expect(spoil(kept)).not.toBe(kept);
    writeFileSync(join(root, stamp), spoil(kept));
    expect(await generate(root)).toEqual(upToDate);
    expect(readFileSync(join(root, stamp), 'utf8')).toBe(kept);
  });

  test('is not kept of a run that fails', async () => {
    const root = project();
    writeFileSync(join(root, 'spec/crm/other.yaml'), 'kind: recrod\n');
    expect((await generate(root)).code).toBe(1);
    expect((await generate(root)).code).toBe(1);
  });

  test('is not needed: a run goes on if it cannot be written', async () => {
    const root = project();
    rmSync(join(root, 'node_modules/.cache'), { recursive: true });
    writeFileSync(join(root, 'node_modules/.cache'), 'a file where a folder belongs');
    expect(await generate(root)).toEqual(upToDate);
  });
});
