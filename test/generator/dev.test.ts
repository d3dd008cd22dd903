import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { Random } from '../support/random.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { projectRoot, testProject } from '../support/server.ts';

/** `npm run dev` in a project of its own. */
class Dev implements Disposable {
  // Inside of the project, where imports find its packages.
  readonly root = mkdtempSync(join(projectRoot, 'test/.tmp-dev-'));
  readonly process: ChildProcess;
  output = '';

  constructor(env: NodeJS.ProcessEnv = {}) {
    symlinkSync(join(projectRoot, 'runtime'), join(this.root, 'runtime'));
    for (const path of ['spec/service.yaml', 'spec/crm/competitor.yaml']) {
      cpSync(join(testProject, path), join(this.root, path));
    }
    const own = { PORT: '0', HOST: '127.0.0.1', API_KEYS: '', DATABASE_URL: '' };
    this.process = spawn(process.execPath, [join(projectRoot, 'generator/cli/dev.ts')], {
      cwd: this.root,
      env: { ...process.env, ...own, ...env },
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Waits until the output after `from` has this text. @returns where the output ends. */
  async printed(text: string | RegExp, from: number): Promise<number> {
    for (let waited = 0; waited < 30_000; waited += 20) {
      const rest = this.output.slice(from);
      if (typeof text === 'string' ? rest.includes(text) : text.test(rest)) return this.output.length;
      await sleep(20);
    }
    throw new Error(`Not printed in time: ${String(text)}\n${this.output}`);
  }

  /** Runs the last printed curl line, as a user pastes it; `path` and `more` are appended. */
  paste(more = '', path = ''): unknown {
    const line = [...this.output.matchAll(/curl .*$/gm)].at(-1)?.[0] ?? '';
    return JSON.parse(execFileSync('sh', ['-c', `${line}${path} -s ${more}`], { encoding: 'utf8', stdio: 'pipe' }));
  }

  /** The URL of the server that was started last. */
  get url(): string {
    return /http:\/\/127\.0\.0\.1:\d+(?![\s\S]*127\.0\.0\.1:\d+)/.exec(this.output)?.[0] ?? '';
  }

  /** Waits until the server that was started last answers no more. */
  async serverEnded(): Promise<void> {
    const { url } = this;
    for (let waited = 0; waited < 20_000; waited += 50) {
      const answers = await fetch(`${url}/healthz`).then(
        () => true,
        () => false,
      );
      if (!answers) return;
      await sleep(50);
    }
    throw new Error(`${url} still answers.`);
  }

  [Symbol.dispose](): void {
    this.process.kill('SIGKILL');
    rmSync(this.root, { recursive: true, force: true });
  }
}

let dev: Dev;

beforeEach(repeatable);

beforeAll(async () => {
  dev = new Dev();
  await dev.printed(/curl .*\n/, 0);
});

afterAll(() => dev[Symbol.dispose]());

test('generates, serves, and prints a curl line that works when pasted', () => {
  expect(dev.output).toContain('wrote    generated/crm/competitor.schema.ts');
  for (const line of ['API:       ', 'Reference: ', 'Console:   ', 'API key:   '])
    expect(dev.output).toContain(`\n  ${line}`);
  expect(dev.paste()).toEqual({ data: [], has_more: false, total: 0 });
});

test('follows a save, shows what is wrong with a spec and goes on serving, and ends with exit code 0', async () => {
  const spec = dev.path('spec/crm/competitor.yaml');
  const good = readFileSync(spec, 'utf8');
  let end = dev.output.length;

  writeFileSync(spec, good.replace('  website:', '  market:\n  website:'));
  await dev.printed('wrote    generated/crm/competitor.schema.ts', end);
  await dev.printed('changed  crm/competitor: market added\n', end);
  await dev.printed(/curl .*\n/, end);
  const body = `-H 'Content-Type: application/json' -d '{"competitor_name": "Acme", "market": "EU"}'`;
  expect(dev.paste(body)).toMatchObject({ competitor_name: 'Acme', market: 'EU', website: null });

  end = dev.output.length;
  writeFileSync(spec, good.replace('  website:', '  market: strin\n  website:'));
  await dev.printed('unknown type "strin"', end);
  await dev.printed(/\^{5}/, end);
  expect(dev.paste()).toMatchObject({ total: 1 });

  // The former text again: there is nothing to write.
  end = dev.output.length;
  writeFileSync(spec, good.replace('  website:', '  market:\n  website:'));
  await dev.printed('spec/ has no errors any more; generated/ is up to date.', end);

  end = dev.output.length;
  writeFileSync(spec, good);
  await dev.printed(
    'changed  crm/competitor: market removed (breaking)\nspec/crm/competitor.yaml: market is gone.',
    end,
  );
  await dev.printed(/curl .*\n/, end);
  expect(dev.paste()).toMatchObject({ total: 1, data: [expect.not.objectContaining({ market: 'EU' })] });

  const { url } = dev;
  dev.process.kill('SIGINT');
  expect(await once(dev.process, 'exit')).toEqual([0, null]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test('goes on serving the spec before a save that the rows do not fit, until they do', async () => {
  using other = new Dev();
  await other.printed(/curl .*\n/, 0);
  const record = (body: object): unknown =>
    other.paste(`-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`);
  record({ competitor_name: 'Acme' });
  const spec = other.path('spec/crm/competitor.yaml');
  const good = readFileSync(spec, 'utf8');
  let end = other.output.length;
  writeFileSync(spec, good.replace('  website:', '  website: { required: true }'));
  end = await other.printed('The server goes on with the spec before this save', end);
  expect(other.output).toContain(
    'The field website of competitor is required, and 1 row has no value. Give the field a `backfill`',
  );
  expect(other.output).not.toContain('Steps without that');
  expect(record({ competitor_name: 'Brown' })).toMatchObject({ website: null });
  // The same spec again, once the rows fit it.
  const { data } = other.paste() as { data: { id: string }[] };
  for (const { id } of data)
    other.paste(`-X PATCH -H 'Content-Type: application/json' -d '{"website": "https://a.example"}'`, `/${id}`);
  writeFileSync(spec, `${readFileSync(spec, 'utf8')}\n`);
  await other.printed(/curl .*\n/, end);
  expect(record({ competitor_name: 'Cole' })).toMatchObject({ status: 422 });
});

/** Bad saves, each with the message about it. */
const troubles: readonly (readonly [name: string, spoil: (dev: Dev, spec: string) => void, said: string | RegExp])[] = [
  ['a binary file', (_, spec) => writeFileSync(spec, Buffer.alloc(5_000)), 'the control character U+0000'],
  ['an alias of itself', (_, spec) => writeFileSync(spec, 'kind: &a [*a]\n'), 'a spec has no aliases, like *a'],
  ['brackets without end', (_, spec) => writeFileSync(spec, '['.repeat(50_000)), 'nested too deeply'],
  [
    'a folder where the file was',
    (_, spec) => {
      rmSync(spec);
      mkdirSync(spec);
    },
    'spec/crm/competitor.yaml: a folder where a file belongs',
  ],
  [
    'a link in a circle',
    (_, spec) => {
      rmSync(spec);
      symlinkSync('competitor.yaml', spec);
    },
    'spec/crm/competitor.yaml: a symbolic link',
  ],
  [
    'a link to the folder above',
    ({ root }) => symlinkSync('..', join(root, 'spec/crm/up')),
    'spec/crm/up: a symbolic link',
  ],
  [
    'no spec at all',
    ({ root }) => rmSync(join(root, 'spec'), { recursive: true }),
    'spec/service.yaml:1:1: the file is missing',
  ],
  [
    'a file where the folder was',
    ({ root }) => {
      rmSync(join(root, 'spec'), { recursive: true });
      writeFileSync(join(root, 'spec'), '');
    },
    'spec: a file where a folder belongs',
  ],
  [
    'a file where code is generated',
    ({ root }, spec) => {
      rmSync(join(root, 'generated'), { recursive: true });
      writeFileSync(join(root, 'generated'), '');
      writeFileSync(spec, `${readFileSync(spec, 'utf8')}  market:\n`);
    },
    'a file stands where a folder belongs; move it',
  ],
];

test('goes on serving whatever a save brings, and follows the next one', async () => {
  using other = new Dev();
  await other.printed(/curl .*\n/, 0);
  const specs = other.path('spec');
  const saved = other.path('saved');
  cpSync(specs, saved, { recursive: true });
  for (const [name, spoil, said] of new Random(seed).shuffled(troubles).slice(0, rounds(1, 4, troubles.length))) {
    let end = other.output.length;
    spoil(other, other.path('spec/crm/competitor.yaml'));
    await other.printed(said, end);
    expect(other.output.slice(end), name).not.toMatch(/^ +at /m);
    expect(other.paste(), name).toMatchObject({ total: 0 });
    // Back to what was right, with a change that is followed.
    end = other.output.length;
    rmSync(specs, { recursive: true, force: true });
    if (readdirSync(other.root).includes('generated') && statSync(other.path('generated')).isFile())
      rmSync(other.path('generated'));
    cpSync(saved, specs, { recursive: true });
    writeFileSync(other.path('spec/crm/extra.yaml'), `kind: record\ndoc: After ${name}.\nfields:\n  name:\n`);
    await other.printed('generated/crm/extra.schema.ts', end);
    await other.printed(/curl .*\n/, end);
    end = other.output.length;
    rmSync(other.path('spec/crm/extra.yaml'));
    await other.printed('removed  generated/crm/extra.schema.ts', end);
    await other.printed(/curl .*\n/, end);
  }
});

const ends: readonly (readonly [string, (dev: Dev) => void])[] = [
  ['is killed', (other) => other.process.kill('SIGKILL')],
  ['throws', (other) => other.process.kill('SIGUSR2')],
  ['is stopped', (other) => other.process.kill('SIGTERM')],
  ['loses its terminal', (other) => other.process.kill('SIGHUP')],
];

test.each(ends.slice(0, rounds(2, ends.length)))('leaves no server behind when it %s', async (_, end) => {
  const throwing = `process.on('SIGUSR2', () => { throw new Error('A bug.'); })`;
  using other = new Dev({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(throwing)}` });
  await other.printed(/curl .*\n/, 0);
  end(other);
  await once(other.process, 'exit');
  await other.serverEnded();
});
