import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { messageOf } from '../../generator/read/system-error.ts';
import { Commands, type Run } from '../support/commands.ts';
import { testProject } from '../support/server.ts';
import { skip } from '../support/skip.ts';
import { readTree } from './golden.ts';

const commands = new Commands();
const folder = mkdtempSync(join(tmpdir(), 'refusals-'));
const pattern = join(folder, 'pattern');
const spec = 'spec/crm/lead.yaml';
let root = '';
let projects = 0;

const at = (path: string): string => join(root, path);

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
}

beforeAll(async () => {
  for (const path of ['spec/service.yaml', spec]) cpSync(join(testProject, path), join(pattern, path));
  expect((await commands.run('generate', pattern)).code).toBe(0);
});

beforeEach(() => {
  root = join(folder, `project-${(projects += 1)}`);
  cpSync(pattern, root, { recursive: true });
});

afterAll(() => {
  commands[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const generated = (): ReadonlyMap<string, string> => readTree(at('generated'));

/** A run that was refused, with these lines and none of a stack trace. */
function expectRefused({ code, stdout, stderr }: Run, lines: readonly string[]): void {
  expect(code).not.toBe(0);
  expect(stderr).not.toMatch(/^ +at |node:internal/m);
  expect(stdout).toBe('');
  expect(stderr.trimEnd().split('\n')).toEqual(lines);
}

/** Every command that reads specs refuses them with these lines, and leaves what was generated. */
async function expectRefusal(...lines: readonly string[]): Promise<void> {
  const before = generated();
  expectRefused(await commands.run('generate', root), lines);
  expectRefused(await commands.run('generate', root, ['--check']), lines);
  expectRefused(await commands.run('new', root, ['crm/other']), lines);
  expect(generated()).toEqual(before);
}

const link = 'a symbolic link, which Git stores without its content; put the file or folder itself there.';

describe('a file that spec/ cannot hold', () => {
  test('a link to a file', async () => {
    renameSync(at(spec), at('lead.yaml'));
    symlinkSync('../../lead.yaml', at(spec));
    await expectRefusal(`${spec}: ${link}`);
  });

  test('a link to a folder, and to nothing', async () => {
    renameSync(at('spec/crm'), at('crm'));
    symlinkSync('../crm', at('spec/crm'));
    symlinkSync('gone.yaml', at('spec/gone.yaml'));
    await expectRefusal(`spec/crm: ${link}`, `spec/gone.yaml: ${link}`);
  });

  test('links in a circle', async () => {
    symlinkSync('.', at('spec/crm/again'));
    symlinkSync('b.yaml', at('spec/crm/a.yaml'));
    symlinkSync('a.yaml', at('spec/crm/b.yaml'));
    await expectRefusal(...['a.yaml', 'again', 'b.yaml'].map((name) => `spec/crm/${name}: ${link}`));
  });

  test('nothing else but a link', async () => {
    renameSync(at('spec'), at('specs'));
    symlinkSync('specs', at('spec'));
    await expectRefusal(`spec: ${link}`);
  });

  test('a folder where a file belongs', async () => {
    rmSync(at(spec));
    mkdirSync(at(spec));
    await expectRefusal(`${spec}: a folder where a file belongs; move or rename it.`);
  });

  test('a file where a folder belongs', async () => {
    rmSync(at('spec/crm'), { recursive: true });
    put('spec/crm', 'kind: record\n');
    await expectRefusal('spec/crm: a file where a folder belongs; move or rename it.');
    rmSync(at('spec'), { recursive: true });
    put('spec', 'kind: record\n');
    await expectRefusal('spec: a file where a folder belongs; move or rename it.');
  });

  test('a pipe, which a reader would wait for', async () => {
    rmSync(at(spec));
    execFileSync('mkfifo', [at(spec)]);
    await expectRefusal(`${spec}: not a regular file; remove it.`);
  });

  test('a file that is larger than any spec', async () => {
    put(spec, '');
    truncateSync(at(spec), 3 * 2 ** 30);
    await expectRefusal(`${spec}: ${3 * 2 ** 30} bytes long; a spec file can have at most ${2 ** 24}.`);
  });

  test.each(['lead.yml', 'lead.YAML', 'lead.Yml'])('%s, whose generated code would be removed', async (name) => {
    renameSync(at(spec), at(`spec/crm/${name}`));
    const before = generated();
    const { code, stderr } = await commands.run('generate', root);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^spec/crm/${name}:2:1: the path must be .*; rename it to ${spec}$`, 'm'));
    expect(generated()).toEqual(before);
  });

  test('but the mark of an editor on a file that is edited', async () => {
    symlinkSync('somebody@example.com.1234:5678', at('spec/crm/.#lead.yaml'));
    symlinkSync('nowhere', at('spec/.#service.yaml'));
    expect(await commands.run('generate', root, ['--check'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a file that is not UTF-8', () => {
  test.each<[string, (text: string) => Uint8Array, string]>([
    [
      'ISO 8859-1',
      (text) => Buffer.from(text.replace('doc: ', 'doc: Größe. '), 'latin1'),
      'the byte here is not UTF-8',
    ],
    ['UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'the file is in UTF-16'],
    ['an image', () => Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'the byte here is not UTF-8'],
    ['zeros', () => Buffer.alloc(100_000), 'the control character U+0000'],
  ])('%s', async (_, encode, message) => {
    put(spec, encode(readFileSync(at(spec), 'utf8')));
    const before = generated();
    const { code, stderr } = await commands.run('generate', root);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\n\n1 error in spec\/; nothing was written\.\n$/);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(generated()).toEqual(before);
  });

  test('but a byte order mark is read over', async () => {
    put(spec, `\ufeff${readFileSync(at(spec), 'utf8')}`);
    expect(await commands.run('generate', root, ['--check'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a generated/ that cannot be written', () => {
  test('a file', async () => {
    rmSync(at('generated'), { recursive: true });
    put('generated', '');
    const { code, stderr } = await commands.run('generate', root);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^generated: .*; a file stands where a folder belongs; move it\.\n$/);
  });

  test('a file where a folder belongs', async () => {
    rmSync(at('generated/crm'), { recursive: true });
    put('generated/crm', '');
    const { code, stderr } = await commands.run('generate', root);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `generated/crm was not generated and stands where generated code belongs; move it. Nothing was written.\n`,
    );
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('a folder where a file belongs', async () => {
    rmSync(at('generated/crm/lead.schema.ts'));
    put('generated/crm/lead.schema.ts/mine.md', 'Mine.\n');
    const { code, stderr } = await commands.run('generate', root);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^generated\/crm\/lead\.schema\.ts was not generated and stands where generated code belongs; move it\./m,
    );
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('a disk that is full', (context) => {
    // Every write to it fails.
    if (!existsSync('/dev/full')) return skip(context, 'there is no /dev/full');
    let message: string | undefined;
    try {
      writeFileSync('/dev/full', 'x');
    } catch (error) {
      message = messageOf(error);
    }
    expect(message).toBe('A file: cannot be written: no space left on device; free some space.');
  });
});

describe('a file that permissions refuse', () => {
  // A user other than root, because permissions do not apply to root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const commandsOfNobody = new Commands(process.env, nobody);
  const generateAsNobody = (): Promise<Run> => commandsOfNobody.run('generate', root);

  /** The first run tells whether that user can run the generator. */
  let firstRun: Promise<string> | undefined;

  beforeEach(async (context) => {
    chmodSync(folder, 0o755);
    execFileSync('chmod', ['-R', 'a+rwX', root]);
    const failure = await (firstRun ??= generateAsNobody().then(({ stderr }) => stderr, String));
    if (failure) skip(context, `only root can run the generator here: ${failure.slice(0, 200)}`);
  });

  afterAll(() => commandsOfNobody[Symbol.dispose]());

  test('a spec that cannot be read', async () => {
    chmodSync(at(spec), 0);
    chmodSync(at('spec/service.yaml'), 0);
    const why = 'cannot be opened: permission denied; check its owner and its mode.';
    expectRefused(await generateAsNobody(), [`${spec}: ${why}`, `spec/service.yaml: ${why}`]);
  });

  test('a folder of specs that cannot be read', async () => {
    chmodSync(at('spec/crm'), 0);
    const { code, stderr } = await generateAsNobody();
    expect(code).toBe(1);
    expect(stderr).toBe('spec/crm: cannot be read: permission denied; check its owner and its mode.\n');
  });

  test('a folder that cannot be written', async () => {
    rmSync(at('generated'), { recursive: true });
    chmodSync(root, 0o555);
    const { code, stderr } = await generateAsNobody();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^generated\b.*: cannot be \w+: permission denied; check its owner and its mode\.\n$/);
  });
});

describe('Git', () => {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });

  beforeEach(() => {
    git('init', '-q', '-b', 'main');
  });

  test('a link in a commit is refused as one on the disk', async () => {
    renameSync(at(spec), at('lead.yaml'));
    symlinkSync('../../lead.yaml', at(spec));
    git('add', '.');
    git('commit', '-q', '-m', 'A link');
    rmSync(at(spec));
    renameSync(at('lead.yaml'), at(spec));
    const commit = git('rev-parse', '--short=12', 'HEAD').trim();
    const run = await commands.run('changes', root);
    expectRefused(run, [`In ${commit}, ${spec}: ${link}`]);
    expect(run.code).toBe(1);
    // The explanation of a stale file works without that commit.
    put('generated/app.ts', 'mine\n');
    const check = await commands.run('generate', root, ['--check']);
    expect(check.code).toBe(1);
    expect(check.stderr).not.toMatch(/^ +at /m);
  });

  test('other extensions and encodings are judged as those on the disk', async () => {
    renameSync(at(spec), at('spec/crm/lead.YAML'));
    git('add', '.');
    git('commit', '-q', '-m', 'An extension');
    renameSync(at('spec/crm/lead.YAML'), at(spec));
    const extension = await commands.run('changes', root);
    expect(extension.code).toBe(1);
    expect(extension.stderr).toContain(`has errors for this generator: spec/crm/lead.YAML:2:1: the path must be`);
    put(spec, Buffer.from('kind: record\ndoc: Größe.\n', 'latin1'));
    git('add', '.');
    git('commit', '-q', '-m', 'An encoding');
    put(spec, 'kind: record\ndoc: A size.\nfields:\n  name:\n');
    const encoding = await commands.run('changes', root);
    expect(encoding.stderr).toContain(
      'has errors for this generator: spec/crm/lead.yaml:2:8: the byte here is not UTF-8',
    );
  });
});

test('a missing spec/service.yaml comes with a template that is valid', async () => {
  rmSync(at('spec/service.yaml'));
  const { code, stderr } = await commands.run('generate', root);
  expect(code).toBe(1);
  const [first = '', ...lines] = stderr.split('\n');
  expect(first).toBe('spec/service.yaml:1:1: the file is missing; it holds what all resources share, like this:');
  const template = lines.slice(0, lines.indexOf('')).map((line) => line.slice(2));
  put('spec/service.yaml', `${template.join('\n')}\n`);
  expect(await commands.run('generate', root)).toMatchObject({ code: 0, stderr: '' });
});

test('a project without spec/ is told what to write first', async () => {
  rmSync(at('spec'), { recursive: true });
  const { code, stderr } = await commands.run('generate', root);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^spec\/service\.yaml:1:1: the file is missing; run this in the folder that has spec\/, or /);
});
