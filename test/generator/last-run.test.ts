import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { generate as generateInMemory } from '../../generator/generate.ts';
import { packages } from '../../generator/cli/last-run.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { Commands, type Run, runCommand, runFile } from '../support/commands.ts';
import type { LoadedModule } from '../support/loaded-modules.ts';
import { projectRoot, testProject } from '../support/server.ts';
import { readTree } from './golden.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-last-run-'));
const commands = new Commands();
const listing = pathToFileURL(join(projectRoot, 'test/support/loaded-modules.ts')).href;
const digestFile = 'node_modules/.cache/generated-digest';
const upToDate: Run = { code: 0, stdout: 'generated/ is up to date.\n', stderr: '' };

/** A project that is up to date, and whose last run is kept. */
const base = join(folder, 'base');
let firstLoaded: LoadedModule[];
let projects = 0;

function project(): string {
  const root = join(folder, `project-${(projects += 1)}`);
  cpSync(base, root, { recursive: true, preserveTimestamps: true });
  return root;
}

const generate = (root: string, ...args: string[]): Promise<Run> => commands.run('generate', root, args);

/** Runs the generator in a process of its own. @returns what it did, and the modules that it has loaded. */
async function loading(root: string, ...args: string[]): Promise<Run & { loaded: LoadedModule[] }> {
  const file = join(folder, `loaded-${(projects += 1)}`);
  writeFileSync(file, '');
  const env = { ...process.env, NODE_OPTIONS: `--import ${listing}`, LOADED_MODULES: file };
  const run = await runCommand('generate', root, args, env);
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return { ...run, loaded: lines.map((line) => JSON.parse(line) as LoadedModule) };
}

/** The package of a module; undefined for a module of the project. */
const packageOf = (url = ''): string | undefined => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];

/** Replaces a part of a file by one as long as it, and keeps its time. */
function replaceUnseen(file: string, from: string, to: string): void {
  const { atime, mtime } = statSync(file);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  expect(to.length).toBe(from.length);
  writeFileSync(file, text.replace(from, to));
  utimesSync(file, atime, mtime);
}

beforeAll(async () => {
  for (const path of ['service.yaml', 'crm/competitor.yaml', 'assets/machine.yaml']) {
    cpSync(join(testProject, 'spec', path), join(base, 'spec', path));
  }
  mkdirSync(join(base, 'node_modules'));
  const { code, loaded } = await loading(base);
  expect(code).toBe(0);
  firstLoaded = loaded;
});

