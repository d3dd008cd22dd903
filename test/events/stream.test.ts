import { expect, test } from 'vitest';

import { create } from '../support/records.ts';
import { startServer, testKey, type TestServer } from '../support/server.ts';

const order = { ordered_on: '2026-01-01', company: 'a', currency: 'EUR' };

/** Reads a stream of events until it has so many. */
async function readEvents(
  { url }: TestServer,
  count: number,
  headers: Readonly<Record<string, string>> = {},
  query = '',
): Promise<{ ids: number[]; end: () => Promise<void> }> {
  const response = await fetch(`${url}/api/events${query}`, {
    headers: { Authorization: `Bearer ${testKey}`, Accept: 'text/event-stream', ...headers },
  });
  expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const idsIn = (): number[] => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  while (idsIn().length < count) text += (await reader.read()).value ?? '';
  const end = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  return { ids: idsIn(), end };
}

test('a stream shows events as they come, goes on behind Last-Event-ID, and ends when the server stops', async () => {
  await using server = await startServer();
  await create(server, '/api/sales/order', order);
  const later = readEvents(server, 3, {}, '?resource=sales/order');
  await create(server, '/api/sales/order', order);
  await create(server, '/api/sales/order', order);
  const { ids, end } = await later;
  expect(ids).toHaveLength(3);
  const { ids: behind, end: endOther } = await readEvents(server, 2, { 'Last-Event-ID': String(ids[0]) });
  expect(behind).toEqual(ids.slice(1));
  const wrong = await server.request('GET', '/api/events?sort=-number', undefined, { Accept: 'text/event-stream' });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  await Promise.all([server.stop(), end(), endOther()]);
});
