import { afterAll, beforeAll, expect, test } from 'vitest';

import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { create, pageIn, retrieve, storedIn, update } from '../support/records.ts';
import { startServer, type TestServer } from '../support/server.ts';

const leads = '/api/crm/lead';
const orders = '/api/sales/order';
const files = '/api/files/attachment';
const mebibyte = 1_048_576;

/** Few of the records below fit at once. */
const env = { MAX_BUFFERED_MIB: '8' };

/** Fields that are filled one after the other, until the record is too large. */
const fields = ['phone', 'mobile_no', 'fax', 'city'];
const characters = { wide: '\u{1F600}', escaped: '\u0001' };

for (const one of engines) {
  describeEngine(one, 'records that are as large as they may be', () => {
    let server: TestServer;
    const ids: string[] = [];

    beforeAll(async () => {
      server = await startServer({ env, database: () => one.create(service.tables) });
      for (const character of Object.values(characters)) {
        const { id } = await create(server, leads, { lead_name: 'long' });
        for (const field of fields) {
          const answer = await server.request('PATCH', `${leads}/${id}`, { [field]: character.repeat(maxTextLength) });
          if (answer.status === 200) continue;
          expectProblem(answer, 413, 'record_too_large');
          break;
        }
        ids.push(id);
      }
    });

    afterAll(() => server?.close());

    test('are the same however they are read', async () => {
      for (const id of ids) {
        const changed = await update(server, leads, id, { status: `seen ${id}` });
        const bytes = Buffer.byteLength(JSON.stringify(changed));
        expect(bytes).toBeGreaterThan(mebibyte * 0.7);
        expect(bytes).toBeLessThanOrEqual(mebibyte);
        expect(await retrieve(server, leads, id)).toEqual(changed);
        expect(await update(server, leads, id, {})).toEqual(changed);
        const { data } = pageIn(await server.request('GET', leads));
        expect(data.find((record) => record.id === id)).toEqual(changed);
        const some = storedIn(await server.request('GET', `${leads}/${id}?fields=${fields.join()}`));
        expect(some).toEqual(Object.fromEntries(['id', ...fields].map((name) => [name, changed[name]])));
        const operations = [{ method: 'PATCH', path: `${leads}/${id}`, body: { status: 'in a batch' } }];
        const answer = await server.request('POST', '/api/batch', { operations });
        const { headers } = await server.request('GET', `${leads}/${id}`);
        expect(answer.body).toEqual({
          results: [
            {
              status: 200,
              etag: headers.get('etag'),
              body: { ...(await retrieve(server, leads, id)), status: 'in a batch' },
            },
          ],
        });
      }
    });

    test('are changed by many at once within the memory for answers, all or with nothing done', async () => {
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, n) => server.request('PATCH', `${leads}/${ids[n % 2]}`, { salutation: `${n}` })),
      );
      const done = answers.flatMap(({ status }, n) => (status === 200 ? [n] : []));
      expect(done.length).toBeGreaterThan(2);
      expect(answers.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
      for (const [n, id] of ids.entries()) {
        const { salutation } = await retrieve(server, leads, id);
        expect(done.filter((number) => number % 2 === n).map(String)).toContain(salutation);
      }
    });

    test('or far larger, are changed without a look at their long texts', async () => {
      const half = 10_485_760;
      const file = await create(server, files, { order_id: 'x', data: 'x'.repeat(half) });
      const titled = await update(server, files, file.id, { title: 'long', order_id: 'x' });
      expect({ ...titled, updated_at: '' }).toEqual({ ...file, title: 'long', updated_at: '' });
      expect(await update(server, files, file.id, { title: 'long' })).toEqual(titled);
      expect(await retrieve(server, files, file.id)).toEqual(titled);
      const some = { id: file.id, order_id: 'x', title: 'long', page_count: null };
      const query = 'fields=order_id,title,page_count';
      expect(storedIn(await server.request('GET', `${files}/${file.id}?${query}`))).toEqual(some);
      for (const limit of [20, 1_000]) {
        expect(pageIn(await server.request('GET', `${files}?${query}&limit=${limit}`)).data).toEqual([some]);
        const { data } = pageIn(await server.request('GET', `${files}?fields=data&limit=${limit}`));
        expect(data).toEqual([{ id: file.id, data: file['data'] }]);
      }
      const refused = await server.request('PATCH', `${files}/${file.id}`, { preview: 'x'.repeat(half) });
      expectProblem(refused, 413, 'record_too_large');
      expect((await server.request('DELETE', `${files}/${file.id}`)).status).toBe(200);
    });

    test('move to another state', async () => {
      const order = await create(server, orders, { company: 'x', currency: 'EUR', ordered_on: '2026-01-01' });
      for (const field of ['notes', 'contact']) {
        await update(server, orders, order.id, { [field]: characters.wide.repeat(maxTextLength / 2) });
      }
      const moved = storedIn(await server.request('POST', `${orders}/${order.id}/submit`));
      expect(moved['status']).toBe('submitted');
      expect(await retrieve(server, orders, order.id)).toEqual(moved);
    });
  });
}
