import { expect, test } from 'vitest';

import { describeEngine, engines } from '../support/databases.ts';
import { expectProblem, type Problem } from '../support/problem.ts';
import { generateProject } from '../support/project.ts';
import { create, pageIn, retrieve } from '../support/records.ts';
import { startServer } from '../support/server.ts';

const path = '/api/texts/dictionary';

const project = await generateProject(
  new Map([
    ['spec/service.yaml', '{ name: texts, title: Texts, doc: Texts., version: 1.0.0, license: MIT }'],
    [
      'spec/texts/dictionary.yaml',
      `kind: record
doc: A dictionary.
list: { filter: [words] }
fields:
  words: { type: list, of: string, max_items: 1000 }
  others: { type: list, of: string, max_items: 1000 }
`,
    ],
  ]),
);

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const long = 'x'.repeat(65_536);

/** A batch of as many creates as there can be, the last with another body. */
const batch = (body: object, last = body): object => ({
  operations: [...times(99, body), last].map((one) => ({ method: 'POST', path, body: one })),
});

for (const engine of engines) {
  describeEngine(engine, 'long lists', () => {
    test('are stored up to the limits, and refused above them', async () => {
      await using database = await engine.create();
      await using server = await startServer({ project, env: { DATABASE_URL: database.url } });
      for (const body of [batch({ words: times(994, 'x') }), batch({ words: [long, long] })]) {
        expect((await server.request('POST', '/api/batch', body)).status).toBe(200);
      }
      const total = 200;
      expect(pageIn(await server.request('GET', `${path}?words[has]=x&limit=1`)).total).toBe(100);
      for (const [body, operation, status, code, ...pointers] of [
        [batch({ words: times(1_000, 'x') }), undefined, 400, 'malformed_json'],
        [batch({ words: times(3, long) }), undefined, 413, 'body_too_large'],
        [batch({}, { words: times(1_001, 'x') }), 99, 422, 'invalid_body', '/operations/99/body/words'],
        [batch({}, { words: [long, `${long}x`] }), 99, 422, 'invalid_body', '/operations/99/body/words/1'],
        [batch({}, { words: times(10_000, 'x') }), 99, 400, 'malformed_json'],
        [batch({}, { words: times(17, long) }), 99, 413, 'body_too_large'],
        [batch({}, { words: times(16, long.slice(4)) }), 99, 413, 'record_too_large'],
      ] as const) {
        const problem: Problem & { operation?: number } = expectProblem(
          await server.request('POST', '/api/batch', body),
          status,
          code,
        );
        expect(problem.operation).toBe(operation);
        expect((problem.errors ?? []).map(({ pointer }) => pointer)).toEqual(pointers);
      }
      for (const [words, status, code] of [
        [times(16, long.slice(4)), 413, 'record_too_large'],
        [times(16, long), 413, 'body_too_large'],
        [times(1_001, 'x'), 422, 'invalid_body'],
        [times(5_000, 'x'), 400, 'malformed_json'],
      ] as const) {
        expectProblem(await server.request('POST', path, { words }), status, code);
      }
      const made = await create(server, path, { words: times(15, long) });
      expectProblem(await server.request('PATCH', `${path}/${made.id}`, { others: [long] }), 413, 'record_too_large');
      expect(await retrieve(server, path, made.id)).toEqual(made);
      expect(pageIn(await server.request('GET', `${path}?limit=1`)).total).toBe(total + 1);
    });
  });
}
