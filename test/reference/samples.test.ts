import { expect, test } from 'vitest';

import type { OpenApi } from '../../runtime/apps/reference/browser/document.ts';
import { curlOf, exampleCall } from '../../runtime/apps/reference/browser/samples.ts';

const base = 'https://example.com/records';
const json = (content: object): object => ({ requestBody: { content: { 'application/json': content } } });
const id = { name: 'id', in: 'path', required: true, example: 'sales_promise_01' };
const filter = { name: 'status', in: 'query', schema: { default: 'draft' } };

const document = {
  info: { title: 'Records' },
  servers: [],
  paths: {
    '/api/accounts/sales-promise': {
      get: { parameters: [filter] },
      post: json({ example: { name: "Bob's", 'odd-key': null, amount: 1.5 } }),
    },
    '/api/accounts/sales-promise/{id}': {
      get: { parameters: [{ $ref: '#/components/parameters/Id' }] },
      patch: { parameters: [id], ...json({ schema: { $ref: '#/components/schemas/Update' } }) },
      delete: { parameters: [id] },
    },
    '/api/accounts/sales-promise/{id}/send-back': { post: { parameters: [id] } },
    '/api/crm/b-o-m-slot': {
      get: { parameters: [{ name: 'parent_id', in: 'query', required: true, schema: { examples: ['a b'] } }] },
    },
    '/api/crm/b-o-m-slot/reorder': { post: json({ examples: { one: { value: { items: [{ id: 's1', idx: 1 }] } } } }) },
    '/api/crm/settings': { get: {} },
    '/api/batch': { post: json({}) },
    '/api/key': { get: {} },
  },
  components: {
    securitySchemes: { apiKey: {} },
    parameters: { Id: id },
    schemas: { Update: { examples: [{ amount: null }] } },
  },
} as unknown as OpenApi;

const curl = (method: string, pattern: string): string => curlOf(exampleCall(document, base, method, pattern));

const promises = '/api/accounts/sales-promise';
const key = '  -H "Authorization: Bearer $KEY"';

test('a sample for curl has the key in a variable, and the body as one word of the shell', () => {
  expect(curl('get', promises)).toBe(`curl '${base}${promises}' \\\n${key}`);
  expect(curl('post', promises)).toBe(
    String.raw`curl 'https://example.com/records/api/accounts/sales-promise' \
  -H "Authorization: Bearer $KEY" \
  -H 'Content-Type: application/json' \
  -d '{
  "name": "Bob'\''s",
  "odd-key": null,
  "amount": 1.5
}'`,
  );
  expect(curl('post', `${promises}/{id}/send-back`)).toBe(
    `curl -X POST '${base}${promises}/sales_promise_01/send-back' \\\n${key}`,
  );
  expect(curl('patch', `${promises}/{id}`)).toContain('"amount": null');
  expect(curl('get', '/api/crm/b-o-m-slot')).toContain(`'${base}/api/crm/b-o-m-slot?parent_id=a+b'`);
});

test('a body that is no JSON is shown as it was sent', () => {
  const sent = { method: 'patch', url: `${base}${promises}/g%201`, headers: {}, body: '{"amount": ' };
  expect(curlOf(sent)).toContain(`-d '{"amount": '`);
});
