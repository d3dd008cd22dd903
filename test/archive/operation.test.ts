import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { TestServer } from '../support/server.ts';
import { Receiver } from '../webhooks/receiver.ts';
import { generateProject } from '../support/project.ts';

const project = await generateProject(
  new Map([
    ['spec/service.yaml', 'name: shop\ntitle: Shop\ndoc: Sells things.\nversion: 1.0.0\nlicense: MIT\n'],
    ['spec/crm/lead.yaml', 'kind: record\ndoc: A lead.\narchive: true\nfields: { name }\n'],
    ['spec/crm/deal.yaml', 'kind: record\ndoc: A deal.\nfields: { name }\n'],
  ]),
);
const run = promisify(execFile);
const folder = join(project, 'data');
const env = { METRICS_PORT: '0', WEBHOOK_PRIVATE: 'on', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` };
const server = new TestServer({ project, folder, env });
const command = (...args: readonly string[]) =>
  run(process.execPath, ['generated/server.ts', ...args], {
    cwd: project,
    env: { ...process.env, ...env, API_KEY: 'test-key-0123456789abcdef0123456789abcdef' },
  });

beforeAll(async () => {
  mkdirSync(folder);
  await server.start();
});

afterAll(() => server.close());

type Lead = Readonly<Record<'id' | 'name' | 'archived_at' | 'updated_at', string>>;

async function createLead(): Promise<Lead> {
  return (await server.request('POST', '/api/crm/lead', { name: 'Ada' })).body as Lead;
}

describe('the operation archive', () => {
  test('needs the scope of its action, alone and in a batch', async () => {
    const { stdout } = await command('keys', 'create', '--name', 'writer', '--scope', 'crm/lead:write');
    const key = { authorization: `Bearer ${stdout.trim()}` };
    const { id } = await createLead();
    const path = `/api/crm/lead/${id}/archive`;
    const batch = { operations: [{ method: 'POST', path }] };
    for (const answer of [
      await server.request('POST', path, undefined, key),
      await server.request('POST', '/api/batch', batch, key),
    ]) {
      expect(expectProblem(answer, 403, 'insufficient_scope').detail).toContain('crm/lead:transition');
    }
  });

  test('is the name of its events, for filters, webhooks and undo', async () => {
    await using receiver = await Receiver.open();
    await command('webhooks', 'create', '--url', receiver.url, '--events', 'crm/lead:archive');
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
    const { createClient } = (await import(join(project, 'generated/client.ts'))) as {
      createClient(options: object): {
        crm: {
          lead: { archive(id: string): Promise<Lead>; list(query: object): Promise<{ total: number; data: Lead[] }> };
        };
      };
    };
    const client = createClient({ url: server.url, key: 'test-key-0123456789abcdef0123456789abcdef' });
    expect((await client.crm.lead.archive(id)).archived_at).toBeTypeOf('string');
    expect((await client.crm.lead.list({ filter: { id } })).total).toBe(0);
    expect((await client.crm.lead.list({ filter: { id, archived: true } })).data).toMatchObject([{ id }]);

    const { paths } = (await server.request('GET', '/openapi.json')).body as { paths: Record<string, object> };
    const { post } = paths['/api/crm/lead/{id}/archive'] as { post: { operationId: string; responses: object } };
    expect(post).toMatchObject({ operationId: 'archiveLead', summary: 'Archive a lead' });
    expect(Object.keys(post.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403', '404']));

    const [metrics = ''] = /http:\S+\/metrics/.exec(server.output) ?? [];
    const counted = /^http_requests_total\{method="POST",route="\/api\/crm\/lead\/:id\/archive",status="200"\} \d/m;
    expect(await (await fetch(metrics)).text()).toMatch(counted);
  });

  test('leaves the record in an export, which says when, and in the demo of a few', async () => {
    const { id } = await createLead();
    const { body: archived } = await server.request('POST', `/api/crm/lead/${id}/archive`);
    const { stdout } = await command('export', 'crm/lead', '--url', server.url, '--format', 'ndjson');
    const exported = stdout.split('\n').filter((line) => line.includes(id));
    expect(exported.map((line) => JSON.parse(line) as unknown)).toEqual([archived]);
    const count = async (): Promise<number> =>
      ((await server.request('GET', '/api/crm/lead?archived=true')).body as { total: number }).total;
    const before = await count();
    await command('demo', '--url', server.url, '--count', '40');
    expect(await count()).toBeGreaterThan(before);
  });
});
