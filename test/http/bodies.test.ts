import { describe, expect, test } from 'vitest';

import { lineItemNamed, recordNamed } from '../service/resources.ts';
import { expectProblem, expectRefused } from '../support/problem.ts';
import { create, list, retrieve } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();

const { path } = recordNamed('lead');
const order = recordNamed('order');
const line = lineItemNamed('order_line');

/** Members with keys of their own that no resource has. */
const unknown = (count: number): string[] => Array.from({ length: count }, (_, index) => `"lead_nam${index}":0`);

describe('a key that is there twice', () => {
  const detail = 'An object in the body has the same key twice.';

  test.each([
    '{"city":"Ulm","city":"Ulm"}',
    String.raw`{"city":"Ulm","c\u0069ty":"Bonn"}`,
    '{"x":1,"x":2}',
    '{"city":{"x":1,"x":2}}',
  ])('%s is refused', async (body) => {
    const { total } = await list(server, path, { limit: 1 });
    expect(expectProblem(await server.request('POST', path, body), 400, 'malformed_json').detail).toBe(detail);
    expect((await list(server, path, { limit: 1 })).total).toBe(total);
  });

  test('is refused in an update and in an item of a reorder', async () => {
    const { id } = await create(server, path, { city: 'Ulm' });
    expectProblem(await server.request('PATCH', `${path}/${id}`, '{"city":"a","city":"b"}'), 400, 'malformed_json');
    const parent = await create(server, order.path, minimalBody(order));
    const item = await create(server, line.path, minimalBody(line, parent.id));
    const body = `{"items":[{"id":"${item.id}","idx":1,"idx":2}]}`;
    expectProblem(await server.request('POST', `${line.path}/reorder`, body), 400, 'malformed_json');
  });
});

describe('errors', () => {
  test('up to 100 are listed, and all of them counted', async () => {
    const exactly = expectProblem(await server.request('POST', path, `{${unknown(100).join()}}`), 422, 'invalid_body');
    expect(exactly.errors).toHaveLength(100);
    expect(exactly).not.toHaveProperty('errors_omitted');
    const more = expectProblem(await server.request('POST', path, `{${unknown(150).join()}}`), 422, 'invalid_body');
    expect(more.errors).toEqual(exactly.errors);
    expect(more).toMatchObject({ detail: '150 fields are not valid.', errors_omitted: 50 });
  });

  test('of a reorder as well', async () => {
    const items = Array.from({ length: 300 }, () => ({ id: 'x', idx: 1 }));
    const problem = expectProblem(await server.request('POST', `${line.path}/reorder`, { items }), 422, 'invalid_body');
    expect(problem).toMatchObject({ detail: '299 fields are not valid.', errors_omitted: 199 });
    expect(problem.errors).toHaveLength(100);
  });

  test('a known name is suggested for the first 10 unknown ones', async () => {
    const members = Array.from({ length: 20 }, (_, index) => `"${index < 10 ? 'city' : 'country'}${index % 10}":0`);
    const answer = await server.request('POST', path, `{${members.join()}}`);
    const { errors = [] } = expectProblem(answer, 422, 'invalid_body');
    const suggesting = errors.map(({ message }) => message.includes('did you mean '));
    expect(suggesting).toEqual(members.map((_, index) => index < 10));
  });

  test('long keys and values are shortened, and a pointer says so', async () => {
    const key = `${'~'.repeat(99)}🙂/${'y'.repeat(100_000)}`;
    const answer = await server.request('POST', path, { [key]: 1, ['z'.repeat(100)]: 1 });
    const pointer = `/${'~0'.repeat(99)}\u{fffd}…`;
    const problem = expectRefused(answer, pointer, `/${'z'.repeat(100)}`);
    const { errors = [] } = problem;
    expect(errors.map(({ pointer_shortened: isShortened }) => isShortened)).toEqual([true, undefined]);
    expect(answer.text.length).toBeLessThan(2_000);
  });

  test('a long state is shortened', async () => {
    const { id } = await create(server, order.path, { ...minimalBody(order), status: 's'.repeat(60_000) });
    const answer = await server.request('POST', `${order.path}/${id}/submit`);
    expect(expectProblem(answer, 409, 'wrong_state').detail).toContain(`"${'s'.repeat(100)}…"`);
  });
});

