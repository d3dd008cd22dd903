import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { readIfExists } from '../../generator/read/files.ts';
import { generate } from '../../generator/generate.ts';
import { readGenerated, writeGenerated } from '../../generator/cli/generated-files.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { Commands, type Run, runFile } from '../support/commands.ts';
import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { projectRoot, testProject } from '../support/server.ts';
import { readTree } from './golden.ts';

const folder = mkdtempSync(join(tmpdir(), 'records-interrupted-'));
const command = join(projectRoot, 'generator/cli/generate.ts');
const killer = pathToFileURL(join(projectRoot, 'test/support/kill-at.ts')).href;

const commands = new Commands();
/** A project that is up to date with an older spec, and has left-overs of a run with that. */
const base = join(folder, 'base');
let projects = 0;

/** The versions of a spec; each replaces the one before it. */
const versions: Readonly<Record<'older' | 'newer' | 'newest', (root: string) => void>> = {
  older(root) {
    for (const path of ['service.yaml', 'crm/lead.yaml', 'assets/machine.yaml']) {
      cpSync(join(testProject, 'spec', path), join(root, 'spec', path));
    }
  },
  newer(root) {
    rmSync(join(root, 'spec/assets'), { recursive: true, force: true });
    edit(root, 'spec/crm/lead.yaml', 'colour');
    cpSync(join(testProject, 'spec/crm/competitor.yaml'), join(root, 'spec/market/competitor.yaml'));
  },
  newest(root) {
    rmSync(join(root, 'spec/market'), { recursive: true, force: true });
    edit(root, 'spec/crm/lead.yaml', 'shade');
  },
};

/** Gives a spec a field unless it has it; atomically, so that no reader sees half of it. */
function edit(root: string, path: string, field: string): void {
  const file = join(root, path);
  const text = readFileSync(file, 'utf8');
  if (text.includes(`  ${field}:\n`)) return;
  writeFileSync(`${file}.new`, text.replace('fields:\n', `fields:\n  ${field}:\n`));
  renameSync(`${file}.new`, file);
}

function project(pattern = base): string {
  const root = join(folder, `project-${(projects += 1)}`);
  cpSync(pattern, root, { recursive: true });
  return root;
}

const start = (root: string, env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, [command], { cwd: root, env: { ...process.env, ...env }, stdio: 'ignore' });

/** Ends well: exit code 0. */
const endsWell = async (child: ChildProcess): Promise<void> => expect(await once(child, 'exit')).toEqual([0, null]);

