import { describe, expect, test } from 'vitest';

import { type Problem, expectProblem, expectRefused, wordsOf } from '../support/problem.ts';
import { type Stored, create, list, retrieve, storedIn, update } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { emptyParent } from './empty-parent.ts';
import { recordNamed, resources } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const competitor = recordNamed('competitor');
const { path } = competitor;
const good = { competitor_name: 'Acme' };

/** A body of so many bytes, good but for its size: the spaces mean nothing. */
const padded = (bytes: number, body: object = good): string => {
  const text = JSON.stringify(body);
  return ' '.repeat(bytes - Buffer.byteLength(text)) + text;
};

const inPieces = (text: string): ReadableStream<Uint8Array> =>
  new Blob([text]).stream() as unknown as ReadableStream<Uint8Array>;

// The reader of bodies is one for all routes: three resources see every value, the others the first of each kind.
const thorough = new Set(['competitor', 'pos_item_group', 'subscription_settings']);

const notObjects = ['[]', 'null', '[{}]', '"x"', '1', 'true', 'false'];
const notJson = ['', '{', ' ', '{"a":}', "{'a': 1}", '{"a": 1,}', 'x', '{}{}', '{} x', '{"a": NaN}', '\u{feff}x'];
const notUtf8 = [[0xff], [0xed, 0xa0, 0x80], [0xc3], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80], [0xe4]];
const wrongTypes = [
  null,
  'text/plain',
  'application/json; charset=iso-8859-1',
  'application/json; charset=utf-16',
  'application/json; charset="x',
  'application/json-patch+json',
  'application/jsonx',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/json',
  'json',
  '*/*',
  '',
];
const rightTypes = [
  'application/json; charset=utf-8',
  'application/json',
  'Application/JSON;charset="UTF-8"',
  'application/json; Charset=UTF8',
];
const mergePatch = ['application/merge-patch+json', 'application/merge-patch+json;charset=utf-8'];

describe.each(resources)('$name', (resource) => {
  const some = <T>(values: readonly T[]): readonly T[] => values.slice(0, thorough.has(resource.name) ? 99 : 2);

  /** The requests of this resource that have a body, and the smallest one that each of them takes. */
  async function targets(): Promise<{ method: string; url: string; body: object }[]> {
    if (resource.kind === 'singleton') {
      const { id } = storedIn(await server.request('GET', resource.path));
      return [{ method: 'PATCH', url: `${resource.path}/${id}`, body: {} }];
    }
    const parent = resource.kind === 'line-item' ? await emptyParent(server, resource) : undefined;
    const body = minimalBody(resource, parent);
    const { id } = await create(server, resource.path, body);
    return [
      { method: 'POST', url: resource.path, body },
      { method: 'PATCH', url: `${resource.path}/${id}`, body: {} },
    ];
  }

  test('takes JSON objects only', async () => {
    for (const { method, url } of await targets()) {
      for (const body of some(notObjects)) expectRefused(await server.request(method, url, body), '');
      for (const body of some(notJson)) {
        expectProblem(await server.request(method, url, body), 400, 'malformed_json');
      }
    }
  });

  test('refuses a body that is not UTF-8', async () => {
    const [text] = resource.fields.find(([, type]) => type === 'string') ?? ['x'];
    for (const { method, url } of await targets()) {
      for (const bytes of some(notUtf8)) {
        const body = Buffer.concat([Buffer.from(`{"${text}":"`), Buffer.from(bytes), Buffer.from('"}')]);
        expectProblem(await server.request(method, url, body), 400, 'malformed_json');
      }
    }
  });

  test('takes application/json only, and merge patches on PATCH', async () => {
    for (const { method, url, body } of await targets()) {
      const isPatch = method === 'PATCH';
      for (const type of [...some(wrongTypes), ...(isPatch ? [] : mergePatch)]) {
        const answer = await server.request(method, url, body, { 'content-type': type });
        expectProblem(answer, 415, 'unsupported_media_type');
      }
      for (const type of [...some(rightTypes), ...(isPatch ? mergePatch : [])]) {
        const answer = await server.request(method, url, body, { 'content-type': type });
        expect(answer.status, `${type}: ${answer.text}`).toBe(isPatch ? 200 : 201);
      }
    }
  });

  test('names every unknown key, also those that every object has', async () => {
    const keys = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', '', 'a/b~c', 'Ω "x"', '0'];
    const escaped = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    for (const { method, url, body } of await targets()) {
      const members = [JSON.stringify(body).slice(1, -1), ...keys.map((key) => `${JSON.stringify(key)}: {"x": 1}`)];
      const answer = await server.request(method, url, `{${members.filter(Boolean).join(',')}}`);
      expectRefused(answer, ...keys.map(escaped));
    }
  });

  test('id and timestamps are read-only: refused on create, and on update when they differ', async () => {
    const readOnly = resource.kind === 'line-item' ? ['id'] : ['id', 'created_at', 'updated_at'];
    for (const { method, url, body } of await targets()) {
      for (const value of ['2026-01-01T00:00:00.000Z', '', null, 1]) {
        const wrong = Object.fromEntries(readOnly.map((name) => [name, value]));
        const answer = await server.request(method, url, { ...body, ...wrong });
        expectRefused(answer, ...readOnly.map((name) => `/${name}`));
      }
      if (method !== 'PATCH') continue;
      const stored = storedIn(await server.request(method, url, {}));
      const same = Object.fromEntries(readOnly.map((name) => [name, stored[name]]));
      expect(storedIn(await server.request(method, url, same))).toEqual(stored);
    }
  });

  test('a body may be as large as the limit and no larger', async () => {
    const limit = (resource.name === 'signing_document_data' ? 16 : 1) * 1024 * 1024;
    for (const { method, url, body } of await targets()) {
      expect((await server.request(method, url, padded(limit, body))).status).toBe(method === 'POST' ? 201 : 200);
      expectProblem(await server.request(method, url, padded(limit + 1, body)), 413, 'body_too_large');
    }
  });
});

