import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { readService } from '../../generator/check/service.ts';
import { generate } from '../../generator/generate.ts';
import { openApiFaults } from '../support/openapi.ts';
import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { projectRoot, testProject } from '../support/server.ts';
import { resources, textsOf } from './arbitrary.ts';
import { exercise } from './exercise.ts';
import { type GoldenCase, output, readTree, type Texts, validCases } from './golden.ts';
import { Servers } from './server.ts';
import { formatted, longLines } from './text.ts';

// Inside of the project, where imports find its packages; with a dot, so that its own checks do not look in here.
const folder = mkdtempSync(join(projectRoot, 'test/.tmp-'));

interface Case extends Pick<GoldenCase, 'name' | 'specs'> {
  readonly files: Texts;
}

const caseOf = async (name: string, specs: Texts): Promise<Case> => ({ name, specs, files: await output(specs) });

const acceptedCases = await Promise.all(validCases.map(({ name, specs }) => caseOf(name, specs)));

const randomCases = await Promise.all(
  fc
    .sample(resources, { numRuns: rounds(2, 6, 200), seed })
    .map((written, index) => caseOf(`random-${seed}-${index + 1}`, textsOf(written))),
);

// Together, for what is started to judge them is most of what that takes.
const cases: readonly Case[] = [...acceptedCases, ...randomCases];

/**
 * The cases that are compiled and booted: a tenth in `npm test`, as that takes longer than all other checks together, half in
 * `npm run test:long`, and all with TEST_FULL=1.
 */
const drawn = new Random(seed)
  .shuffled(cases)
  .slice(0, rounds(Math.ceil(cases.length / 10), Math.ceil(cases.length / 2), cases.length));

const run = promisify(execFile);

/** Runs a checker; what it says where it finds fault, and nothing otherwise. */
async function faultsOf(name: string, args: readonly string[]): Promise<string> {
  try {
    await run(join(projectRoot, 'node_modules/.bin', name), args, { cwd: folder });
    return '';
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout: string; stderr: string };
    return [message, stdout, stderr].join('\n');
  }
}

/** The generated TypeScript of a case, as paths in the folder. */
const codeOf = ({ name, files }: Case): string[] =>
  [...files.keys()]
    .filter((path) => path.startsWith('want/') && path.endsWith('.ts'))
    .map((path) => join(name, path.slice('want/'.length)));

beforeAll(() => {
  symlinkSync(join(projectRoot, 'runtime'), join(folder, 'runtime'));
  for (const { name, files } of cases) {
    for (const [path, text] of files) {
      if (!path.startsWith('want/')) continue;
      const target = join(folder, name, path.slice('want/'.length));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
  const settings = { extends: '../../tsconfig.json', files: drawn.flatMap(codeOf), include: [], exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
});

beforeEach(repeatable);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(randomCases)('is of a valid spec: $name', ({ files }) => {
  expect(files.get('diagnostics.txt')).toBeUndefined();
});

test('tsc has nothing to say', async () => {
  // One run for all cases: Hono and zod are read once.
  expect(await faultsOf('tsc', ['--singleThreaded', '-p', folder])).toBe('');
});

test('oxlint has nothing to say', async () => {
  expect(await faultsOf('oxlint', ['--deny-warnings', '--no-ignore', ...acceptedCases.flatMap(codeOf)])).toBe('');
});

test.each(cases)('is formatted: $name', async (goldenCase) => {
  const code = codeOf(goldenCase).map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
  expect(code).toEqual(await Promise.all(code.map(async ([path, text]) => [path, await formatted(path, text)])));
});

test.each(acceptedCases)('has no line that is too long: $name', ({ files }) => {
  const generated = [...files].filter(([path]) => path.startsWith('want/'));
  expect(generated.flatMap(([path, text]) => longLines(path, text))).toEqual([]);
});

test.each(acceptedCases)('has an OpenAPI document without fault: $name', async ({ files }) => {
  expect(await openApiFaults(files.get('want/openapi.json') ?? '')).toEqual([]);
});

describe('boots, and keeps a record of every resource', () => {
  const serverOf = ({ name }: Case): string => join(folder, name, 'server.ts');
  let servers: Servers;

  beforeAll(async () => {
    servers = new Servers(drawn.map(serverOf), (file) => `sqlite:${join(folder, `${basename(dirname(file))}.db`)}`);
    await servers.started();
  });

  afterAll(async () => expect(await servers.stop()).toBe(0));

  test.each(drawn)('$name', async (aCase) => {
    const all = readService(aCase.specs).service?.resources ?? [];
    expect(all.length).toBeGreaterThan(0);
    const server = servers.of(serverOf(aCase));
    for (const resource of all) await exercise(server, resource, all);
  });
});

test.each(['one\ntwo', 'one\r\ntwo', 'one\u2028two', '*/ one /*', '// one', '`${one}` "two" \'three\' \\'])(
  'a text stays a text, and a comment a comment: %j',
  async (text) => {
    const resource = {
      kind: 'record',
      doc: text,
      fields: { status: { enum: [text, 'two'], default: text, doc: text }, other: { default: text } },
      transitions: { go: { from: text, to: 'two' }, back: { from: ['two', 'three'], to: text, field: 'other' } },
    };
    const files = new Map([
      ['spec/service.yaml', JSON.stringify({ name: 'shop', title: text, doc: text, version: '1.0.0', license: 'MIT' })],
      ['spec/crm/lead.yaml', JSON.stringify(resource)],
    ]);
    const generated = [...(await generate(files)).files];
    const code = generated.filter(([path]) => path.endsWith('.ts'));
    expect(code).toHaveLength(8);
    expect(code).toEqual(await Promise.all(code.map(async ([path, was]) => [path, await formatted(path, was)])));
  },
);

test("the document of the tests' own service is without fault", async () => {
  expect(await openApiFaults(readFileSync(join(testProject, 'generated/openapi.json'), 'utf8'))).toEqual([]);
});

test("the files of the tests' own service have no line that is too long", () => {
  const files = [...readTree(join(testProject, 'generated'))];
  expect(files.length).toBeGreaterThan(20);
  expect(files.flatMap(([path, text]) => longLines(path, text))).toEqual([]);
});
