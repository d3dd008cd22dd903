import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeEngine, engines } from '../support/databases.ts';
import { ask, Versions } from './specs.ts';

const thing = (fields: object): { 'stock/thing': object } => ({
  'stock/thing': {
    kind: 'record',
    doc: 'A thing.',
    list: { filter: ['day', 'size'], sort: ['day'] },
    fields: { name: { required: true }, ...fields },
  },
});

const wide = {
  day: null,
  color: null,
  code: null,
  size: 'integer',
  price: 'number',
  tags: { type: 'list', of: 'string' },
};
const narrow = {
  color: { enum: ['red', 'green'] },
  code: { max_length: 3, pattern: '^[A-Z]+$' },
  size: { type: 'integer', min: 1, max: 10 },
  price: { type: 'number', max: 5 },
  tags: { type: 'list', of: { enum: ['new'] }, max_items: 2 },
};

let versions: Versions;
beforeAll(async () => {
  versions = await Versions.of({
    wide: thing(wide),
    narrow: thing({ ...wide, ...narrow }),
    dated: thing({ ...wide, ...narrow, day: { format: 'date' } }),
    timed: thing({ ...wide, day: { format: 'date-time' } }),
    large: thing({
      ...wide,
      huge: { type: 'integer', computed: 'size == null ? null : size * 1000000000000000' },
    }),
    computed: thing({
      ...wide,
      ...narrow,
      day: { format: 'date' },
      due_on: { format: 'date', computed: 'day == null ? null : day + duration("7d")' },
    }),
  });
}, 60_000);
afterAll(() => versions[Symbol.dispose]());

for (const engine of engines) {
  describeEngine(engine, 'rows that are older than the rules of their fields', () => {
    test('are counted and named by the plan and the start, and stay; days that are none refuse both', async () => {
      await using database = await engine.create();
      const env = { DATABASE_URL: database.url };
      const ids: string[] = [];
      {
        await using server = await versions.start('wide', env);
        const { url } = server;
        const rows: readonly object[] = [
          { day: '2026-01-01', color: 'red', code: 'ABC', size: 10, price: 5, tags: ['new', 'new'] },
          { day: 'tomorrow', color: 'blue', code: 'ABCD', size: 0, price: 5.5, tags: ['new', 'old'] },
          { day: '2026-02-30', color: 'Red', code: 'abc', size: 11, tags: ['new', 'new', 'new'] },
          {},
        ];
        for (const [n, row] of rows.entries()) {
          ids.push(String((await ask(url, 'POST', '/api/stock/thing', { name: String(n), ...row })).body['id']));
        }
        // More than are named, and than a slice has.
        for (let batch = 0; batch < 6; batch++) {
          const operations = Array.from({ length: 100 }, () => ({
            method: 'POST',
            path: '/api/stock/thing',
            body: { name: 'many', color: 'pink' },
          }));
          expect((await ask(url, 'POST', '/api/batch', { operations })).status).toBe(200);
        }
      }
      const [, second = '', third = ''] = ids;
      const sentences = [
        `The field code of thing must be at most 3 characters long, and 1 row has another value: ${second}. They keep them`,
        `The field code of thing must match the pattern ^[A-Z]+$, and 1 row has another value: ${third}.`,
        `The field size of thing must be at least 1, and 1 row has another value: ${second}.`,
        `The field size of thing must be at most 10, and 1 row has another value: ${third}.`,
        `The field price of thing must be at most 5, and 1 row has another value: ${second}.`,
        `The field tags of thing must be one of "new", and 1 row has another value: ${second}.`,
        `The field tags of thing must have at most 2 entries, and 1 row has another value: ${third}.`,
      ];
      const colors =
        /The field color of thing must be one of "red", "green", and 602 rows have another value: (.*) and others[.]/;

      const days =
        `The field day of thing must be a real date, written YYYY-MM-DD, and 2 rows have another value: ${second}, ${third}. ` +
        'Correct them with the version before';
      for (const version of ['dated', 'computed']) {
        const planned = await versions.migrate(version, env, '--plan');
        expect(planned).toMatchObject({ code: 1 });
        expect(planned.stdout).toContain(days);
        const refused = await versions.migrate(version, env);
        expect(refused).toMatchObject({ code: 1 });
        expect(refused.stderr).toContain(days);
      }

      const times = await versions.migrate('timed', env, '--plan');
      expect(times.stdout).toContain(
        `The field day of thing must be a date and time, written YYYY-MM-DDTHH:mm:ssZ, and 3 rows have another value: ${ids.slice(0, 3).join(', ')}. Correct`,
      );
      // So are all rows of which a field cannot be computed.
      const large = await versions.migrate('large', env, '--plan');
      expect(large).toMatchObject({ code: 1 });
      expect(large.stdout).toContain(
        `a value is too large, or divided by zero. It is so in 2 rows of thing: ${ids[0]}, ${third}.`,
      );

      const { code, stdout } = await versions.migrate('narrow', env, '--plan');
      expect(code).toBe(3);
      for (const sentence of sentences) expect(stdout).toContain(sentence);
      const [, named = ''] = colors.exec(stdout) ?? [];
      expect(named.split(', ')).toHaveLength(10);
      await using server = await versions.start('narrow', env);
      const { url } = server;
      for (const sentence of sentences) {
        await expect.poll(() => server.output).toContain(JSON.stringify(sentence).slice(1, -1));
      }
      // They are shown and found, and writes take no such value.
      const found = await ask(url, 'GET', '/api/stock/thing?size[gt]=10');
      expect(found.body).toMatchObject({ data: [{ id: third, code: 'abc' }], total: 1 });
      expect((await ask(url, 'PATCH', `/api/stock/thing/${third}`, { size: 12 })).status).toBe(422);
      for (const id of [second, third]) {
        expect((await ask(url, 'PATCH', `/api/stock/thing/${id}`, { day: null })).status).toBe(200);
      }
      await server.stop();
      // Each rule is compared once, and again when it is another one.
      expect((await versions.migrate('narrow', env, '--plan')).stdout).toBe(
        'Nothing to do. The schema matches the spec.\n',
      );
      expect(await versions.migrate('computed', env)).toMatchObject({ code: 0 });
      expect(await versions.migrate('narrow', env)).toMatchObject({ code: 0, stderr: '' });
    });
  });
}
