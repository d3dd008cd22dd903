import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { idOfKey } from '../../runtime/features/keys/format.ts';
import { Command, type End, Folder } from '../server/command.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines, type Row, type TestDatabase } from '../support/databases.ts';
import { projectRoot } from '../support/server.ts';

const everything = ['--name', 'test', '--scope', '*'];

for (const engine of engines) {
  describeEngine(engine, 'npm run keys', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await engine.create(service.tables);
      await (await database.open(service.tables)).close();
      await runInProcess(service, { DATABASE_URL: database.url }, 'organizations', 'create', 'acme-holding');
    });
    afterAll(() => database[Symbol.asyncDispose]());

    const run = (...args: string[]): Promise<End> =>
      runInProcess(service, { DATABASE_URL: database.url }, 'keys', ...args);
    const rows = (): Promise<Row[]> => database.query('select * from "_api_key" order by "id"');
    const rowOf = async (key: string): Promise<Row> => (await rows()).find(({ id }) => id === idOfKey(key)) as Row;

    async function created(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run('create', ...args);
      expect(code, stderr).toBe(0);
      // Text beside the key is on stderr, so that a script reads the key alone.
      expect(stderr).toContain('It is not shown again');
      return stdout.trim();
    }

    /** A command that is refused, and changes nothing. */
    async function refused(args: readonly string[], expected = 1): Promise<string> {
      const before = await rows();
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([expected, '']);
      expect(stderr).not.toMatch(/^\s+at |\w*Error\b/m);
      expect(await rows()).toEqual(before);
      return stderr;
    }

    test.each<[string[], string, number?]>([
      [['create', '--scope', '*'], '--name must have 1 to 100 characters'],
      [['create', '--name', '  ', '--scope', '*'], '--name must have 1 to 100 characters'],
      [['create', '--name', 'a\u001B[2J', '--scope', '*'], '--name must have 1 to 100 characters'],
      [['create', '--name', 'x'.repeat(101), '--scope', '*'], '--name must have 1 to 100 characters'],
      [['create', '--name', 'x'], '--scope is missing'],
      [
        ['create', ...everything, '--scope', 'crm/leed:read'],
        'There is no resource "crm/leed"; did you mean "crm/lead"?',
      ],
      [['create', ...everything, '--scope', '*'], '"*" is given twice.'],
      [['create', ...everything, '--organization', 'acme-holdings'], 'did you mean "acme-holding"?', 1],
      [['create', ...everything, '--expires', '90'], '--expires is "90"; it must be a number and s, m, h, d or w'],
      [['create', ...everything, '--expires', '0d'], 'or never.'],
      [['create', ...everything, '--expires', '-1d'], '--expires'],
      [['create', ...everything, '--expires', '101000d'], 'at most 100 years'],
      [['create', ...everything, '--rate', '100'], '--rate is "100"; it must be off, or a number of requests'],
      [['create', ...everything, '--rat', '100/s'], 'Unknown option \'--rat\'; did you mean "--rate"?'],
      [['create', ...everything, 'name'], 'There is an argument too many: "name".'],
      [['revoke'], 'An argument is missing.\nUsage:\n'],
      [['rotate', 'a', 'b'], 'There is an argument too many: "b".'],
      [['revoke', 's2s_0123456789'], 'There is no key s2s_0123456789.', 1],
      [['rotate', '\'; drop table "_api_key"; --'], 'There is no key', 1],
      [['rotate', 'x', '--overlap', 'never'], '--overlap is "never"; it must be a number'],
      [['revok'], 'There is no command "revok"; did you mean "revoke"?'],
      [[], 'A command is missing: create, list, revoke, rotate.\nUsage:\n  npm run keys -- create '],
    ])('%j is refused', async (args, message, code = 2) => {
      expect(await refused(args, code)).toContain(message);
    });

    test('stores what it is told, whatever the name holds', async () => {
      const name = `it's "quoted"; $1 ?1 \\ Ünïcode 鍵`;
      const scopes = ['--scope', 'crm:read', '--scope', 'sales/order:transition'];
      const key = await created(
        '--organization',
        'acme-holding',
        '--name',
        name,
        ...scopes,
        '--rate',
        '5/s',
        '--expires',
        '2w',
      );
      const row = await rowOf(key);
      expect(row).toMatchObject({ name, scopes: 'crm:read sales/order:transition', rate: '5/s', revoked_at: null });
      const lifetime = Date.parse(String(row['expires_at'])) - Date.parse(String(row['created_at']));
      expect(lifetime).toBe(14 * 86_400_000);
      expect((await run('list')).stdout).toContain(`  acme-holding  ${name}`);
    });

    test('revokes several keys or none', async () => {
      const [one, two] = [await created(...everything), await created(...everything)];
      const near = `${one.slice(0, 13)}${one[13] === 'x' ? 'y' : 'x'}`;
      expect(await refused(['revoke', two, near])).toContain(`did you mean "${one.slice(0, 14)}"?`);
      const { stdout } = await run('revoke', one.slice(0, 14), idOfKey(two) as string);
      expect(stdout.match(/^Revoked /gm)).toHaveLength(2);
      expect((await rowOf(two))['revoked_at']).not.toBeNull();
      expect(await refused(['rotate', two])).toContain('is revoked. Create another one.');
    });

    test('rotates a key to one like it, for as long as the old one was created for', async () => {
      const old = await created('--name', 'job', '--scope', 'crm', '--rate', 'off', '--expires', '30d');
      const { stdout } = await run('rotate', old, '--overlap', '1h');
      const [before, after] = [await rowOf(old), await rowOf(stdout.trim())];
      for (const column of ['_organization', 'name', 'scopes', 'rate']) expect(after[column]).toEqual(before[column]);
      const timeOf = (row: Row, column: string): number => Date.parse(String(row[column]));
      expect(timeOf(after, 'expires_at') - timeOf(after, 'created_at')).toBe(30 * 86_400_000);
      // Not before the new one was created, and not much later.
      const end = timeOf(before, 'expires_at') - 3_600_000;
      expect(end).toBeGreaterThanOrEqual(timeOf(after, 'created_at'));
      expect(end).toBeLessThanOrEqual(Date.now());
      // An overlap gives no key a longer life, and --expires is what was asked for.
      const short = await created(...everything, '--expires', '1h');
      const { expires_at: shortEnd } = await rowOf(short);
      const again = await run('rotate', short, '--overlap', '2h', '--expires', 'never');
      expect((await rowOf(short))['expires_at']).toBe(shortEnd);
      expect((await rowOf(again.stdout.trim()))['expires_at']).toBeNull();
    });
  });
}

describe('npm run keys', () => {
  test.each([[['--help']], [['create', '-h']]])('%j says how', async (args) => {
    const { code, stdout } = await runInProcess(service, {}, 'keys', ...args);
    expect(code).toBe(0);
    for (const word of ['create', 'list', 'revoke', 'rotate', '--expires', '--overlap']) expect(stdout).toContain(word);
  });

  test('makes no database', async () => {
    using folder = new Folder();
    const env = { DATABASE_URL: `sqlite:${folder.file('records.db')}` };
    const { code, stderr } = await runInProcess(service, env, 'keys', 'create', ...everything);
    expect([code, stderr]).toEqual([1, expect.stringContaining('There is no database')]);
  });

  test('is a script of this project and a command of the package', async () => {
    await using script = new Command('npm', ['run', '-s', 'keys', '--', '--help'], { cwd: projectRoot });
    expect(await script.end()).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run keys -- create') });
    await using command = new Command(process.execPath, ['generator/cli/cli.ts', 'keys', '--help']);
    expect(await command.end()).toMatchObject({ code: 0, stdout: expect.stringContaining('npm run keys -- create') });
  });
});
