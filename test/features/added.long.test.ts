import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

import type { Copy } from '../generator/copy.ts';
import { runFile } from '../support/commands.ts';
import { compile } from '../support/compiler.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { projectRoot, startServer, testKey, type TestServer } from '../support/server.ts';
import { copyProject, leadPath as path } from './project.ts';

/** Adds the feature in `stars` as a maintainer would: its folder, a line of the contents page, and the import of that. */
function addStars(copy: Copy): void {
  const target = join(copy.root, 'runtime/features/stars');
  cpSync(fileURLToPath(new URL('stars', import.meta.url)), target, { recursive: true });
  for (const file of readdirSync(target)) {
    const text = readFileSync(join(target, file), 'utf8');
    writeFileSync(join(target, file), text.replaceAll("'../../../runtime/", "'../../"));
  }
  const file = 'runtime/features.ts';
  const after = "import { search } from './features/search/feature.ts';";
  copy.add({ file, after, line: "import { stars } from './features/stars/feature.ts';" });
  copy.add({ file, after: '    unique,', line: '    stars,' });
}

/** The files of the runtime, with their texts. */
const filesOf = (root: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(join(root, 'runtime'), { recursive: true, encoding: 'utf8' })
      .filter((file) => statSync(join(root, 'runtime', file)).isFile())
      .map((file) => [file, readFileSync(join(root, 'runtime', file), 'latin1')]),
  );

const idsOf = async (server: TestServer, query: string): Promise<string[]> => {
  const { status, text, body } = await server.request('GET', `${path}?${query}`);
  expect(status, text).toBe(200);
  return (body as { data: { id: string }[] }).data.map(({ id }) => id);
};

const create = async (server: TestServer, name: string): Promise<string> =>
  ((await server.request('POST', path, { name })).body as { id: string }).id;

for (const engine of engines) {
  describeEngine(engine, 'a feature is added by a folder and a line', () => {
    test('to a database with records: its column, write, operation, parameter and command work', async () => {
      using project = await copyProject();
      await using database = await engine.create();
      const options = {
        project: project.root,
        alone: true,
        // It outlives the servers.
        database: async () => ({ url: database.url, async [Symbol.asyncDispose]() {} }),
      };
      await using before = await startServer(options);
      const ada = await create(before, 'Ada');
      const shown = (await before.request('GET', `${path}/${ada}`)).text;
      expect((await before.request('GET', `${path}?min_stars=1`)).status).toBe(400);
      await before.stop();

      addStars(project);
      expect(await compile(project.root)).toBe('');
      await using server = await startServer(options);
      const bob = await create(server, 'Bob');
      const star = (id: string) => server.request('POST', `${path}/${id}/star`);
      expect(await star('lead_01')).toMatchObject({ status: 404, body: { code: 'not_found' } });
      expect(await idsOf(server, 'min_stars=1')).toEqual([]);
      for (const id of [ada, bob, ada, ada]) expect((await star(id)).status).toBe(200);
      expect(await star(ada)).toMatchObject({ status: 409, body: { code: 'too_many_stars' } });
      expect(await idsOf(server, 'min_stars=1')).toEqual([bob, ada]);
      expect(await idsOf(server, 'min_stars=2')).toEqual([ada]);
      expect(await idsOf(server, 'min_stars=1&name=Bob')).toEqual([bob]);
      expect(await server.request('GET', `${path}?min_stars=none`)).toMatchObject({ body: { code: 'invalid_query' } });
      expect((await server.request('GET', '/problems/too_many_stars')).status).toBe(200);
      const program = join(project.root, 'generated/server.ts');
      const env = { ...process.env, API_KEY: testKey, DATABASE_URL: database.url };
      const command = await runFile(program, project.root, ['stars', '--url', server.url], env);
      expect(command).toEqual({ code: 0, stdout: `${bob}\n${ada}\n`, stderr: '' });

      // A record that it does not show is as before.
      expect((await server.request('GET', `${path}/${ada}`)).text).toBe(shown);
      await server.restart();
      expect(await idsOf(server, 'min_stars=3')).toEqual([ada]);
      const own = filesOf(projectRoot);
      const changed = [...filesOf(project.root)].flatMap(([file, text]) => (own.get(file) === text ? [] : [file]));
      expect(changed.filter((file) => !file.startsWith('features/stars/'))).toEqual(['features.ts']);
    });
  });
}