/** Runs the generator until it is killed at a change of the file system. */
async function killedAt(root: string, change: number): Promise<void> {
  const child = start(root, { NODE_OPTIONS: `--import ${killer}`, KILL_AT: String(change) });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

/** Everything in `generated/`, folders too. */
const namesIn = (root: string): string[] =>
  readdirSync(join(root, 'generated'), { recursive: true, encoding: 'utf8' }).toSorted();

/** Whether `generated/` has these files, maybe beside others that nothing imports. */
const has = (root: string, files: ReadonlyMap<string, string>): boolean =>
  [...files].every(([path, content]) => readIfExists(join(root, 'generated', path)) === content);

/** Expects `generated/` to be what the spec gives, with nothing beside it. */
async function expectUpToDate(root: string): Promise<void> {
  const { files } = await generate(readSpecs(root));
  expect(files.size).toBeGreaterThan(0);
  expect(readTree(join(root, 'generated'))).toEqual(files);
  const folders = [...files.keys()].flatMap((path) => (path.includes('/') ? [path.slice(0, path.indexOf('/'))] : []));
  expect(namesIn(root)).toEqual([...new Set([...files.keys(), ...folders])].toSorted());
  expect(await commands.run('generate', root, ['--check'])).toEqual({ code: 0, stdout: '', stderr: '' });
}

let changes = 0;

beforeEach(repeatable);

beforeAll(async () => {
  mkdirSync(join(base, 'node_modules'), { recursive: true });
  versions.older(base);
  expect((await commands.run('generate', base)).code).toBe(0);
  // How many changes a whole run makes.
  const root = project();
  versions.newer(root);
  const file = join(folder, 'changes');
  await endsWell(start(root, { NODE_OPTIONS: `--import ${killer}`, CHANGES: file }));
  changes = Number(readFileSync(file, 'utf8'));
  await expectUpToDate(root);
});

afterAll(() => {
  commands[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

test('a run changes the file system often enough for these tests', () => {
  expect(changes).toBeGreaterThan(15);
});

/** The changes at which runs are killed: a tenth of them, and all with TEST_FULL=1. */
const killPoints = (count: number): number[] =>
  new Random(seed)
    .shuffled(Array.from({ length: count }, (_, index) => index + 1))
    .slice(0, longRounds(Math.ceil(count / 10), count));

describe('a run that is killed at any change of a file', () => {
  /** Projects, with the changes at which their runs were killed. */
  const killed: [root: string, why: string][] = [];

  beforeAll(async () => {
    for (const change of killPoints(changes)) {
      const root = project();
      versions.newer(root);
      await killedAt(root, change);
      killed.push([root, `killed at change ${change}`]);
    }
  }, 600_000);

  /** The next run makes `generated/` what the spec gives then. */
  async function expectRepaired(edited: (root: string) => void): Promise<void> {
    expect(killed).not.toEqual([]);
    for (const [pattern, why] of killed) {
      const root = project(pattern);
      edited(root);
      expect((await commands.run('generate', root)).code, why).toBe(0);
      await expectUpToDate(root);
      rmSync(root, { recursive: true });
    }
  }

  test('is noticed by a start, and repaired by the next run', async () => {
    const older = (await generate(readSpecs(base))).files;
    for (const [root, why] of killed) {
      const isMarked = readGenerated(root).staging.length > 0;
      const isWhole = has(root, older) || has(root, (await generate(readSpecs(root))).files);
      expect(isMarked || isWhole, why).toBe(true);
    }
    await expectRepaired(() => {});
  });

  test('is removed by the next run, where the spec has changed meanwhile', () => expectRepaired(versions.newest));

  test('is removed by the next run, where the spec is again as before', () =>
    expectRepaired((root) => {
      rmSync(join(root, 'spec'), { recursive: true });
      versions.older(root);
    }));
});

/** A command of the generated server. It changes nothing. */
const plan = (root: string): Promise<Run> =>
  runFile(join(root, 'generated/server.ts'), root, ['migrate', '--plan'], {
    ...process.env,
    NODE_OPTIONS: '-r ./runtime/cli/prepare-node.cjs',
    DATABASE_URL: '',
  });

test('the server does not start after a killed run, until the next run', async () => {
  const root = project();
  rmSync(join(root, 'node_modules'), { recursive: true });
  for (const name of ['runtime', 'node_modules']) symlinkSync(join(projectRoot, name), join(root, name));
  // The files of the new resource are written, and the list of the tables is not.
  versions.newer(root);
  await killedAt(root, Math.ceil(changes / 2));
  expect(await plan(root)).toMatchObject({
    code: 1,
    stdout: '',
    stderr:
      'generated may be a mixture of two versions: the generator was interrupted, or is still running. ' +
      'Run `npm run generate`.\n',
  });
  expect((await commands.run('generate', root)).code).toBe(0);
  expect((await plan(root)).code).toBe(3);
});

test('a run that fails in the middle leaves the folder that a start notices', () => {
  const root = project();
  const changed = ['app.ts', `${'long-'.repeat(100)}.ts`];
  const files = new Map(changed.map((path) => [path, '']));
  expect(() => writeGenerated(root, files, { changed, stale: [], staging: [], empty: [] })).toThrow('long-');
  expect(readGenerated(root).staging).toHaveLength(1);
});

test('a folder of an interrupted run fails the check, and only the next run removes it', async () => {
  const root = project();
  mkdirSync(join(root, 'generated/.writing-123456'));
  writeFileSync(join(root, 'generated/.writing-123456/file'), 'half of a fi');
  const { code, stderr } = await commands.run('generate', root, ['--check']);
  expect(code).toBe(1);
  expect(stderr).toContain('generated/.writing-123456 was left by a run that was interrupted.');
  expect(namesIn(root)).toContain('.writing-123456');
  expect((await commands.run('generate', root)).stdout).toBe('removed  generated/.writing-123456\n');
  await expectUpToDate(root);
});

test('an empty file, as a power failure leaves it, is written again', async () => {
  const root = project();
  writeFileSync(join(root, 'generated/crm/lead.schema.ts'), '');
  expect((await commands.run('generate', root)).code).toBe(0);
  await expectUpToDate(root);
});

test('runs that are killed at any moment', async () => {
  const random = new Random(seed);
  const root = project();
  for (let round = 0; round < longRounds(3, 100); round += 1) {
    rmSync(join(root, 'generated'), { recursive: true, force: true });
    versions[random.of(['older', 'newer', 'newest'] as const)](root);
    const child = start(root);
    const exit = once(child, 'exit');
    const isWriting = (): boolean => readdirSync(root).includes('generated');
    while (!isWriting() && child.exitCode === null) await sleep(1);
    await sleep(random.below(30));
    child.kill('SIGKILL');
    await exit;
    expect((await commands.run('generate', root)).code, `round ${round}`).toBe(0);
    await expectUpToDate(root);
  }
});

describe('two runs at once both end well', () => {
  test('with the same spec', async () => {
    for (let round = 0; round < longRounds(2, 40); round += 1) {
      const root = project();
      versions.newer(root);
      await Promise.all([start(root), start(root), ...(round % 2 === 0 ? [] : [start(root)])].map(endsWell));
      await expectUpToDate(root);
      rmSync(root, { recursive: true });
    }
  });

  test('with a spec that is edited meanwhile', async () => {
    const random = new Random(seed);
    for (let round = 0; round < longRounds(2, 40); round += 1) {
      const root = project();
      versions.newer(root);
      const first = endsWell(start(root));
      await sleep(random.below(500));
      edit(root, 'spec/crm/lead.yaml', 'hue');
      await Promise.all([first, endsWell(start(root))]);
      await expectUpToDate(root);
      rmSync(root, { recursive: true });
    }
  });
});
