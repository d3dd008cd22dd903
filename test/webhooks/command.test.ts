import { afterAll, beforeAll, expect, test } from 'vitest';

import { deleteOrganization } from '../../runtime/features/organizations/organizations.ts';
import { withEngine } from '../../runtime/migrations/engine.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { citus, describeEngine, engines, serviceName, type TestDatabase } from '../support/databases.ts';
import { readSettings } from '../support/settings.ts';
import { createWebhook, webhooks } from './command.ts';
import { features } from '../../runtime/features.ts';

const url = 'https://example.com/records';

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'npm run webhooks', () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await engine.create(service.tables);
      await (await database.open(service.tables)).close();
      await runInProcess(service, { DATABASE_URL: database.url }, 'organizations', 'create', 'acme');
    });
    afterAll(() => database[Symbol.asyncDispose]());

    test.each<[string[], string, number?]>([
      [['create', '--events', 'crm/lead'], '--url is missing'],
      [['create', '--url', url], '--events is missing'],
      [
        ['create', '--url', url, '--events', 'crm/leed'],
        'no resource with events "crm/leed"; did you mean "crm/lead"?',
      ],
      [['create', '--url', url, '--events', 'crm/lead:creat'], 'no event of crm/lead "creat"; did you mean "create"?'],
      [['create', '--url', url, '--events', 'crm/lead:create:x'], 'no event of crm/lead "create:x"'],
      [['create', '--url', url, '--events', 'crm/lead,'], 'no resource with events "".'],
      [['create', '--url', 'http://example.com/', '--events', 'crm/lead'], 'it must begin with https:'],
      [['create', '--url', 'https://0x7f.1/', '--events', 'crm/lead'], 'WEBHOOK_PRIVATE=on allows it.'],
      [['create', '--url', url, '--events', 'crm/lead', '--organization', 'acm'], 'did you mean "acme"?', 1],
      [['pause', 'webhook_1'], 'There is no webhook "webhook_1".', 1],
      [['deliveries', `'; drop table "_webhook"; --`], 'There is no webhook', 1],
      [['redeliver', 'webhook_1'], 'An argument is missing.'],
      [['paus'], 'did you mean "pause"?'],
    ])('%j is refused', async (args, message, code = 2) => {
      const end = await runInProcess(service, { DATABASE_URL: database.url }, 'webhooks', ...args);
      expect(end).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
      expect(await database.query('select * from "_webhook"')).toEqual([]);
    });

    test('creates a webhook with a secret that is shown once, and lists and removes it', async () => {
      const events = 'crm/lead,sales/order:submit,crm/lead';
      const { id, secret } = await createWebhook(database.url, '--url', url, '--events', events);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const other = await createWebhook(database.url, '--url', url, '--events', 'crm/lead', '--organization', 'acme');
      const { stdout } = await webhooks(database.url, 'list');
      expect(stdout).toMatch(new RegExp(`^${id} +main +${url} +crm/lead,sales/order:submit +.*Z +on$`, 'm'));
      expect(stdout).not.toContain(secret);
      const refused = await runInProcess(service, { DATABASE_URL: database.url }, 'webhooks', 'redeliver', id, '1');
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The webhook has no delivery "1".') });
      expect((await webhooks(database.url, 'deliveries', id)).stderr).toBe('There are no deliveries yet.\n');
      await webhooks(database.url, 'remove', id);
      expect((await webhooks(database.url, 'list')).stdout).toContain(other.id);
      expect((await webhooks(database.url, 'list')).stdout).not.toContain(id);
    });

    test('a webhook goes with its organization, and so do its deliveries', async () => {
      const { id } = await createWebhook(database.url, '--url', url, '--events', 'crm/lead', '--organization', 'acme');
      const [owner] = await database.query(`select "_organization" as "id" from "_webhook" where "id" = '${id}'`);
      await database.execute(
        `insert into "_delivery" values (${Number(owner?.['id'])}, '${id}', 1, 'crm/lead.create', 'lead_1', 'waiting', 0, 0, 0, null, null)`,
      );
      const address = readSettings({ DATABASE_URL: database.url }).DATABASE_URL;
      await withEngine(address, serviceName, 'write', (opened) => deleteOrganization(features.list, opened, 'acme', 0));
      for (const table of ['_webhook', '_delivery'])
        expect(await database.query(`select * from "${table}"`)).toEqual([]);
    });
  });
}
