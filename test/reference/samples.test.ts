import { expect, test } from 'vitest';

import { exampleCall, sentCall } from '../../runtime/apps/reference/browser/call.ts';
import type { OpenApi } from '../../runtime/apps/reference/browser/document.ts';
import { curlOf, typescriptOf } from '../../runtime/apps/reference/browser/samples.ts';

const base = 'https://example.com/records';
const json = (content: object): object => ({ requestBody: { content: { 'application/json': content } } });
const id = { name: 'id', in: 'path', required: true, example: 'sales_promise_01' };
const filter = { name: 'status', in: 'query', schema: { default: 'draft' } };

const document = {
  info: { title: 'Records' },
  servers: [],
  tags: [
    {
      name: 'Guarantee',
      'x-resource': { path: '/api/accounts/sales-promise', kind: 'record', name: 'sales_promise' },
    },
    { name: 'Slot', 'x-resource': { path: '/api/crm/b-o-m-slot', kind: 'line_item', name: 'bom_slot' } },
    { name: 'Settings', 'x-resource': { path: '/api/crm/settings', kind: 'singleton', name: 'crm_settings' } },
  ],
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

const curl = (method: string, pattern: string): string => curlOf(exampleCall(document, method, pattern), base);

/** The line of the sample that sends the request. */
const client = (method: string, pattern: string): string | undefined =>
  /^const answer = await (.*);$/ms.exec(typescriptOf(document, exampleCall(document, method, pattern), base))?.[1];

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
  expect(curl('get', '/api/crm/b-o-m-slot')).toContain(`'${base}/api/crm/b-o-m-slot?parent_id=a+b'`);
});

test.each([
  ['get', promises, 'api.accounts.salesPromise.list()'],
  ['get', `${promises}/{id}`, 'api.accounts.salesPromise.retrieve("sales_promise_01")'],
  ['delete', `${promises}/{id}`, 'api.accounts.salesPromise.delete("sales_promise_01")'],
  ['post', `${promises}/{id}/send-back`, 'api.accounts.salesPromise.sendBack("sales_promise_01")'],
  ['patch', `${promises}/{id}`, 'api.accounts.salesPromise.update("sales_promise_01", {\n  amount: null\n})'],
  ['post', promises, `api.accounts.salesPromise.create({\n  name: "Bob's",\n  "odd-key": null,\n  amount: 1.5\n})`],
  ['get', '/api/crm/b-o-m-slot', 'api.crm.bomSlot.list("a b")'],
  ['post', '/api/crm/b-o-m-slot/reorder', 'api.crm.bomSlot.reorder([\n  {\n    id: "s1",\n    idx: 1\n  }\n])'],
  ['get', '/api/crm/settings', 'api.crm.crmSettings.retrieve()'],
])('the client does %s %s by %s', (method, pattern, expected) => {
  expect(client(method, pattern)).toBe(expected);
});

test('what the client has no operation for is sent by fetch', () => {
  expect(typescriptOf(document, exampleCall(document, 'get', '/api/key'), base)).toBe(
    `const response = await fetch('${base}/api/key', {
  headers: { Authorization: \`Bearer \${process.env.KEY}\` },
});
const answer = await response.json();
`,
  );
  const batch = typescriptOf(document, exampleCall(document, 'post', '/api/batch'), base);
  expect(batch).toContain("  method: 'POST',\n");
  expect(batch).toContain("'Content-Type': 'application/json'");
  expect(batch).toContain('  body: JSON.stringify({}),\n');
});

test('a request that was sent is found in the document, behind the prefix of a proxy too', () => {
  const url = `${base}/api/crm/b-o-m-slot/reorder?x=1`;
  const call = sentCall(document, base, 'post', url, '{"items": []}');
  expect(call).toEqual({
    method: 'post',
    path: '/api/crm/b-o-m-slot/reorder',
    pattern: '/api/crm/b-o-m-slot/reorder',
    query: { x: '1' },
    mediaType: 'application/json',
    body: { items: [] },
  });
  const broken = sentCall(document, base, 'patch', `${base}${promises}/g%201`, '{"amount": ');
  expect(broken).toMatchObject({ pattern: `${promises}/{id}`, body: '{"amount": ' });
  expect(curlOf(broken, base)).toContain(`-d '{"amount": '`);
});
