import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';

import { projectRoot } from '../support/server.ts';

const folders: string[] = [];
let root = '';

function git(...args: string[]): void {
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com', '-c', 'commit.gpgsign=false'];
  execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'pipe' });
}

function generate(...args: string[]): { code: number | null; output: string; errors: string } {
  const command = join(projectRoot, 'generator/commands/generate.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: root, encoding: 'utf8' });
  return { code: status, output: stdout, errors: stderr };
}

const spec = 'spec/crm/competitor.yaml';
const schema = 'generated/crm/competitor.schema.ts';

const addField = (): void =>
  writeFileSync(join(root, spec), readFileSync(join(root, spec), 'utf8').replace('fields:\n', 'fields:\n  market:\n'));

// A small project of its own: the service and one resource.
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'check-'));
  folders.push(root);
  for (const path of ['spec/service.yaml', spec]) cpSync(join(projectRoot, path), join(root, path));
  expect(generate().code).toBe(0);
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('--check', () => {
  test('says nothing when all is as the spec gives it', () => {
    expect(generate('--check')).toEqual({ code: 0, output: '', errors: '' });
  });

  test('shows a hand edit as a unified diff, and names the spec file', () => {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'Start');
    appendFileSync(join(root, schema), '// mine\n');
    const { code, errors } = generate('--check');
    expect(code).toBe(1);
    expect(errors).toContain(`${schema} was edited by hand`);
    expect(errors).toContain(`belongs in ${spec}`);
    expect(errors).toContain(`--- ${schema}`);
    expect(errors).toMatch(/^@@ .* @@$/m);
    expect(errors).toMatch(/^-\/\/ mine$/m);
  });

  test('tells a forgotten run, committed or not', () => {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'Start');
    addField();
    const uncommitted = generate('--check').errors;
    git('commit', '-q', '-a', '-m', 'Add a field and forget to generate');
    const committed = generate('--check');
    expect(committed.code).toBe(1);
    for (const errors of [uncommitted, committed.errors]) {
      expect(errors).toContain(`${schema} was not generated again after an edit of ${spec}.`);
      expect(errors).toContain('generated/schema.sql was not generated again after an edit of spec/.');
      expect(errors).toMatch(/^\+ {2}market: optional\(field\.text\(\)\),$/m);
      expect(errors).not.toContain('edited by hand');
    }
  });

  test('tells a missing file, also without Git', () => {
    rmSync(join(root, schema));
    const { code, errors } = generate('--check');
    expect(code).toBe(1);
    expect(errors).toContain(`${schema} is missing.`);
  });

  test('annotates a pull request, and tells programs', () => {
    addField();
    const annotations = generate('--check', '--format', 'github');
    expect(annotations.code).toBe(1);
    expect(annotations.output).toContain(`::error file=${schema},line=1,`);
    const data = JSON.parse(generate('--check', '--format', 'json').output) as { stale: { path: string }[] };
    expect(data.stale.map(({ path }) => path)).toEqual([schema, 'generated/openapi.json', 'generated/schema.sql']);
  });
});

test('--format json gives the problems of a wrong spec as data', () => {
  writeFileSync(join(root, spec), 'kind: record\ndoc: A company.\nfields:\n  market: strin\n');
  const { code, output } = generate('--format', 'json');
  expect(code).toBe(1);
  expect(JSON.parse(output)).toEqual({
    problems: [
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

test('--format github annotates the place of a problem', () => {
  writeFileSync(join(root, spec), 'kind: record\ndoc: A company.\nfields:\n  market: strin\n');
  expect(generate('--format', 'github').output).toMatch(
    /^::error file=spec\/crm\/competitor.yaml,line=4,col=11,endColumn=16::market: unknown type "strin"; did you mean/,
  );
});

test('an unknown format or option is refused with the usage', () => {
  for (const args of [['--format', 'xml'], ['--chek']]) {
    const { code, errors } = generate(...args);
    expect(code).toBe(2);
    expect(errors).toContain('Usage: npm run generate');
  }
});
