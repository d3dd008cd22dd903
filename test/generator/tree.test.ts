import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { generate as generateInMemory } from '../../generator/generate.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { Commands, type Run, runCommand } from '../support/commands.ts';
import { testProject } from '../support/server.ts';
import { readTree } from './golden.ts';

const header = '// Generated from spec/crm/gone.yaml. Edit the spec, then run `npm run generate`.\n';

const folder = mkdtempSync(join(tmpdir(), 'records-tree-'));

const commands = new Commands();

/** The command, run in a project's folder. */
const generate = (root: string, args: readonly string[] = []): Promise<Run> => commands.run('generate', root, args);

/** Projects with the specs of the tests' own service: all of them, and few where it is not about the specs. */
const whole = join(folder, 'whole');
const small = join(folder, 'small');
const few = ['service.yaml', 'assets/machine.yaml', 'crm/competitor.yaml', 'crm/lead.yaml'];
let first: Run;
let wanted: ReadonlyMap<string, string>;
let projects = 0;

/** A copy of a project; also of what it has generated, unless the test is about the lack of it. */
function project({ from = small, isGenerated = true } = {}): string {
  const root = join(folder, `project-${(projects += 1)}`);
  cpSync(join(from, 'spec'), join(root, 'spec'), { recursive: true });
  if (isGenerated) cpSync(join(from, 'generated'), join(root, 'generated'), { recursive: true });
  return root;
}

const wantedOf = async (root: string): Promise<ReadonlyMap<string, string>> =>
  (await generateInMemory(readSpecs(root))).files;

/** Writes a file, and the folders it stands in. */
function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function edit(root: string, path: string, from: string, to: string): void {
  const text = readFileSync(join(root, path), 'utf8');
  expect(text).toContain(from);
  writeFileSync(join(root, path), text.replace(from, to));
}

/** Every file and folder of `generated/`, with what shows that it was touched. */
function stateOf(root: string): string[] {
  const generated = join(root, 'generated');
  return ['', ...readdirSync(generated, { recursive: true, encoding: 'utf8' })].toSorted().map((path) => {
    const { ino, mtimeNs, size } = statSync(join(generated, path), { bigint: true });
    return `${path} is ${ino}, of ${mtimeNs}, ${size} bytes`;
  });
}

/** The names of the files that another state has, and those that differ in it. */
const touched = (before: readonly string[], after: readonly string[]): string[] =>
  after.filter((line) => !before.includes(line)).map((line) => line.slice(0, line.indexOf(' is ')));

beforeAll(async () => {
  cpSync(join(testProject, 'spec'), join(whole, 'spec'), { recursive: true });
  for (const path of few) cpSync(join(testProject, 'spec', path), join(small, 'spec', path));
  put(whole, 'spec/crm/README.md', 'Files that are not YAML are no specs.\n');
  wanted = await wantedOf(testProject);
  first = await runCommand('generate', whole);
  for (const [path, text] of await wantedOf(small)) put(small, `generated/${path}`, text);
});

