import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { Capacity } from '../../runtime/kernel/api/capacity.ts';
import { list } from '../../runtime/kernel/api/read-handlers.ts';
import type { Env, RequestEnv } from '../../runtime/kernel/api/service.ts';
import { ApiError } from '../../runtime/kernel/model/errors.ts';
import { id } from '../../runtime/kernel/model/fields.ts';
import { query } from '../../runtime/kernel/model/query.ts';
import { record } from '../../runtime/kernel/model/table.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import { clientWith } from '../support/key-table.ts';

const fields = z.strictObject({ id: id() });
const files = record('file', fields, { maxBody: 16_777_216 });

test('a page that is streamed breaks off when its key is revoked', async () => {
  const read: string[] = [];
  const records = {
    list: async () => ({ total: 3, hasMore: false, items: { ids: ['a', 'b', 'c'] } }),
    show: async (_: string, [name = '']: string[]) => {
      read.push(name);
      return JSON.stringify({ id: name });
    },
  } as unknown as Records;
  let validUntil = 4;
  const check = (): unknown => (read.length < validUntil ? clientWith(records) : new ApiError('not_found', 'revoked'));
  const app = new Hono<Env>().get('/api/file', list(files, query(fields)));
  const capacity = new Capacity(256);
  await using server = createServer((incoming, outgoing) => {
    const env = { principal: clientWith(records), access: { check }, capacity, parameters: [], incoming, outgoing };
    void app.request('/api/file', {}, env as unknown as RequestEnv);
  }).listen(0);
  const request = async (): Promise<string> => {
    const { port } = server.address() as AddressInfo;
    return (await fetch(`http://localhost:${port}/`)).text();
  };
  expect(JSON.parse(await request())).toMatchObject({ data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] });
  read.length = 0;
  validUntil = 2;
  await expect(request()).rejects.toThrow();
  expect(read).toEqual(['a', 'b']);
});
