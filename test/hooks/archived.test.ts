import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import type { Service } from '../../runtime/index.ts';
import { shop } from '../archive/shop.ts';
import { outcomeOf } from '../states/claims.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { generateProject } from '../support/project.ts';
import { create, retrieve } from '../support/records.ts';
import { sharedServer } from '../support/server.ts';

const hooks = `import type { VisitHooks } from "../../generated/shop/visit.schema.ts";

export const beforeCreate: VisitHooks['beforeCreate'] = async ({ record, list, count, move, update }) => {
  const { city, verb } = record;
  if (verb === 'count') {
    const counts = await Promise.all([false, true, 'any' as const].map((of) => count('shop/customer', { filter: { archived: of } })));
    record.result = counts.join(' ');
    return;
  }
  const [customer] = await list('shop/customer', { filter: { city, archived: 'any' }, sort: 'name' });
  if (verb === 'archive' || verb === 'unarchive') await move('shop/customer', String(customer?.id), verb);
  if (verb === 'update') await update('shop/customer', String(customer?.id), { archived_at: null } as object);
  const shown = await list('shop/customer', { filter: { city }, sort: 'name' });
  const archived = await count('shop/customer', { filter: { city, archived: true } });
  record.result = shown.map(({ name }) => name).join('') + archived;
};
`;

const visit = `kind: record
doc: A visit to a city.
fields:
  city: { required: true, max_length: 100 }
  verb: { max_length: 100 }
  result: { max_length: 100, read_only: true }
`;

const project = await generateProject(
  new Map([...shop, ['spec/shop/visit.yaml', visit], ['spec/shop/visit.hooks.ts', hooks]]),
);
// The routes import it.
mkdirSync(join(project, 'spec/shop'), { recursive: true });
writeFileSync(join(project, 'spec/shop/visit.hooks.ts'), hooks);
const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };
const [customers, visits] = ['/api/shop/customer', '/api/shop/visit'] as const;

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'hooks and archived records', () => {
    const server = sharedServer({ project, engine, tables: service.tables });

    test('lists leave archived records out unless they are asked for, and a move archives', async () => {
      const [city, path] = ['Lyon', '/api/events?resource=shop/customer&sort=-number&limit=1'];
      const { id } = await create(server, customers, { name: 'A', city });
      await create(server, customers, { name: 'B', city });
      const visitFor = (verb: string) => server.request('POST', visits, { city, verb });
      expect((await visitFor('look')).body).toMatchObject({ result: 'AB0' });
      expect((await visitFor('archive')).status).toBe(201);
      expect(await retrieve(server, customers, id)).toMatchObject({ archived_at: expect.any(String) });
      expect((await server.request('GET', path)).body).toMatchObject({ data: [{ record: id, operation: 'archive' }] });
      expect((await visitFor('look')).body).toMatchObject({ result: 'B1' });
      expect(outcomeOf(await visitFor('archive'))).toBe('wrong_state');
      expect((await visitFor('update')).status).toBe(500);
      expect((await visitFor('unarchive')).status).toBe(201);
      expect((await visitFor('look')).body).toMatchObject({ result: 'AB0' });
    });

    test('counts have what the operations of the batch before them create and archive', async () => {
      const { id } = await create(server, customers, { name: 'A', city: 'Nice' });
      const batch = await server.request('POST', '/api/batch', {
        operations: [
          { method: 'POST', path: customers, body: { name: 'B', city: 'Nice' } },
          { method: 'POST', path: `${customers}/${id}/archive` },
          { method: 'POST', path: visits, body: { city: 'Nice', verb: 'count' } },
        ],
      });
      expect(batch.status).toBe(200);
      const { body } = await server.request('POST', visits, { city: 'Nice', verb: 'count' });
      const { result } = body as { result: string };
      expect(result.endsWith('0')).toBe(false);
      expect(batch.body).toMatchObject({ results: [{}, {}, { body: { result } }] });
    });
  });
}
