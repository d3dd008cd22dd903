import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { TestServer } from '../support/server.ts';
import { Copy, type Row } from './copy.ts';

const rows: readonly Row[] = [
  {
    file: 'runtime/kernel/model/formats.ts',
    after: 'export const formats = {',
    line: "duration: { code: 'invalid_duration', words: 'a duration, like P3D', order: 'none', accepts: (value) => /^P\\d+D$/.test(value) },",
  },
  {
    file: 'runtime/kernel/model/fields.ts',
    after: "export const time = formatted('time');",
    line: "export const duration = formatted('duration') as () => z.ZodType<string, string> & Unordered;",
  },
  {
    file: 'generator/model/field-types.ts',
    after: "  date: ofFormat('date', 'date', '2026-01-31'),",
    line: "duration: ofFormat('duration', 'duration', 'P3D'),",
  },
];

const copy = new Copy('generator', 'runtime', 'package.json');
const generate = (): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, ['generator/cli/generate.ts'], { cwd: copy.root });
const folder = join(copy.root, 'data');
const env = { METRICS_PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'records.db')}` };
const server = new TestServer({ project: copy.root, folder, env });

function put(path: string, text: string): void {
  mkdirSync(dirname(join(copy.root, path)), { recursive: true });
  writeFileSync(join(copy.root, path), text);
}

const task = (list: string, more = ''): string =>
  `kind: record\ndoc: A task.\nlist: ${list}\nfields: { takes: { format: duration } }\n${more}`;

beforeAll(async () => {
  for (const row of rows) copy.add(row);
  put('spec/service.yaml', 'name: shop\ntitle: Shop\ndoc: Plans work.\nversion: 1.0.0\nlicense: MIT\n');
  put('spec/work/task.yaml', task('{ filter: [takes] }'));
  await generate();
  await server.start();
});

afterAll(async () => {
  await server.close();
  copy[Symbol.dispose]();
});

describe('a format whose values have no order', () => {
  test('is filtered by equal values, and by no range', async () => {
    for (const takes of ['P3D', 'P10D']) await server.request('POST', '/api/work/task', { takes });
    const found = await server.request('GET', '/api/work/task?takes[in]=P10D');
    expect(found.body).toMatchObject({ total: 1, data: [{ takes: 'P10D' }] });
    for (const operator of ['gt', 'gte', 'lt', 'lte', 'prefix']) {
      const refused = await server.request('GET', `/api/work/task?takes[${operator}]=P5D`);
      expectProblem(refused, 400, 'invalid_query');
    }
    expectProblem(await server.request('GET', '/api/work/task?sort=takes'), 400, 'invalid_query');
  });

  test('has no range in the OpenAPI document and in the typed client', () => {
    const document = readFileSync(join(copy.root, 'generated/openapi.json'), 'utf8');
    expect(document).toContain('takes[ne]');
    expect(document).not.toContain('takes[gt');
    const client = readFileSync(join(copy.root, 'generated/work/task.client.ts'), 'utf8');
    expect(client).toContain('takes?: client.UnorderedFilter;');
  });

  test.each([
    ['sort', task('{ sort: [takes] }'), 'takes is a duration, and these have no order to sort by'],
    [
      'a comparison',
      task('{ filter: [takes] }', 'rules: [{ that: takes == null || takes < "P5D", message: Long. }]\n'),
      'values of this format have no order; compare by == and !=, or in',
    ],
  ])('%s is refused', async (_, spec, message) => {
    put('spec/work/task.yaml', spec);
    await expect(generate()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
