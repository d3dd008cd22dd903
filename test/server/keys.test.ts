import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

import { keyBeside } from '../../runtime/features/keys/key-file.ts';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { testKey, testProject } from '../support/server.ts';
import { skip } from '../support/skip.ts';
import { Command, Folder, serverCommand } from './command.ts';

const list = '/api/crm/competitor';

/** The status of a request with this Authorization header. */
async function statusWith(url: string, authorization: string): Promise<number> {
  const response = await fetch(url + list, { headers: { authorization } });
  await response.text();
  return response.status;
}

describe.concurrent('without API_KEYS', () => {
  test('the first start makes files that only their owner can read, and a key that is kept', async () => {
    using folder = new Folder();
    const file = folder.file('data/api-key');
    // A umask of nothing, so that it is the server that keeps others out.
    const script = `umask 0; exec '${process.execPath}' '${join(testProject, 'generated/server.ts')}'`;
    await using first = new Command('sh', ['-c', script], { cwd: folder.path, env: { PORT: '0' } });
    const url = await first.url();
    const text = readFileSync(file, 'utf8');
    const key = text.trim();
    expect(text).toMatch(/^[0-9a-f]{64}\n$/); // 256 bits
    const modeOf = (name: string): string => (statSync(folder.file(name)).mode & 0o777).toString(8);
    const files = ['api-key', 'records.db', 'records.db-wal', 'records.db-shm'];
    expect(files.map((name) => modeOf(`data/${name}`))).toEqual(files.map(() => '600'));
    expect(modeOf('data')).toBe('700');
    expect(await statusWith(url, `Bearer ${key}`)).toBe(200);
    expect(await statusWith(url, `Bearer ${key}x`)).toBe(401);
    expect(readdirSync(folder.path)).toEqual(['data']);
    expect(readdirSync(folder.file('data')).filter((name) => !name.startsWith('records.db'))).toEqual(['api-key']);

    const end = await first.stop();
    expect(end.code).toBe(0);
    expect(
      end.stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    ).toEqual(['A request had a wrong API key.']);
    expect(end.stdout).toContain(join('data', 'api-key'));
    expect(end.stdout).not.toContain(key);

    await using second = serverCommand({ cwd: folder.path });
    expect(await statusWith(await second.url(), `Bearer ${key}`)).toBe(200);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect((await second.stop()).stdout).not.toContain(key);
  });

  test('several first starts in one folder agree on one key', async () => {
    using folder = new Folder();
    const start = () => serverCommand({ cwd: folder.path });
    await using one = start();
    await using two = start();
    await using three = start();
    const urls = await Promise.all([one, two, three].map((server) => server.url()));
    const key = readFileSync(folder.file('data/api-key'), 'utf8').trim();
    expect(await Promise.all(urls.map((url) => statusWith(url, `Bearer ${key}`)))).toEqual([200, 200, 200]);
    expect(readdirSync(folder.file('data')).filter((name) => !name.startsWith('records.db'))).toEqual(['api-key']);
    // They share the database too: what each has written, all show.
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    for (const url of urls) {
      const response = await fetch(url + list, { method: 'POST', headers, body: '{"competitor_name":"Acme"}' });
      expect(response.status, await response.text()).toBe(201);
    }
    const pages = urls.map(async (url) => (await fetch(url + list, { headers })).json());
    expect((await Promise.all(pages)).map((page) => (page as { total: number }).total)).toEqual([3, 3, 3]);
  });

  test('every folder gets a key of its own, once', () => {
    using folder = new Folder();
    using other = new Folder();
    const made = keyBeside(folder.file('records.db'));
    expect(made).toEqual({ key: expect.any(String), file: folder.file('api-key') });
    expect(keyBeside(folder.file('records.db'))).toEqual(made);
    expect(keyBeside(other.file('records.db')).key).not.toBe(made.key);
  });

  test.each([
    ['is empty', (file: string) => writeFileSync(file, '\n')],
    ['holds words', (file: string) => writeFileSync(file, 'no key at all\n')],
    ['is a folder', (file: string) => mkdirSync(file)],
  ])('a key file that %s is refused', (_, make) => {
    using folder = new Folder();
    const file = folder.file('api-key');
    make(file);
    let error: unknown;
    try {
      keyBeside(folder.file('records.db'));
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(CliError);
    expect((error as CliError).message).toContain(file);
    expect(readdirSync(folder.path)).toEqual(['api-key']);
  });

  test.each(['666', '640', '604', '602'])('a key file of mode %s is refused, with what to do', (mode) => {
    using folder = new Folder();
    const { file } = keyBeside(folder.file('records.db'));
    chmodSync(file, mode);
    const read = () => keyBeside(folder.file('records.db'));
    expect(read).toThrow(CliError);
    expect(read).toThrow(`its mode is ${mode}`);
    expect(read).toThrow(`chmod 600 ${file}`);
    chmodSync(file, 0o400);
    expect(read().file).toBe(file);
  });
});

test.concurrent(
  '--show-key prints a key that someone has put there, and a line for curl that works',
  async (context) => {
    using folder = new Folder();
    mkdirSync(folder.file('data'));
    const key = 'a-key-of-my-own-choice';
    writeFileSync(folder.file('data/api-key'), `  ${key}\n`, { mode: 0o600 });
    await using server = serverCommand({ cwd: folder.path }, '--show-key');
    const url = await server.url();
    const line = (): string | undefined => /curl .*(?=\n)/.exec(server.stdout)?.[0];
    await expect.poll(line, { timeout: 20_000 }).toBeDefined();
    expect(server.stdout.split('\n').filter((text) => text.includes(key) && !text.includes('curl'))).toHaveLength(1);
    expect(await statusWith(url, `Bearer ${key}`)).toBe(200);
    expect(line()).toContain(url);
    if (spawnSync('curl', ['--version']).error) return skip(context, 'there is no curl');
    await using curl = new Command('sh', ['-c', line() ?? ''], { cwd: folder.path });
    const { code, stdout } = await curl.end();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ data: [], has_more: false, total: 0 });
  },
);

