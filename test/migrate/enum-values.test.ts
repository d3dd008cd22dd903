import { afterAll, beforeAll, expect, test } from 'vitest';

import { citus, describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { ask, Versions } from './specs.ts';

const paint = (reds: readonly unknown[], states: readonly unknown[], state: string, shade: string) => ({
  'stock/paint': {
    kind: 'record',
    doc: 'A paint.',
    list: { filter: ['color', 'shade'], sort: ['color', 'shade'], search: ['name', 'color'] },
    unique: [['name', 'color'], { fields: ['lot', 'shade'], ignore_case: true }],
    transitions: { sell: { from: state, to: 'sold' } },
    fields: {
      name: { required: true, max_length: 100 },
      lot: { max_length: 100 },
      color: { enum: [...reds, 'green'] },
      shade: { enum: [...reds, 'navy'], default: shade, nullable: false },
      label: { computed: 'lot == null ? null : lot + "/" + shade' },
      status: { enum: [...states, 'sold'], default: state, nullable: false },
    },
  },
});

const scarlet = { value: 'scarlet', renamed_from: ['crimson', 'it"s red'] };
const open = { value: 'open', renamed_from: 'draft' };

const listed = (...values: readonly unknown[]) => ({
  'stock/paint': {
    kind: 'record',
    doc: 'A paint.',
    list: { filter: ['tags'] },
    fields: {
      name: { required: true },
      tags: { type: 'list', of: { enum: [...values, 'x"crimson', 'a,', ',b', 'green'] } },
    },
  },
});

let versions: Versions;
beforeAll(async () => {
  versions = await Versions.of({
    first: paint(['crimson', 'it"s red'], ['draft'], 'draft', 'crimson'),
    second: paint([scarlet], [open], 'open', 'scarlet'),
    third: paint(['scarlet'], ['open'], 'open', 'scarlet'),
    listed: listed('crimson', 'it"s red', ',', 'C:\\'),
    relisted: listed(scarlet, { value: 'D:\\', renamed_from: [',', 'C:\\'] }),
    moved: {
      'stock/pigment': {
        kind: 'record',
        name: 'pigment',
        renamed_from: 'paint',
        doc: 'A pigment.',
        unique: [['name', 'hue']],
        fields: {
          name: { required: true, max_length: 100 },
          hue: { renamed_from: 'color', enum: [scarlet, 'green'] },
        },
      },
    },
  });
}, 60_000);
afterAll(() => versions[Symbol.dispose]());

type Body = Record<string, unknown>;

const path = '/api/stock/paint';
const once = { 'idempotency-key': 'once' };

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'values of an enum that are renamed', () => {
    /** A database without tables of the service: a start distributes those that it adds. */
    async function emptyDatabase(): Promise<TestDatabase> {
      const database = await engine.create();
      await database.prepare?.([]);
      return database;
    }

    /** A page of a list, and the names in it. */
    async function list(url: string, query: string): Promise<{ total: unknown; names: unknown[] }> {
      const { status, body } = await ask(url, 'GET', `${path}?${query}`);
      expect(status, JSON.stringify(body)).toBe(200);
      return { total: body['total'], names: (body['data'] as Body[]).map(({ name }) => name) };
    }

    /** The events of a record, the newest first. */
    const history = async (url: string, id: unknown): Promise<Body[]> =>
      (await ask(url, 'GET', `/api/events?record=${String(id)}&sort=-number`)).body['data'] as Body[];

    const undo = (url: string, event: Body | undefined) =>
      ask(url, 'POST', `/api/events/${String(event?.['number'])}/undo`);

    async function create(url: string, body: object): Promise<Body> {
      const answer = await ask(url, 'POST', path, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body;
    }

    /** A database of the first version. @returns its records by their names */
    async function older(database: TestDatabase): Promise<Record<string, Body>> {
      await using server = await versions.start('first', { DATABASE_URL: database.url });
      const { url } = server;
      const rows = [
        { name: 'a', color: 'crimson' },
        { name: 'b', color: 'green', shade: 'navy' },
        { name: 'c', shade: 'it"s red' },
        { name: 'd', color: 'it"s red', shade: 'it"s red' },
      ];
      const made: Record<string, Body> = {};
      for (const row of rows) made[row.name] = await create(url, row);
      // More rows than a slice has.
      for (let batch = 0; batch < 6; batch++) {
        const operations = Array.from({ length: 100 }, (_, n) => ({
          method: 'POST',
          path,
          body: { name: `many ${batch} ${n}`, color: 'crimson' },
        }));
        expect((await ask(url, 'POST', '/api/batch', { operations })).status).toBe(200);
      }
      const { id } = made['a'] as Body;
      const again = await ask(url, 'PATCH', `${path}/${String(id)}`, { lot: 'L' }, once);
      expect(again).toMatchObject({ status: 200, body: { color: 'crimson' } });
      // Only its event says what the former name was.
      expect((await ask(url, 'PATCH', `${path}/${String(id)}`, { color: 'green' })).status).toBe(200);
      const gone = await create(url, { name: 'e', color: 'crimson' });
      expect((await ask(url, 'DELETE', `${path}/${String(gone['id'])}`)).status).toBe(200);
      made['e'] = gone;
      await server.stop();
      return made;
    }

    const stored = async (database: TestDatabase): Promise<string> =>
      JSON.stringify(
        await database.query(
          `select color, shade, status, updated_at, _version from paint where name <> 'a' order by id`,
        ),
      );

    const numbers = async (database: TestDatabase): Promise<unknown> =>
      (await database.query('select count(*) as events from _event'))[0]?.['events'];

    test('are rewritten by the next start, once, and undone to their new names', async () => {
      await using database = await emptyDatabase();
      const env = { DATABASE_URL: database.url };
      const made = await older(database);
      const before = await stored(database);
      const events = await numbers(database);

      const plan = await versions.migrate('second', env, '--plan');
      expect(plan.code).toBe(3);
      expect(plan.stdout).toContain(
        'In each row of paint the values of color, shade, status are written by their present names.',
      );
      for (const sentence of [
        'In 601 rows of paint a value of color is "crimson" or "it"s red", and gets its present name.',
        'In 603 rows of paint a value of shade is "crimson" or "it"s red", and gets its present name.',
        'In 604 rows of paint a value of status is "draft", and gets its present name.',
      ])
        expect(plan.stdout).toContain(sentence.replaceAll('it"s', String.raw`it\"s`));
      expect(plan.stdout).not.toContain('another value');
      expect((await stored(database)) === before).toBe(true);

      await using server = await versions.start('second', env);
      const { url } = server;
      expect(server.output).not.toContain('another value');
      const next = before.replaceAll(/crimson|it\\"s red/g, 'scarlet').replaceAll('draft', 'open');
      expect((await stored(database)) === next).toBe(true);
      expect(await numbers(database)).toEqual(events);

      // Searches, folded texts and computed fields follow.
      expect((await list(url, 'q=crimson')).total).toBe(0);
      expect(await list(url, 'q=scarlet d')).toEqual({ total: 1, names: ['d'] });
      const clash = await ask(url, 'POST', path, { name: 'z', lot: 'l', shade: 'scarlet' });
      const { a, c, d, e } = made;
      expect(clash).toMatchObject({ status: 409, body: { conflicting_id: a?.['id'] } });
      expect((await ask(url, 'GET', `${path}/${String(a?.['id'])}`)).body).toMatchObject({ label: 'L/scarlet' });

      // The trail says what was then; what it brings back has the new name.
      const [last] = await history(url, a?.['id']);
      expect(last).toMatchObject({ changes: { color: ['crimson', 'green'] } });
      const replayed = await ask(url, 'PATCH', `${path}/${String(a?.['id'])}`, { lot: 'L' }, once);
      expect(replayed).toMatchObject({ status: 200, body: { color: 'scarlet', lot: 'L' } });
      expect(await undo(url, last)).toMatchObject({ status: 200, body: { color: 'scarlet', status: 'open' } });
      const [deleted] = await history(url, e?.['id']);
      expect(deleted).toMatchObject({ operation: 'delete', changes: { color: ['crimson', null] } });
      expect(await undo(url, deleted)).toMatchObject({ body: { color: 'scarlet', shade: 'scarlet', status: 'open' } });
      const [created] = await history(url, d?.['id']);
      expect(await undo(url, created)).toMatchObject({ status: 200, body: { id: d?.['id'] } });
      expect(/crimson|red|draft/.test(await stored(database))).toBe(false);

      // Former names are values no more.
      for (const body of [{ color: 'crimson' }, { shade: 'it"s red' }])
        expect((await ask(url, 'PATCH', `${path}/${String(c?.['id'])}`, body)).status).toBe(422);
      expect((await list(url, 'color=crimson')).total).toBe(0);
      await server.stop();
      for (const version of ['second', 'third']) {
        expect(await versions.migrate(version, env)).toMatchObject({ code: 0, stderr: '' });
        expect((await versions.migrate(version, env, '--plan')).stdout).toContain('Nothing to do.');
      }
    });

    test('are shown by their new names until then, and found, sorted and changed by these', async () => {
      await using database = await emptyDatabase();
      const env = { DATABASE_URL: database.url };
      const made = await older(database);
      // SQLite has no such setting: a start migrates.
      await using server = await versions.start('second', {
        ...env,
        ...(engine.name !== 'SQLite' && { MIGRATE: 'off' }),
      });
      const { url } = server;
      // Older servers may store it late, and interrupted starts leave it.
      await database.execute(
        `update paint set color = 'crimson', shade = 'it"s red', status = 'draft' where name in ('b', 'c', 'd')`,
      );
      const record = await ask(url, 'GET', `${path}/${String(made['b']?.['id'])}`);
      expect(record.body).toMatchObject({ color: 'scarlet', shade: 'scarlet', status: 'open' });
      for (const [query, total] of [
        ['color=scarlet', 603],
        ['color[in]=scarlet,green', 604],
        ['color[ne]=scarlet', 1],
        ['color[null]=true', 0],
        ['color=crimson', 0],
        ['shade=scarlet&color=scarlet', 603],
      ] as const)
        expect((await list(url, query)).total, query).toBe(total);
      expect((await list(url, 'sort=color&limit=1')).names).toEqual(['a']);
      expect((await list(url, 'sort=-color&offset=600')).names).toEqual(['d', 'c', 'b', 'a']);
      const sold = await ask(url, 'POST', `${path}/${String(made['b']?.['id'])}/sell`);
      expect(sold).toMatchObject({ status: 200, body: { status: 'sold', color: 'scarlet' } });
      const [event] = await history(url, made['b']?.['id']);
      expect(event).toMatchObject({ operation: 'sell', changes: { status: ['open', 'sold'] } });
      await server.stop();

      // An interrupted start goes on, and what came late is written on request.
      const late = `update paint set color = 'crimson', shade = 'it"s red' where name = 'c'`;
      await database.execute(`${late}; delete from _required_column where name like '%values%'`);
      for (const args of [[], ['--recount']]) {
        await versions.migrate('second', env, ...args);
        expect(/crimson|red|draft/.test(await stored(database))).toBe(false);
        await database.execute(late);
      }

      // Without the rename the late row has a value that there is not.
      const { stdout } = await versions.migrate('third', env, '--plan');
      expect(stdout).toContain(
        'The field color of paint must be one of "scarlet", "green", and 1 row has another value',
      );
    });

    test('are named if a former one comes late beside a record with the present one', async () => {
      await using database = await emptyDatabase();
      const env = { DATABASE_URL: database.url };
      {
        await using server = await versions.start('second', env);
        const { url } = server;
        for (const color of ['scarlet', 'green']) await create(url, { name: 'a', color });
      }
      await database.execute(`update paint set color = 'crimson' where color = 'green'`);
      const recount = (): Promise<{ code: unknown; stderr: string }> => versions.migrate('second', env, '--recount');
      const { code, stderr } = await recount();
      expect(code).toBe(1);
      expect(stderr).toContain('Two records of paint would have the same name, color or lot, shade, as values have');
      await database.execute(`update paint set name = 'b' where color = 'crimson'`);
      expect(await recount()).toMatchObject({ code: 0, stderr: '' });
      expect(await stored(database)).not.toContain('crimson');
    });

    test('are rewritten beside a rename of their field and its resource', async () => {
      await using database = await emptyDatabase();
      const env = { DATABASE_URL: database.url };
      {
        await using server = await versions.start('first', env);
        await create(server.url, { name: 'a', color: 'crimson' });
      }
      const { stdout } = await versions.migrate('moved', env, '--plan');
      expect(stdout).toContain('In 1 row of pigment a value of hue is');
      expect((await versions.migrate('moved', env)).code).toBe(0);
      expect(await database.query('select hue from pigment')).toEqual([{ hue: 'scarlet' }]);
    });

    test('are rewritten in lists, and shown and found there until then', async () => {
      await using database = await emptyDatabase();
      const env = { DATABASE_URL: database.url };
      const lists = [
        ['crimson', 'a,', ',b', 'green'],
        ['it"s red', ',', 'crimson', 'x"crimson', 'C:\\', ','],
        [','],
        [],
        null,
      ];
      const now = [
        ['scarlet', 'a,', ',b', 'green'],
        ['scarlet', 'D:\\', 'scarlet', 'x"crimson', 'D:\\', 'D:\\'],
        ['D:\\'],
        [],
        null,
      ];
      const made: Body[] = [];
      {
        await using server = await versions.start('listed', env);
        const { url } = server;
        for (const [at, tags] of lists.entries()) made.push(await create(url, { name: String(at), tags }));
        expect((await ask(url, 'PATCH', `${path}/${String(made[1]?.['id'])}`, { tags: [] })).status).toBe(200);
      }
      const inRows = async (): Promise<unknown[]> =>
        (await database.query('select cast(tags as text) as tags from paint order by id')).map(({ tags }) =>
          JSON.parse(String(tags)),
        );
      const plan = await versions.migrate('relisted', env, '--plan');
      expect(plan.stdout).toContain('In 2 rows of paint a value of tags is');
      expect(plan.stdout).not.toContain('another value');
      {
        await using server = await versions.start('relisted', {
          ...env,
          ...(engine.name !== 'SQLite' && { MIGRATE: 'off' }),
        });
        const { url } = server;
        const [event] = await history(url, made[1]?.['id']);
        expect(await undo(url, event)).toMatchObject({ status: 200, body: { tags: now[1] } });
        await database.execute(
          lists
            .slice(0, 3)
            .map(
              (tags, at) =>
                `update paint set tags = '${JSON.stringify(tags).replaceAll("'", "''")}' where name = '${at}'`,
            )
            .join('; '),
        );
        const { data } = (await ask(url, 'GET', `${path}?sort=id`)).body as { data: Body[] };
        expect(data.map(({ tags }) => tags)).toEqual(now);
        expect((await ask(url, 'GET', `${path}/${String(made[1]?.['id'])}`)).body).toMatchObject({ tags: now[1] });
        for (const [value, names] of [
          ['scarlet', ['1', '0']],
          ['D:\\', ['2', '1']],
          ['crimson', []],
          [',', []],
          ['x"crimson', ['1']],
        ] as const)
          expect((await list(url, `tags[has]=${encodeURIComponent(value)}`)).names, value).toEqual(names);
      }
      await versions.migrate('relisted', env, '--recount');
      expect(await inRows()).toEqual(now);
      expect((await versions.migrate('relisted', env, '--plan')).stdout).toContain('Nothing to do.');
    });

    test('refuse a start if two records would be the same', async () => {
      await using database = await emptyDatabase();
      const env = { DATABASE_URL: database.url };
      const ids: unknown[] = [];
      {
        await using server = await versions.start('first', env);
        const { url } = server;
        for (const color of ['crimson', 'it"s red']) ids.push((await create(url, { name: 'a', color }))['id']);
        for (const shade of ['crimson', 'it"s red'])
          ids.push((await create(url, { name: 'b', lot: 'l', shade }))['id']);
      }
      for (const args of [['--plan'], []]) {
        const refused = await versions.migrate('second', env, ...args);
        expect(refused.code).toBe(1);
        const words = refused.stdout + refused.stderr;
        expect(words).toContain(ids.slice(0, 2).join(', '));
        expect(words).toContain(ids.slice(2).join(', '));
      }
      expect(await stored(database)).not.toContain('scarlet');
    });
  });
}
