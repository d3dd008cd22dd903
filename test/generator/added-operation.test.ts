import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type * as Generate from '../../generator/generate.ts';
import { expectProblem } from '../support/problem.ts';
import { TestServer } from '../support/server.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { archiveRows, Copy } from './archive.ts';

const copy = new Copy('generator', 'runtime', 'package.json');
const run = promisify(execFile);

const service = 'name: shop\ntitle: Shop\ndoc: Sells things.\nversion: 1.0.0\nlicense: MIT\n';
const lead = (field: string, operations = '\noperations: [list, create, archive]'): string =>
  `kind: record\ndoc: A lead.\nfields: { name, ${field} }${operations}\n`;
const archived = 'archived_at: { format: date-time, read_only: true }';

const specs: Readonly<Record<string, string>> = {
  'spec/service.yaml': service,
  'spec/crm/lead.yaml': lead(archived),
  'spec/crm/deal.yaml': lead(archived, ''),
};

const folder = join(copy.root, 'data');
const env = { METRICS_PORT: '0', WEBHOOK_PRIVATE: 'on', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` };
const server = new TestServer({ project: copy.root, folder, env });

beforeAll(async () => {
  for (const row of archiveRows) copy.add(row);
  mkdirSync(folder);
  for (const [path, text] of Object.entries(specs)) {
    mkdirSync(dirname(join(copy.root, path)), { recursive: true });
    writeFileSync(join(copy.root, path), text);
  }
  await run(process.execPath, ['generator/cli/generate.ts'], { cwd: copy.root });
  await server.start();
});

afterAll(async () => {
  await server.close();
  copy[Symbol.dispose]();
});

type Lead = Readonly<Record<'id' | 'name' | 'archived_at' | 'updated_at', string>>;

async function createLead(): Promise<Lead> {
  return (await server.request('POST', '/api/crm/lead', { name: 'Ada' })).body as Lead;
}

describe('an operation that three rows add', () => {
  test('is a route of the resources whose specs name it', async () => {
    const routes = readFileSync(join(copy.root, 'generated/crm/lead.routes.ts'), 'utf8');
    expect(routes).toContain(
      "  // Archive a lead. Responds 200, 400, 404, 412.\n  .post('/:id/archive', change(leadTable, 'archive'))",
    );
    const before = await createLead();
    const { status, body } = await server.request('POST', `/api/crm/lead/${before.id}/archive`);
    const after = body as Lead;
    expect(status).toBe(200);
    expect(after.archived_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(after).toEqual({ ...before, archived_at: after.archived_at, updated_at: after.updated_at });
    expectProblem(await server.request('POST', '/api/crm/lead/lead_0/archive'), 404, 'not_found');
    expectProblem(await server.request('POST', `/api/crm/lead/${before.id}/archive?now=1`), 400, 'invalid_query');
    expectProblem(await server.request('POST', '/api/crm/deal/deal_0/archive'), 404, 'not_found');
  });

  test('needs the scope of its action, alone and in a batch', async () => {
    const args = ['generated/server.ts', 'keys', 'create', '--name', 'reader', '--scope', 'crm/lead:read'];
    const { stdout } = await run(process.execPath, args, { cwd: copy.root, env: { ...process.env, ...env } });
    const key = { authorization: `Bearer ${stdout.trim()}` };
    const { id } = await createLead();
    const path = `/api/crm/lead/${id}/archive`;
    const batch = { operations: [{ method: 'POST', path }] };
    for (const answer of [
      await server.request('POST', path, undefined, key),
      await server.request('POST', '/api/batch', batch, key),
    ]) {
      expect(expectProblem(answer, 403, 'insufficient_scope').detail).toContain('crm/lead:write');
    }
  });

  test('is an operation of a batch', async () => {
    const operations = [
      { method: 'POST', path: '/api/crm/lead', body: { name: 'Ada' } },
      { method: 'POST', path: '/api/crm/lead/{result:0}/archive' },
    ];
    const { status, body } = await server.request('POST', '/api/batch', { operations });
    expect(status).toBe(200);
    const archivedLead = { status: 200, body: { name: 'Ada', archived_at: expect.any(String) } };
    expect((body as { results: unknown[] }).results).toMatchObject([{ status: 201 }, archivedLead]);
  });

  test('is the name of its events, for filters, webhooks and undo', async () => {
    await using receiver = await Receiver.open();
    const create = ['webhooks', 'create', '--url', receiver.url, '--events', 'crm/lead:archive'];
    await run(process.execPath, ['generated/server.ts', ...create], {
      cwd: copy.root,
      env: { ...process.env, ...env },
    });
    const { id } = await createLead();
    await server.request('POST', `/api/crm/lead/${id}/archive`);
    const eventsOf = async (query: string) =>
      ((await server.request('GET', `/api/events?record=${id}${query}`)).body as { data: { number: number }[] }).data;
    expect(await eventsOf('')).toMatchObject(['create', 'archive'].map((operation) => ({ operation })));
    const [event, ...others] = await eventsOf('&operation=archive');
    expect([event, others]).toMatchObject([{ changes: { archived_at: [null, expect.any(String)] } }, []]);
    await vi.waitUntil(() => receiver.messages.length > 0, { timeout: 20_000 });
    expect(receiver.messages).toMatchObject([{ type: 'crm/lead.archive', data: { record: id, operation: 'archive' } }]);
    const undone = await server.request('POST', `/api/events/${event?.number}/undo`);
    expect(undone.body).toMatchObject({ id, name: 'Ada', archived_at: null });
  });

  test('is in the OpenAPI document, the metrics and the client', async () => {
    const { id } = await createLead();
    const { createClient } = (await import(join(copy.root, 'generated/client.ts'))) as {
      createClient(options: object): { crm: { lead: { archive(id: string): Promise<Lead> } } };
    };
    const client = createClient({ url: server.url, key: 'test-key-0123456789abcdef0123456789abcdef' });
    expect((await client.crm.lead.archive(id)).archived_at).toBeTypeOf('string');

    const { paths } = (await server.request('GET', '/openapi.json')).body as { paths: Record<string, object> };
    const { post } = paths['/api/crm/lead/{id}/archive'] as { post: { operationId: string; responses: object } };
    expect(post).toMatchObject({ operationId: 'archiveLead', summary: 'Archive a lead' });
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']));

    const [metrics = ''] = /http:\S+\/metrics/.exec(server.output) ?? [];
    const counted = /^http_requests_total\{method="POST",route="\/api\/crm\/lead\/:id\/archive",status="200"\} \d/m;
    expect(await (await fetch(metrics)).text()).toMatch(counted);
  });

  test('is refused if a field that it needs is missing or has another type', async () => {
    const { generate } = (await import(join(copy.root, 'generator/generate.ts'))) as typeof Generate;
    for (const field of ['note', 'archived_at', 'archived_at: integer', 'archived_at: { format: date }']) {
      const { diagnostics } = await generate(new Map([...Object.entries(specs), ['spec/crm/lead.yaml', lead(field)]]));
      expect(diagnostics).toEqual([
        expect.objectContaining({
          file: 'spec/crm/lead.yaml',
          line: 4,
          column: 28,
          message: 'archive needs the field `archived_at: { format: date-time }`',
        }),
      ]);
    }
  });
});
