import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { ask, Versions } from './specs.ts';

const company = (fields: object, more: object = {}) => ({ kind: 'record', doc: 'A company.', fields, ...more });
const name = { required: true };
const note = {
  kind: 'line-item',
  doc: 'A note.',
  parent: { field: 'company_id', resource: 'crm/company' },
  fields: { company_id: { required: true }, text: {} },
};
const settings = { kind: 'singleton', doc: 'Settings.', fields: { limit: { type: 'integer', default: 5 } } };

let versions: Versions;
beforeAll(async () => {
  versions = await Versions.of({
    first: { 'crm/company': company({ name }) },
    second: {
      'crm/company': company({ name, size: { type: 'integer', default: 3 } }),
      'crm/note': note,
      'crm/settings': settings,
    },
    third: {
      'crm/firm': company(
        { title: { ...name, renamed_from: 'name' }, size: { type: 'integer', default: 3 } },
        { renamed_from: 'company' },
      ),
      'crm/settings': settings,
    },
    fourth: { 'crm/company': company({ name, size: {} }), 'crm/note': note, 'crm/settings': settings },
  });
});
afterAll(() => versions[Symbol.dispose]());

/** Waits until the server answers `/readyz` so. */
async function readiness(url: string, status: number): Promise<string> {
  for (const deadline = Date.now() + 20_000; ; await sleep(20)) {
    const answer = await ask(url, 'GET', '/readyz');
    if (answer.status === status) return JSON.stringify(answer.body);
    if (Date.now() > deadline) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

for (const engine of engines) {
  describeEngine(engine, 'two versions of a spec side by side', () => {
    let database: TestDatabase;
    let env: Record<string, string>;
    beforeAll(async () => {
      database = await engine.create();
      env = { DATABASE_URL: database.url };
    });
    afterAll(() => database[Symbol.asyncDispose]());

    test('both serve, the older one also after a restart, and keep what the other has stored', async () => {
      await using first = versions.command('first', env);
      const older = await first.url();
      const made = await ask(older, 'POST', '/api/crm/company', { name: 'Acme' });
      expect(made.status).toBe(201);

      await using second = versions.command('second', env);
      const newer = await second.url();
      await readiness(newer, 200);
      await readiness(older, 200);
      const path = `/api/crm/company/${String(made.body['id'])}`;
      expect((await ask(newer, 'GET', path)).body).toMatchObject({ name: 'Acme', size: 3 });
      expect((await ask(newer, 'PATCH', path, { size: 9 })).status).toBe(200);
      expect((await ask(newer, 'POST', '/api/crm/note', { company_id: made.body['id'] })).status).toBe(201);

      await using again = versions.command('first', env);
      const restarted = await again.url();
      await readiness(restarted, 200);
      for (const url of [older, restarted]) {
        expect((await ask(url, 'PATCH', path, { name: url })).status).toBe(200);
        expect((await ask(url, 'POST', '/api/crm/company', { name: 'More' })).status).toBe(201);
      }
      expect((await ask(newer, 'GET', path)).body).toMatchObject({ name: restarted, size: 9 });
      expect((await ask(newer, 'GET', '/api/crm/company')).body).toMatchObject({
        total: 3,
        data: [{ size: 3 }, { size: 3 }, { size: 9 }],
      });
    });

    test('a change of a type must be requested, by the option that the refusal names', async () => {
      await using refused = versions.command('fourth', env);
      const { code, stderr } = await refused.end();
      expect(code).toBe(1);
      expect(stderr).toContain('npm run migrate -- --convert company.size');
      const plan = await versions.migrate('fourth', env, '--plan');
      expect(plan).toMatchObject({ code: 1, stderr: '' });
      expect(plan.stdout).toContain('--convert company.size');
      expect(await versions.migrate('fourth', env, '--plan', '--convert', 'company.size')).toMatchObject({ code: 3 });
      expect(await versions.migrate('fourth', env, '--convert', 'company.size')).toMatchObject({ code: 0, stderr: '' });
      await using started = versions.command('fourth', env);
      const list = await ask(await started.url(), 'GET', '/api/crm/company');
      expect(list.body).toMatchObject({ data: [{ size: '3' }, { size: '3' }, { size: '9' }] });
      await started.stop();
      expect(await versions.migrate('second', env, '--convert', 'company.size')).toMatchObject({ code: 0 });
    });

    test('a rename is never made beside another server; npm run migrate makes it', async () => {
      await using second = versions.command('second', env);
      const older = await second.url();
      await using third = versions.command('third', env);
      if (engine.name === 'SQLite') {
        const { code, stderr } = await third.end();
        expect(code).toBe(1);
        expect(stderr).toContain('Stop the other servers');
        expect(await versions.migrate('third', env)).toMatchObject({ code: 1, stdout: '' });
        await readiness(older, 200);
        await second.stop();
        await using plan = versions.command('third', env, 'migrate', '--plan');
        expect(await plan.end()).toMatchObject({ code: 3, stderr: '' });
        expect(await versions.migrate('third', env)).toMatchObject({ code: 0, stderr: '' });
        await using started = versions.command('third', env);
        expect((await ask(await started.url(), 'GET', '/api/crm/firm')).body).toMatchObject({ total: 3 });
        return;
      }
      const newer = await third.url();
      expect(await readiness(newer, 503)).toContain('npm run migrate');
      expect((await ask(newer, 'GET', '/api/crm/firm')).status).toBe(503);
      await readiness(older, 200);
      expect((await ask(older, 'GET', '/api/crm/company')).status).toBe(200);
      await using migration = versions.command('third', env, 'migrate');
      expect(await migration.end()).toMatchObject({ code: 0, stderr: '' });
      await readiness(newer, 200);
      expect((await ask(newer, 'GET', '/api/crm/firm')).body).toMatchObject({ total: 3 });
      expect((await ask(older, 'GET', '/api/crm/company')).status).toBe(503);
      expect(await readiness(older, 503)).toContain('does not match this version');
      expect(await versions.migrate('third', env, '--plan')).toMatchObject({ code: 0, stderr: '' });
    });

    test('tables and columns that the spec does not have stay until they are dropped by name', async () => {
      const plan = await versions.migrate('third', env, '--plan');
      expect(plan.stdout).toContain('Table "note" keeps its rows, which no resource shows. 1 row;');
      for (const args of [
        ['--drop', 'firm'],
        ['--convert', 'firm.nothing'],
      ]) {
        expect(await versions.migrate('third', env, ...args)).toMatchObject({ code: 1, stdout: '' });
      }
      expect(await versions.migrate('third', env, '--nothing')).toMatchObject({ code: 2, stdout: '' });
      const { stdout } = await versions.migrate('third', env, '--drop', 'note', '--recount');
      expect(stdout).toContain('drop table "note"');
      expect(stdout).toContain('None was wrong');
      expect((await versions.migrate('third', env, '--plan')).stdout).toBe(
        'Nothing to do. The schema matches the spec.\n',
      );
    });
  });
}

engines.forEach((engine) =>
  describeEngine(engine, 'npm run migrate of a new database', () => {
    test('makes it; --plan does not', async () => {
      await using database = await engine.create();
      const env = { DATABASE_URL: database.url };
      for (let i = 0; i < 2; i++) {
        const { code, stdout } = await versions.migrate('second', env, '--plan');
        expect(code).toBe(3);
        expect(stdout).toContain('create table "company"');
      }
      expect(await versions.migrate('second', env)).toMatchObject({ code: 0, stderr: '' });
      expect(await versions.migrate('second', env)).toMatchObject({
        code: 0,
        stdout: 'Nothing to do. The schema matches the spec.\n',
      });
    });
  }),
);
