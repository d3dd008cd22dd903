import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { readSpecs } from '../../generator/read/spec-files.ts';
import type { Service } from '../../runtime/kernel/api/service.ts';
import { runInProcess } from '../server/in-process.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { generateProject } from '../support/project.ts';
import { startServer } from '../support/server.ts';

/** The formats that databases of former versions have, each with its spec: `make.ts` has made them. */
const formats = ['first'];

type Body = Record<string, unknown>;

/** The responses that a database of a format gave to its keys, and the requests that were sent. */
interface Kept {
  readonly key: string;
  readonly other: string;
  readonly keyed: { readonly key: string; readonly path: string; readonly body: Body; readonly answer: Body };
  readonly deleted: Body;
  readonly finished: Body;
  readonly shown: Readonly<Record<string, Body>>;
  readonly others: Readonly<Record<string, Body>>;
}

/** Makes the tables and rows of a dump in an empty database. */
async function restore(database: TestDatabase, dump: string): Promise<void> {
  if (!database.url.startsWith('sqlite:')) return database.execute(dump);
  using file = new DatabaseSync(database.url.slice('sqlite:'.length));
  // The index of words is a virtual table, which a dump writes into the schema itself.
  file.enableDefensive(false);
  file.exec(dump);
}

for (const format of formats) {
  const folder = join(import.meta.dirname, format);
  for (const engine of engines) {
    describeEngine(engine, `a database of the ${format} format`, () => {
      test('is migrated, and shows the records, events and answers that it showed', async () => {
        const file = engine.name === 'SQLite' ? 'sqlite' : 'postgres';
        const kept = JSON.parse(readFileSync(join(folder, `shown-${file}.json`), 'utf8')) as Kept;
        const project = await generateProject(readSpecs(folder));
        const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };
        await using database = await engine.create();
        await restore(database, readFileSync(join(folder, `${file}.sql`), 'utf8'));
        // Answers are kept for a day.
        await database.execute(`update "_answer" set "time" = '${new Date().toISOString()}'`);
        const migrate = (...args: string[]) =>
          runInProcess(service, { DATABASE_URL: database.url }, 'migrate', ...args);
        const migrated = await migrate();
        expect(migrated, migrated.stderr).toMatchObject({ code: 0 });
        await using server = await startServer({
          project,
          database: async () => ({ url: database.url, [Symbol.asyncDispose]: async () => {} }),
          env: { EVENTS_KEEP: '36500' },
        });
        const ask = (key: string, method: string, path: string, body?: Body, headers: Record<string, string> = {}) =>
          server.request(method, path, body, { authorization: `Bearer ${key}`, ...headers });
        for (const [key, shown] of [
          [kept.key, kept.shown],
          [kept.other, kept.others],
        ] as const) {
          for (const [path, before] of Object.entries(shown)) {
            const { status, body } = await ask(key, 'GET', path);
            expect({ status, body }, path).toMatchObject({ status: 200, body: before });
          }
        }

        const { key, keyed, deleted, finished } = kept;
        const again = await ask(key, 'POST', keyed.path, keyed.body, { 'idempotency-key': keyed.key });
        expect(again).toMatchObject({ status: 201, body: keyed.answer });
        expect(again.headers.get('idempotency-replayed')).toBe('true');

        const { data: events } = kept.shown['/api/events?limit=1000'] as { data: Body[] };
        const removal = events.find(({ operation, record }) => operation === 'delete' && record === deleted['id']);
        const undone = await ask(key, 'POST', `/api/events/${Number(removal?.['number'])}/undo`);
        expect(undone).toMatchObject({ status: 200, body: { id: deleted['id'], legs: 1, fee: '32.50' } });
        const last = await ask(key, 'GET', `/api/events?after=${events.length}`);
        expect(last.body).toMatchObject({ data: [{ number: events.length + 1 }, { number: events.length + 2 }] });

        const path = `/api/club/trip/${String(finished['id'])}`;
        expect((await ask(key, 'PATCH', path, { title: 'x' })).body).toMatchObject({ code: 'locked' });
        const clash = await ask(key, 'POST', '/api/club/member', { name: 'Eve', email: 'ZOE@example.COM' });
        expect(clash.body).toMatchObject({ code: 'not_unique' });
        expect((await ask(key, 'POST', '/api/club/member', { name: 'Eve' })).status).toBe(201);
        const hooks = await runInProcess(service, { DATABASE_URL: database.url }, 'webhooks', 'list');
        expect(hooks.stdout).toContain('paused');
        expect(await migrate('--plan')).toMatchObject({
          code: 0,
          stdout: 'Nothing to do. The schema matches the spec.\n',
        });
      });
    });
  }
}
