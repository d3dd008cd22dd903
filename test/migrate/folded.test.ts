import { expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { memberTable } from '../service/generated/tables.ts';
import { runInProcess } from '../server/in-process.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { create, pageIn } from '../support/records.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { searchOf } from '../../runtime/features/search/search.ts';

const members = '/api/register/member';

/** Values as the version before stored them: marks were removed in all scripts, and a text without spaces was one word. */
const before = [
  { name: '用户服务器部署在腾讯云', word: '用户服务器部署在腾讯云', email: 'straße@x', folded: 'straße@x' },
  { name: 'Łódź', word: 'łodz', email: 'パパ', folded: 'ハハ' },
  { name: 'plain', word: 'plain', email: 'plain@x', folded: 'plain@x' },
];

for (const engine of engines) {
  describeEngine(engine, 'a database whose texts are folded otherwise', () => {
    const start = (database: TestDatabase): Promise<TestServer> => startServer({ env: { DATABASE_URL: database.url } });

    /** Makes the rows, the index of words and the notes what the version before left. */
    async function makeOlder(database: TestDatabase): Promise<void> {
      const wordsOf = (word: string): string =>
        engine.name === 'SQLite' ? JSON.stringify({ name: `1·${word}` }) : `1·${word}·name`;
      const rows = before.map(
        ({ name, word, email, folded }) =>
          `update member set email = '${email}', _email_folded = '${folded}', _search = '${wordsOf(word)}' where name = '${name}'`,
      );
      const index = searchOf(memberTable)?.name ?? '';
      const former = index.replace(/.{12}$/, '0123456789ab');
      const rename = async (): Promise<string> => {
        if (engine.name === 'PostgreSQL') return `alter index "${index}" rename to "${former}"`;
        const [trigger] = await database.query(`select sql from sqlite_schema where name = '${index}'`);
        return `drop trigger "${index}"; ${String(trigger?.['sql']).replace(index, former)}`;
      };
      const forget = `delete from "_required_column" where "name" like 'member.email folded %'`;
      await database.execute([...rows, await rename(), forget].join('; '));
    }

    /** A database of the version before, with these records. @returns their ids */
    async function older(database: TestDatabase): Promise<string[]> {
      const ids: string[] = [];
      const server = await start(database);
      for (const { name } of before) ids.push((await create(server, members, { name, email: `${name}@y` })).id);
      await server.close();
      await makeOlder(database);
      return ids;
    }

    test('is made new by a start, which finds and refuses by its own rules then', async () => {
      await using database = await engine.create(service.tables);
      const [first, second] = await older(database);
      const plan = (): ReturnType<typeof runInProcess> =>
        runInProcess(service, { DATABASE_URL: database.url }, 'migrate', '--plan');
      expect((await plan()).stdout).toContain('In each row of member the texts of email are stored without case.');
      const server = await start(database);
      try {
        for (const [q, name] of [
          ['腾讯云', '用户服务器部署在腾讯云'],
          ['lodz', 'Łódź'],
          ['plain', 'plain'],
        ] as const) {
          const found = pageIn(await server.request('GET', `${members}?q=${encodeURIComponent(q)}`));
          expect(found.data.map((one) => one['name'])).toEqual([name]);
        }
        for (const [email, id] of [
          ['STRASSE@x', first],
          ['ﾊﾟﾊﾟ', second],
        ]) {
          const answer = await server.request('POST', members, { name: 'B', email });
          expect(expectProblem(answer, 409, 'not_unique')).toMatchObject({ conflicting_id: id });
        }
        await create(server, members, { name: 'B', email: 'ハハ' });
      } finally {
        await server.close();
      }
      expect(await plan()).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do.') as string });
    });

    test('is refused, and left as it is, while records clash by the new rules', async () => {
      await using database = await engine.create(service.tables);
      const [first, , last] = await older(database);
      await database.execute(`update member set email = 'STRASSE@x', _email_folded = 'strasse@x' where id = '${last}'`);
      const rows = (): Promise<unknown> => database.query('select * from member order by id');
      const stored = await rows();
      const words = `No two records of member may have the same email, and these have: ${first}, ${last}.`;
      const run = (...args: string[]): ReturnType<typeof runInProcess> =>
        runInProcess(service, { DATABASE_URL: database.url }, 'migrate', ...args);
      expect(await run('--plan')).toMatchObject({ code: 1, stdout: expect.stringContaining(words) as string });
      expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining(words) as string });
      await expect(database.open(service.tables)).rejects.toThrow(words);
      expect(await rows()).toEqual(stored);
      await database.execute(`delete from member where id = '${last}'`);
      expect(await run()).toMatchObject({ code: 0 });
    });
  });
}