test('a body whose length is not announced has the same limit', async () => {
  const limit = 1024 * 1024;
  expect((await server.request('POST', path, inPieces(padded(limit)))).status).toBe(201);
  for (const size of [limit + 1, 3 * limit]) {
    expectProblem(await server.request('POST', path, inPieces(padded(size))), 413, 'body_too_large');
  }
});

test('a refused create stores nothing', async () => {
  const { total } = await list(server, path, { limit: 1 });
  for (const body of ['[]', '{', '', { ...good, id: 'x' }, { ...good, x: 1 }, padded(1024 * 1024 + 1)]) {
    expect((await server.request('POST', path, body)).status).toBeGreaterThanOrEqual(400);
  }
  await server.request('POST', path, good, { 'content-type': 'text/plain' });
  expect((await list(server, path, { limit: 1 })).total).toBe(total);
});

test('a refused update changes nothing, not even the good part of it', async () => {
  const before = await create(server, path, good);
  const url = `${path}/${before.id}`;
  for (const wrong of [{ website: 1 }, { competitor_name: null }, { websit: 'x' }, { id: 'x' }, { updated_at: 'x' }]) {
    const answer = await server.request('PATCH', url, { competitor_name: 'Other', ...wrong });
    expectRefused(answer, `/${Object.keys(wrong)[0]}`);
  }
  expect(await retrieve(server, path, before.id)).toEqual(before);
});

test('everything wrong with a body is named at once', async () => {
  const answer = await server.request('POST', '/api/accounts/bank-guarantee', {
    amount: '12',
    start_date: '2026-02-30',
    validity: 1.5,
    bank: 7,
    amont: 12,
    id: 'x',
  });
  expectRefused(answer, '/bg_type', '/amount', '/start_date', '/validity', '/bank', '/amont', '/id');
});

test('a field that is missing, wrong, unknown or read-only has a code of its own', async () => {
  const answer = await server.request('POST', path, { website: 7, websit: 'x', id: 'x' });
  const { errors = [] } = answer.body as Problem;
  expect(errors).toHaveLength(4);
  expect(new Set(errors.map(({ code }) => code)).size).toBe(4);
  for (const { code } of errors) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('an unknown field far from every other is named all the same', async () => {
  const problem = expectRefused(await server.request('POST', path, { ...good, zzzzzzzzzzzz: 1 }), '/zzzzzzzzzzzz');
  expect(wordsOf(problem)).toContain('zzzzzzzzzzzz');
});

test('a lone surrogate in a name is refused as well', async () => {
  const answer = await server.request('POST', path, String.raw`{"competitor_name":"x","\ud800":1}`);
  expectProblem(answer, 422, 'invalid_body');
});

test('a body of many levels is refused like any other', async () => {
  const deep = `{"website":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  const answer = await server.request('POST', path, deep);
  expect([400, 422]).toContain(answer.status);
  expectProblem(answer, answer.status, answer.status === 400 ? 'malformed_json' : 'invalid_body');
});

test('a client may send back what it read', async () => {
  const lead = recordNamed('lead');
  const read = await create(server, lead.path, { lead_name: 'Ada', annual_revenue: 0.1 + 0.2 });
  expect(await update(server, lead.path, read.id, read)).toEqual(read);
  const changed = await update(server, lead.path, read.id, { ...read, city: 'Ulm' });
  expect(changed).toEqual({ ...read, city: 'Ulm', updated_at: changed['updated_at'] });
});

test('data and initial data of a signing document hold 10 MiB each within a body of 16', async () => {
  const data = recordNamed('signing_document_data');
  const body = { signing_document_id: 'x', data: 'd'.repeat(10_485_760), initial_data: 'i'.repeat(6_000_000) };
  const created: Stored = await create(server, data.path, body);
  expect(await retrieve(server, data.path, created.id)).toEqual(created);
  expect(created).toMatchObject(body);
});

test('every problem has a request id of its own', async () => {
  const ids = new Set<string>();
  for (let count = 0; count < 50; count += 1) {
    ids.add(expectProblem(await server.request('GET', `${path}/x`), 404, 'not_found').request_id);
  }
  expect(ids.size).toBe(50);
});