describe.concurrent('with API_KEYS', () => {
  const keys = ['first-key-0123456789', 'second.key~2.0123456789', 'third/key+3/0123456789=='];

  test('each of them opens, none is printed, and no file is made', async () => {
    using folder = new Folder();
    await using server = serverCommand({ cwd: folder.path, env: { API_KEYS: ` ${keys.join(' , ')},` } });
    const url = await server.url();
    for (const key of keys) expect(await statusWith(url, `Bearer ${key}`), key).toBe(200);
    for (const key of ['', ',', 'first', `${keys[0]},${keys[1]}`, `${keys[0]} ${keys[1]}`, keys[0]?.toUpperCase()]) {
      expect(await statusWith(url, `Bearer ${key}`), key).toBe(401);
    }
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) {
      expect(await statusWith(url, `${scheme} ${keys[0]}`), scheme).toBe(200);
      expect(await statusWith(url, `${scheme} no`), scheme).toBe(401);
    }
    expect(await statusWith(url, `Basic ${keys[0]}`)).toBe(401);
    const { stdout, stderr } = await server.stop();
    for (const key of keys) expect(stdout + stderr).not.toContain(key);
    expect(existsSync(folder.file('data/api-key'))).toBe(false);
  });

  test('the key of an earlier start neither opens nor is shown', async () => {
    using folder = new Folder();
    mkdirSync(folder.file('data'));
    writeFileSync(folder.file('data/api-key'), 'kept-key-0123456789\n');
    await using server = serverCommand({ cwd: folder.path, env: { API_KEYS: testKey } }, '--show-key');
    const url = await server.url();
    expect(await statusWith(url, `Bearer ${testKey}`)).toBe(200);
    expect(await statusWith(url, 'Bearer kept-key-0123456789')).toBe(401);
    expect((await server.stop()).stdout).not.toContain('kept-key');
  });
});