afterAll(() => {
  commands[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('npm run generate', () => {
  test('writes all that the spec gives', () => {
    expect(first.stderr).toBe('');
    expect(first.code).toBe(0);
    // All specs but that of the service.
    const count = [...readSpecs(testProject).keys()].filter((path) => path.endsWith('.yaml')).length - 1;
    const rules = [...wanted.keys()].filter((path) => path.endsWith('.rules.ts')).length;
    expect(wanted.size).toBe(3 * count + rules + 8);
    expect(readTree(join(whole, 'generated'))).toEqual(wanted);
    for (const path of wanted.keys()) expect(first.stdout).toContain(`generated/${path}\n`);
  });

  test('touches nothing the second time', async () => {
    const root = project({ from: whole });
    const before = stateOf(root);
    const { code, stderr } = await generate(root);
    expect([code, stderr]).toEqual([0, '']);
    expect(stateOf(root)).toEqual(before);
  });

  test('touches only the files that an edit changes', async () => {
    const root = project();
    const before = stateOf(root);
    edit(root, 'spec/crm/competitor.yaml', 'fields:\n', 'fields:\n  colour:\n');
    const { code, stdout } = await generate(root);
    expect(code).toBe(0);
    // The folders because a file is replaced as a whole, never half written.
    const paths = ['crm/competitor.client.ts', 'crm/competitor.schema.ts', 'openapi.json', 'schema.sql'];
    expect(touched(before, stateOf(root))).toEqual(['', 'crm', ...paths]);
    for (const path of paths) expect(stdout).toContain(`generated/${path}\n`);
  });

  test('mends a file that was edited, and one that is missing', async () => {
    const root = project();
    appendFileSync(join(root, 'generated/crm/lead.schema.ts'), '// mine\n');
    rmSync(join(root, 'generated/app.ts'));
    expect((await generate(root)).code).toBe(0);
    expect(readTree(join(root, 'generated'))).toEqual(await wantedOf(root));
  });

  test.each([
    '<<<<<<< HEAD\n=======\n>>>>>>> other\n',
    '// Generated from spec/crm/lead.yaml. Edit\n',
    '-- Generated from\n',
  ])('repairs a generated file that begins with %j', async (beginning) => {
    const root = project();
    const path = 'crm/lead.schema.ts';
    put(root, `generated/${path}`, beginning + (await wantedOf(root)).get(path));
    expect(await generate(root)).toMatchObject({ code: 0, stdout: expect.stringContaining(`generated/${path}`) });
    expect(readTree(join(root, 'generated'))).toEqual(await wantedOf(root));
  });

  test('removes what is no longer generated, and the folders that it leaves empty', async () => {
    const root = project();
    rmSync(join(root, 'spec/assets'), { recursive: true });
    put(root, 'generated/old/older/oldest.schema.ts', `${header}export {};\n`);
    const { code, stdout } = await generate(root);
    expect(code).toBe(0);
    expect(existsSync(join(root, 'generated/assets'))).toBe(false);
    expect(existsSync(join(root, 'generated/old'))).toBe(false);
    expect(stdout).toContain('generated/assets/machine.routes.ts\n');
    expect(stdout).toContain('generated/old/older/oldest.schema.ts\n');
    expect(readTree(join(root, 'generated'))).toEqual(await wantedOf(root));
  });

  test('reports files of others, and leaves them alone', async () => {
    const root = project();
    rmSync(join(root, 'spec/assets'), { recursive: true });
    const foreign = new Map([
      ['notes.md', 'Mine.\n'],
      ['assets/mine.ts', `export const mine = ${JSON.stringify(header)};\n`],
      ['assets/openapi.json', '{}\n'],
      ['empty/.gitkeep', ''],
    ]);
    for (const [path, text] of foreign) put(root, `generated/${path}`, text);
    const { code, stderr } = await generate(root);
    expect(code).toBe(0);
    for (const path of foreign.keys()) expect(stderr).toContain(`generated/${path} `);
    const expected = new Map([...(await wantedOf(root)), ...foreign]);
    expect(readTree(join(root, 'generated'))).toEqual(expected);
  });

  test('never writes over a file of others', async () => {
    const root = project({ isGenerated: false });
    put(root, 'generated/crm/lead.routes.ts', 'export const mine = true;\n');
    const { code, stderr } = await generate(root);
    expect(readFileSync(join(root, 'generated/crm/lead.routes.ts'), 'utf8')).toBe('export const mine = true;\n');
    expect(stderr).toContain('generated/crm/lead.routes.ts ');
    expect(code).toBe(1);
  });

  test('writes nothing from a wrong spec, and says where it is wrong', async () => {
    const root = project();
    const before = stateOf(root);
    const lines = readFileSync(join(root, 'spec/crm/competitor.yaml'), 'utf8').split('\n').length;
    appendFileSync(join(root, 'spec/crm/competitor.yaml'), '  colour: { requird: true }\n');
    put(root, 'spec/crm/other.yaml', 'kind: recrod\n');
    const { code, stdout, stderr } = await generate(root);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(new RegExp(`^spec/crm/competitor\\.yaml:${lines}:13: .*"requird".*"required"`, 'm'));
    expect(stderr).toMatch(/^spec\/crm\/other\.yaml:1:7: .*"recrod".*"record"/m);
    // The marker stands below the location.
    expect(stderr).toMatch(/^( *1 \| kind: )recrod\n {4}\| {7}\^{6}$/m);
    expect(stateOf(root)).toEqual(before);
  });

  test('makes no folder for a wrong spec', async () => {
    const root = project({ isGenerated: false });
    rmSync(join(root, 'spec/service.yaml'));
    const { code, stderr } = await generate(root);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^spec\/service\.yaml:1:1: /m);
    expect(readdirSync(root)).toEqual(['spec']);
  });
});

test('the same bytes come out in another locale and time zone', async () => {
  const root = project({ isGenerated: false });
  // In Czech, ch comes after h.
  for (const name of ['chapter', 'cinema']) {
    put(root, `spec/library/${name}.yaml`, `kind: record\ndoc: What is lent.\nfields:\n  name:\n`);
  }
  const env = { ...process.env, LC_ALL: 'cs_CZ.UTF-8', LANG: 'cs_CZ.UTF-8', TZ: 'Pacific/Kiritimati' };
  expect((await runCommand('generate', root, [], env)).code).toBe(0);
  expect(readTree(join(root, 'generated'))).toEqual(await wantedOf(root));
});

describe('npm run generate -- --check', () => {
  test.each<[string, string, (path: string) => void]>([
    ['edited', 'openapi.json', (path) => appendFileSync(path, '\n')],
    ['missing', 'crm/lead.schema.ts', (path) => rmSync(path)],
    ['no longer generated', 'crm/gone.schema.ts', (path) => writeFileSync(path, header)],
  ])('fails when a file is %s: %s', async (_, path, spoil) => {
    const root = project();
    spoil(join(root, 'generated', path));
    const before = stateOf(root);
    const { code, stderr } = await generate(root, ['--check']);
    expect(code).toBe(1);
    expect(stderr).toContain(`generated/${path}`);
    expect(stderr).toContain('npm run generate');
    expect(stateOf(root)).toEqual(before);
  });

  test('does not mind files of others', async () => {
    const root = project();
    put(root, 'generated/notes.md', 'Mine.\n');
    const { code, stderr } = await generate(root, ['--check']);
    expect(code).toBe(0);
    expect(stderr).toContain('generated/notes.md ');
  });
});