afterAll(() => {
  commands[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('a run without changes', () => {
  test.each<[string, string[], string]>([
    ['a run', [], upToDate.stdout],
    ['a check', ['--check'], ''],
  ])('%s loads no package and few modules', async (_, args, printed) => {
    const { loaded, ...run } = await loading(project(), ...args);
    expect(run).toEqual({ ...upToDate, stdout: printed });
    expect(loaded.flatMap(({ url }) => packageOf(url) ?? [])).toEqual([]);
    const modules = new Set(loaded.map(({ url }) => url).filter((url) => url.startsWith('file:')));
    expect(modules.size).toBeLessThan(22);
  });

  test('a project that was copied needs no other run', async () => {
    const root = project();
    cpSync(join(root, 'spec'), join(root, 'copy/spec'), { recursive: true });
    cpSync(join(root, 'generated'), join(root, 'copy/generated'), { recursive: true });
    cpSync(join(root, 'node_modules'), join(root, 'copy/node_modules'), { recursive: true });
    const { loaded, stdout } = await loading(join(root, 'copy'));
    expect(stdout).toBe(upToDate.stdout);
    expect(loaded.some(({ url }) => packageOf(url) !== undefined)).toBe(false);
  });

  test('warnings and files of others are reported again', async () => {
    const root = project();
    writeFileSync(join(root, 'generated/notes.md'), 'Mine.\n');
    const spec = join(root, 'spec/crm/competitor.yaml');
    const moves = 'transitions:\n  close: { field: state, from: [opne], to: closed }\n';
    writeFileSync(
      spec,
      `${readFileSync(spec, 'utf8')}  state: { enum: [open, opne, closed], default: open }\n${moves}`,
    );
    const first = await generate(root);
    expect(first.code).toBe(0);
    expect(first.stderr).toContain('warning: close: "opne"');
    expect(first.stderr).toContain('generated/notes.md was not generated');
    const { loaded, stderr } = await loading(root);
    expect(stderr).toBe(first.stderr);
    expect(loaded.some(({ url }) => packageOf(url) !== undefined)).toBe(false);
  });
});

test('the digest has the versions of all packages that the generator asks for', () => {
  const own = firstLoaded.filter(({ parent }) => parent?.startsWith('file:') && packageOf(parent) === undefined);
  expect([...new Set(own.flatMap(({ url }) => packageOf(url) ?? []))].toSorted()).toEqual([...packages].toSorted());
});

describe('a change is found even if the time and the size of the file are the same', () => {
  test.each<[string, string, string, string]>([
    ['generated code', 'generated/crm/competitor.schema.ts', 'field.text', 'field.uuid'],
    ['the OpenAPI document', 'generated/openapi.json', '3.1.1', '3.1.0'],
  ])('%s that was edited by hand', async (_, path, from, to) => {
    const root = project();
    replaceUnseen(join(root, path), from, to);
    const check = await generate(root, '--check');
    expect([check.code, check.stderr.split(' ')[0]]).toEqual([1, path]);
    expect(await generate(root)).toEqual({ code: 0, stdout: `wrote    ${path}\n`, stderr: '' });
    expect(readTree(join(root, 'generated'))).toEqual(readTree(join(base, 'generated')));
  });

  test('a spec', async () => {
    const root = project();
    replaceUnseen(join(root, 'spec/crm/competitor.yaml'), 'website', 'wesbite');
    expect((await generate(root, '--check')).code).toBe(1);
    expect((await generate(root)).stdout).toContain('wrote    generated/crm/competitor.schema.ts\n');
    expect(readTree(join(root, 'generated'))).toEqual(generateInMemory(readSpecs(root)).files);
  });

  test('a file that is gone, and one that is new', async () => {
    const root = project();
    rmSync(join(root, 'generated/app.ts'));
    expect((await generate(root, '--check')).code).toBe(1);
    expect((await generate(root)).stdout).toBe('wrote    generated/app.ts\n');
    cpSync(join(root, 'generated/app.ts'), join(root, 'generated/old.ts'));
    expect((await generate(root, '--check')).code).toBe(1);
    expect((await generate(root)).stdout).toBe('removed  generated/old.ts\n');
  });
});

describe('another generator', () => {
  // Inside of the project, where imports find its packages.
  const copy = mkdtempSync(join(projectRoot, 'test/.tmp-generator-'));
  const command = join(copy, 'generator/cli/generate.ts');

  beforeAll(() => {
    for (const part of ['generator', 'runtime', 'package.json']) {
      cpSync(join(projectRoot, part), join(copy, part), { recursive: true });
    }
    const levenshtein = 'node_modules/fastest-levenshtein';
    cpSync(join(projectRoot, levenshtein), join(copy, levenshtein), { recursive: true });
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  test('of the same code changes nothing', async () => {
    const root = project();
    expect(await runFile(command, root)).toEqual(upToDate);
  });

  test('whose code was edited prints anew', async () => {
    const root = project();
    expect(await runFile(command, root)).toEqual(upToDate);
    replaceUnseen(join(copy, 'generator/emit/header.ts'), 'Edit the spec', 'Edit its spec');
    const { stdout } = await runFile(command, root);
    expect(stdout.split('\n')).toContain('wrote    generated/app.ts');
    replaceUnseen(join(copy, 'generator/emit/header.ts'), 'Edit its spec', 'Edit the spec');
  });

  test('with another version of a package runs as a whole', async () => {
    const root = project();
    expect(await runFile(command, root)).toEqual(upToDate);
    const before = readFileSync(join(root, digestFile), 'utf8');
    expect(await runFile(command, root)).toEqual(upToDate);
    expect(readFileSync(join(root, digestFile), 'utf8')).toBe(before);
    replaceUnseen(join(copy, 'node_modules/fastest-levenshtein/package.json'), '"1.0.16"', '"1.0.99"');
    expect(await runFile(command, root)).toEqual(upToDate);
    expect(readFileSync(join(root, digestFile), 'utf8')).not.toBe(before);
  });
});

describe('the file of the last run', () => {
  const cases: [string, (text: string) => string][] = [
    ['is empty', () => ''],
    ['is half written', (text) => text.slice(0, text.length / 2)],
    ['holds something else', () => 'null\n{"diagnostics": 1}\n'],
    ['has a result that is not its own', (text) => text.replace('"foreign":[]', '"foreign":["generated/x"]')],
  ];
  test.each(cases)('that %s is ignored, and written again', async (_, spoil) => {
    const root = project();
    const kept = readFileSync(join(root, digestFile), 'utf8');
    expect(spoil(kept)).not.toBe(kept);
    writeFileSync(join(root, digestFile), spoil(kept));
    expect(await generate(root)).toEqual(upToDate);
    expect(readFileSync(join(root, digestFile), 'utf8')).toBe(kept);
  });

  test('of another project is ignored', async () => {
    const root = project();
    const other = project();
    writeFileSync(join(other, 'generated/crm/competitor.schema.ts'), '');
    rmSync(join(other, 'spec/assets'), { recursive: true });
    expect((await generate(other)).code).toBe(0);
    cpSync(join(other, digestFile), join(root, digestFile));
    expect(await generate(root)).toEqual(upToDate);
    expect(readTree(join(root, 'generated'))).toEqual(readTree(join(base, 'generated')));
  });

  test('is not kept of a run that fails', async () => {
    const root = project();
    const kept = readFileSync(join(root, digestFile), 'utf8');
    writeFileSync(join(root, 'spec/crm/other.yaml'), 'kind: recrod\n');
    expect((await generate(root)).code).toBe(1);
    writeFileSync(join(root, 'generated/app.ts'), 'export {};\n');
    rmSync(join(root, 'spec/crm/other.yaml'));
    expect((await generate(root)).code).toBe(1);
    expect(readFileSync(join(root, digestFile), 'utf8')).toBe(kept);
    expect((await generate(root, '--check')).code).toBe(1);
  });

  test('cannot be kept on a disk that refuses it, which does no harm', async () => {
    const root = project();
    rmSync(join(root, 'node_modules/.cache'), { recursive: true });
    writeFileSync(join(root, 'node_modules/.cache'), 'a file where a folder belongs');
    expect(await generate(root)).toEqual(upToDate);
    expect((await generate(root, '--check')).code).toBe(0);
  });

  test('is not made without node_modules, as in a fresh clone', async () => {
    const root = project();
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(await generate(root)).toEqual(upToDate);
    expect(existsSync(join(root, 'node_modules'))).toBe(false);
    expect(readdirSync(root).toSorted()).toEqual(['generated', 'spec']);
  });
});
