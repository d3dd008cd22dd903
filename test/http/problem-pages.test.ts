import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { errorCodes } from '../../runtime/model/errors.ts';
import { expectProblem, type Problem } from '../support/problem.ts';
import { type Answer, projectRoot, sharedServer } from '../support/server.ts';

const server = sharedServer();
const codes = Object.entries(errorCodes);

const pageOf = (path: string): Promise<Answer> => server.request('GET', path, undefined, { authorization: null });

test('the type of a problem leads to a page that says what it means and what to do, without a key', async () => {
  const { type } = (await server.request('GET', '/api/crm/lead?limt=1')).body as Problem;
  const { status, headers, text } = await pageOf(type);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const words of ['<h1>Invalid query</h1>', 'invalid_query', 'status 400', errorCodes.invalid_query.remedy]) {
    expect(text).toContain(words);
  }
});

test('each code has its page', async () => {
  for (const [code, { title }] of codes) {
    const { status, text } = await pageOf(`/problems/${code}`);
    expect([status, text.includes(`<title>${title}</title>`)], code).toEqual([200, true]);
    expect(text, code).not.toMatch(/undefined|`/);
  }
});

test.each(['nothing', 'toString', '__proto__', 'INTERNAL', ''])('there is no page for "%s"', async (code) => {
  expectProblem(await pageOf(`/problems/${code}`), 404, 'not_found');
});

test('docs/api.md names each code with its status, and no other', () => {
  const text = readFileSync(join(projectRoot, 'docs/api.md'), 'utf8');
  const named = [...text.matchAll(/`(\w+)` \((\d{3})[:)]/g)].map(([, code, status]) => [code, Number(status)]);
  expect(named.toSorted()).toEqual(codes.map(([code, { status }]) => [code, status]).toSorted());
});