describe('a body of very many values', () => {
  const reason = /^The body has more than \d+ members and array entries in all\.$/;

  test.each([
    ['[', '1', ']'],
    ['{"city":[', '[]', ']}'],
    ['{"city":{', '"a":1', '}}'],
  ])('%s%s…%s is refused', async (start, value, end) => {
    const answer = await server.request('POST', path, start + Array(10_000).fill(value).join() + end);
    expect(expectProblem(answer, 400, 'malformed_json').detail).toMatch(reason);
  });

  test('a reorder may have 1000 items, and some more are counted', async () => {
    const reorder = async (count: number) => {
      const items = Array.from({ length: count }, (_, index) => ({ id: String(index), idx: 1 }));
      return server.request('POST', `${line.path}/reorder`, { items });
    };
    expectProblem(await reorder(1_000), 404, 'not_found');
    const { errors } = expectRefused(await reorder(3_000), '/items');
    expect(errors?.[0]?.message).toBe('must have at most 1000 entries');
    expectProblem(await reorder(10_000), 400, 'malformed_json');
  });
});

test('a byte order mark in front of JSON is skipped: also of a long body, an update, a batch and a transition', async () => {
  const bom = '\u{feff}';
  const large = recordNamed('attachment').path;
  const { id } = await create(server, order.path, minimalBody(order));
  const batch = { operations: [{ method: 'PATCH', path: `${order.path}/${id}`, body: { company: `${bom}Bolt` } }] };
  const long = { order_id: 'x', data: 'd'.repeat(1_100_000) };
  for (const [method, target, body, status, type = 'application/json'] of [
    ['POST', path, { city: 'Ulm' }, 201],
    ['POST', path, { city: 'Ulm' }, 201, 'application/json; charset=utf8'],
    ['POST', large, long, 201],
    ['PATCH', `${order.path}/${id}`, { company: 'Acme' }, 200, 'application/merge-patch+json; charset="UTF8"'],
    ['POST', '/api/batch', batch, 200],
    ['POST', `${order.path}/${id}/submit`, {}, 200],
  ] as const) {
    const answer = await server.request(method, target, bom + JSON.stringify(body), { 'content-type': type });
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
  }
  expect(await retrieve(server, order.path, id)).toMatchObject({ company: `${bom}Bolt`, status: 'submitted' });
  for (const [text, detail] of [
    [bom, 'The body is empty'],
    [`${bom}${bom}{}`, 'The body is not valid JSON'],
    [`{}${bom}`, 'The body is not valid JSON'],
    [`${bom}{"city":1,}`, 'the first error is at character 11'],
  ] as const) {
    expect(expectProblem(await server.request('POST', path, text), 400, 'malformed_json').detail).toContain(detail);
  }
});

test('nesting over 32 levels is refused', async () => {
  const nested = (levels: number): string => `{"city":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  expectRefused(await server.request('POST', path, nested(32)), '/city');
  for (const body of [nested(33), nested(400_000), '['.repeat(1_000_000)]) {
    const { detail } = expectProblem(await server.request('POST', path, body), 400, 'malformed_json');
    expect(detail).toBe('The body is nested more than 32 levels deep.');
  }
});

describe('a body over 1 MiB', () => {
  const large = recordNamed('attachment');
  const blank = ' '.repeat(1_100_000);

  test('is read and checked as any other', async () => {
    const body = { order_id: 'x', data: `\u0001"🙂${'é\n'.repeat(1_000_000)}`, title: null };
    expect(await create(server, large.path, body)).toMatchObject(body);
    expectRefused(
      await server.request('POST', large.path, { data: 5, titel: 'x'.repeat(2_000_000) }),
      '/order_id',
      '/data',
      '/titel',
    );
    const long = { order_id: 'x', data: 'd'.repeat(10_485_761) };
    expectRefused(await server.request('POST', large.path, long), '/data');
    expectRefused(
      await server.request('POST', large.path, { ...long, data: `${'🙂'.repeat(3_000_000)}\ud83d` }),
      '/data',
    );
  });

  test.each([`${blank}{"order_id":"x","order_id":"x"}`, `${blank}{"order_id":"x"`, blank, '['.repeat(15_000_000)])(
    'is refused where it is malformed',
    async (body) => {
      expectProblem(await server.request('POST', large.path, body), 400, 'malformed_json');
    },
  );

  test('is refused if it has very many keys', async () => {
    const answer = await server.request('POST', large.path, `{${unknown(800_000).join()}}`);
    expectProblem(answer, 400, 'malformed_json');
  });
});
