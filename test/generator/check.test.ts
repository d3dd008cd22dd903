import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { Commands, type Run } from '../support/commands.ts';
import { testProject } from '../support/server.ts';

const commands = new Commands();
const folder = mkdtempSync(join(tmpdir(), 'check-'));
const pattern = join(folder, 'pattern');
let root = '';
let projects = 0;

const generate = (...args: readonly string[]): Promise<Run> => commands.run('generate', root, args);

const spec = 'spec/crm/competitor.yaml';
const schema = 'generated/crm/competitor.schema.ts';

const addField = (): void =>
  writeFileSync(join(root, spec), readFileSync(join(root, spec), 'utf8').replace('fields:\n', 'fields:\n  market:\n'));

// A small project: the service and one resource.
beforeAll(async () => {
  for (const path of ['spec/service.yaml', spec]) cpSync(join(testProject, path), join(pattern, path));
  expect((await commands.run('generate', pattern)).code).toBe(0);
});

// Each test has one of its own.
beforeEach(() => {
  root = join(folder, `project-${(projects += 1)}`);
  cpSync(pattern, root, { recursive: true });
});

afterAll(() => {
  commands[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

describe('--check', () => {
  test('says nothing when all is as the spec gives it', async () => {
    expect(await generate('--check')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('shows a hand edit as a unified diff, and names the spec file', async () => {
    appendFileSync(join(root, schema), '// mine\n');
    const { code, stderr: errors } = await generate('--check');
    expect(code).toBe(1);
    expect(errors).toContain(`${schema} was edited by hand, or was not generated again after an edit of ${spec}.`);
    expect(errors).toContain(`--- ${schema}`);
    expect(errors).toMatch(/^@@ .* @@$/m);
    expect(errors).toMatch(/^-\/\/ mine$/m);
  });

  test('tells a forgotten run', async () => {
    addField();
    const { code, stderr: errors } = await generate('--check');
    expect(code).toBe(1);
    expect(errors).toContain(`${schema} was edited by hand, or was not generated again after an edit of ${spec}.`);
    expect(errors).toContain('generated/openapi.json');
    expect(errors).toContain(
      'generated/schema.sql was edited by hand, or was not generated again after an edit of spec/.',
    );
    expect(errors).toMatch(/^\+ {2}market: optional\(field\.text\(\)\),$/m);
  });

  test('tells a missing file', async () => {
    rmSync(join(root, schema));
    const { code, stderr: errors } = await generate('--check');
    expect(code).toBe(1);
    expect(errors).toContain(`${schema} is missing.`);
  });

  test('annotates a pull request, and tells programs', async () => {
    addField();
    const annotations = await generate('--check', '--format', 'github');
    expect(annotations.code).toBe(1);
    expect(annotations.stdout).toContain(`::error file=${schema},line=1,`);
    const data = JSON.parse((await generate('--check', '--format', 'json')).stdout) as { stale: { path: string }[] };
    expect(data.stale.map(({ path }) => path)).toEqual([
      'generated/crm/competitor.client.ts',
      schema,
      'generated/openapi.json',
      'generated/schema.sql',
    ]);
  });
});

test('--format json gives the diagnostics of a wrong spec as data', async () => {
  writeFileSync(join(root, spec), 'kind: record\ndoc: A company.\nfields:\n  market: strin\n');
  const { code, stdout: output } = await generate('--format', 'json');
  expect(code).toBe(1);
  expect(JSON.parse(output)).toEqual({
    diagnostics: [
      {
        file: spec,
        line: 4,
        column: 11,
        endColumn: 16,
        severity: 'error',
        message: expect.stringContaining('did you mean "string"?') as unknown,
      },
    ],
    stale: [],
    written: [],
    removed: [],
    foreign: [],
    blocked: [],
  });
});

test('--format github annotates the location of a diagnostic', async () => {
  writeFileSync(join(root, spec), 'kind: record\ndoc: A company.\nfields:\n  market: strin\n');
  expect((await generate('--format', 'github')).stdout).toMatch(
    /^::error file=spec\/crm\/competitor.yaml,line=4,col=11,endColumn=16::market: unknown type "strin"; did you mean/,
  );
});

test('an unknown format or option is refused with the usage', async () => {
  for (const args of [['--format', 'xml'], ['--chek'], ['spec']]) {
    const { code, stderr: errors } = await generate(...args);
    expect(code).toBe(2);
    expect(errors).toContain('Usage: npm run generate');
  }
});

test('an option that is nearly right is suggested', async () => {
  expect((await generate('--chek')).stderr).toMatch(/^Unknown option '--chek'; did you mean "--check"\?\n/);
  expect((await generate('--other')).stderr).not.toContain('did you mean');
});
