import { expect, test } from 'vitest';

import { onEachEngine } from '../references/library.ts';
import { expectProblem } from '../support/problem.ts';

const required = { serial_number: 'AB-123456', model: 'Drill', location: null, power: 'mains', is_leased: false };
const body = (settings: string, more = ''): string =>
  `${JSON.stringify(required).slice(0, -1)},${more}"settings":${settings}}`;

const path = '/api/assets/machine';

/** Texts that JavaScript would change. */
const texts = [
  '{"2":1,"1":2,"b":[],"a":{"10":null,"9":true}}',
  '{"__proto__":{"toString":1},"constructor":2}',
  '[1.0,1e2,-0,12345678901234567890,0.1000,1e400]',
  String.raw`{"a":"\u00e9\u2028\/\"\\","\u0062":"ä"}`,
  '{"result":0}',
  '[{"result":0}]',
  '{}',
  '[]',
];

onEachEngine('objects and arrays of any form', (subject) => {
  const ask = (method: string, at: string, sent?: string, headers = {}) =>
    subject.library.server.request(method, at, sent, { 'content-type': 'application/json', ...headers });
  const create = async (settings: string): Promise<{ readonly id: string; readonly text: string }> => {
    const { status, text, body: record } = await ask('POST', path, body(settings));
    expect(status, text).toBe(201);
    return { id: (record as { id: string }).id, text };
  };

  test('are returned as they were sent, by all that shows records', async () => {
    for (const settings of texts) {
      const shown = `"settings":${settings},`;
      const { id, text } = await create(` ${settings.replaceAll(',', ' ,\n ').replaceAll(':', ': ')}`);
      expect(text).toContain(shown);
      expect((await ask('GET', `${path}/${id}`)).text).toContain(shown);
      expect((await ask('GET', `${path}?id=${id}`)).text).toContain(shown);
      expect((await ask('GET', `${path}/${id}?fields=settings`)).text).toContain(`"settings":${settings}`);
      const created = await ask('GET', `/api/events?record=${id}`);
      expect(created.text).toContain(`"settings":[null,${settings}]`);
      // The same value again is no change.
      const { headers, text: same } = await ask('PATCH', `${path}/${id}`, `{"settings":${settings}}`);
      expect([same, headers.get('etag')]).toEqual([text, '"1"']);
      const cleared = await ask('PATCH', `${path}/${id}`, '{"settings":null}');
      expect(cleared.text).toContain('"settings":null');
      const events = (await ask('GET', `/api/events?record=${id}`)).body as { data: readonly { number: number }[] };
      expect((await ask('POST', `/api/events/${events.data[1]?.number}/undo`)).text).toContain(shown);
    }
  });

  test('a batch keeps them, and takes no value in them for a reference', async () => {
    const operations = texts.map((settings) => `{"method":"POST","path":"${path}","body":${body(settings)}}`);
    const { status, text, body: answer } = await ask('POST', '/api/batch', `{"operations":[${operations.join()}]}`);
    expect(status, text).toBe(200);
    for (const settings of texts) expect(text).toContain(`"settings":${settings},`);
    const [first] = (answer as { results: readonly { body: { id: string } }[] }).results;
    const update = `{"method":"PATCH","path":"${path}/${first?.body.id}","body":{"settings":{"result":7}}}`;
    expect((await ask('POST', '/api/batch', `{"operations":[${update}]}`)).text).toContain('"settings":{"result":7},');
  });

  test('another order of keys, or another spelling of a number, is another value', async () => {
    const { id } = await create('{"a":1,"b":2}');
    const versions = [];
    for (const settings of ['{"b":2,"a":1}', '{"b":2,"a":1.0}', '{"b":2, "a":1.0}']) {
      versions.push((await ask('PATCH', `${path}/${id}`, `{"settings":${settings}}`)).headers.get('etag'));
    }
    expect(versions).toEqual(['"2"', '"3"', '"3"']);
  });

  test('a repeated request with an Idempotency-Key has the first answer', async () => {
    const headers = { 'idempotency-key': `json-${Math.random()}` };
    const first = await ask('POST', path, body(texts[0]!), headers);
    const { id } = first.body as { id: string };
    await ask('PATCH', `${path}/${id}`, '{"settings":{"later":true}}');
    const again = await ask('POST', path, body(texts[0]!), headers);
    expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
  });

  test('a repeated request may have other white space and another order of fields, but not of the keys of a value', async () => {
    const batchOf = (sent: string) => `{"operations":[{"method":"POST","path":"${path}","body":${sent}}]}`;
    for (const [at, wrap] of [
      [path, String],
      ['/api/batch', batchOf],
    ] as const) {
      const headers = { 'idempotency-key': `json-${Math.random()}` };
      const post = (sent: string) => ask('POST', at, wrap(sent), headers);
      const first = await post(body('{"a":1,"b":12345678901234567890}'));
      const { model, ...others } = required;
      const moved = `{"settings": {"a" : 1,"b":12345678901234567890},${JSON.stringify({ ...others, model }).slice(1)}`;
      const same = await post(moved);
      expect([same.status, same.text]).toEqual([first.status, first.text]);
      for (const other of ['{"b":12345678901234567890,"a":1}', '{"a":1,"b":12345678901234567891}'])
        expectProblem(await post(body(other)), 422, 'idempotency_key_reused');
    }
  });

  test('other values are refused, with their place', async () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const cases: readonly (readonly [settings: string, status: number, code: string])[] = [
      ['1', 422, 'wrong_type'],
      ['"{}"', 422, 'wrong_type'],
      ['true', 422, 'wrong_type'],
      [`["${'x'.repeat(3_997)}"]`, 422, 'too_long'],
      [String.raw`{"a":"\u0000"}`, 422, 'invalid_text'],
      [String.raw`{"\ud800":1}`, 422, 'invalid_text'],
      ['{"a":1,"a":2}', 400, 'malformed_json'],
      [nested(33), 400, 'malformed_json'],
    ];
    for (const [settings, status, code] of cases) {
      const single = await ask('POST', path, body(settings));
      const problem = single.body as { code: string; errors?: readonly object[] };
      expect([single.status, problem.errors ?? problem.code], settings).toMatchObject([
        status,
        status === 422 ? [{ pointer: '/settings', code }] : code,
      ]);
      const operation = `{"method":"POST","path":"${path}","body":${body(settings)}}`;
      const batch = await ask('POST', '/api/batch', `{"operations":[${operation}]}`);
      expect(batch.status, settings).toBe(status);
    }
    const { text } = await create(nested(32));
    expect(text).toContain(nested(32));
    const operation = `{"method":"POST","path":"${path}","body":${body(nested(32))}}`;
    expect((await ask('POST', '/api/batch', `{"operations":[${operation}]}`)).status).toBe(200);
    expect((await create(`["${'x'.repeat(3_996)}"]`)).text).toContain('xxx');
  });

  test('a list is filtered by null alone', async () => {
    const { id } = await create('{}');
    const { body: record } = await ask('POST', path, JSON.stringify(required));
    const without = (record as { id: string }).id;
    const idsOf = async (query: string): Promise<readonly string[]> =>
      ((await ask('GET', `${path}?limit=1000&${query}`)).body as { data: readonly { id: string }[] }).data.map(
        (one) => one.id,
      );
    const [is, isNot] = [await idsOf('settings[null]=true'), await idsOf('settings[null]=false')];
    expect([is.includes(without), is.includes(id), isNot.includes(id), isNot.includes(without)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
    for (const query of ['settings={}', 'settings[gt]=1', 'sort=settings', 'settings[has]=1']) {
      expect((await ask('GET', `${path}?${query}`)).status, query).toBe(400);
    }
  });
});
