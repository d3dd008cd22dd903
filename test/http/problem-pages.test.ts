import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';

import { errorCodes } from '../../generator/model/error-codes.ts';
import type { ServerProblem } from '../../runtime/client/failure.ts';
import type { refused } from '../../runtime/features/hooks/hooks.ts';
import type { keyInUse, keyReused } from '../../runtime/features/idempotency/answers.ts';
import type * as keys from '../../runtime/features/keys/errors.ts';
import type { cascadeTooLarge, stillReferenced } from '../../runtime/features/references/rejections.ts';
import type { ruleViolated } from '../../runtime/features/rules/write-part.ts';
import type { lockedCode } from '../../runtime/features/states/locked.ts';
import type { eventsRemoved } from '../../runtime/features/trail/event-table.ts';
import type { changedSince } from '../../runtime/features/undo/restored.ts';
import type { notUnique } from '../../runtime/features/unique/clashes.ts';
import { expectProblem, type Problem } from '../support/problem.ts';
import { type Answer, projectRoot, sharedServer } from '../support/server.ts';

const server = sharedServer();
const codes = [...errorCodes];

const pageOf = (path: string): Promise<Answer> => server.request('GET', path, undefined, { authorization: null });

test('the type of a problem leads to a page that says what it means and what to do, without a key', async () => {
  const { type } = (await server.request('GET', '/api/crm/lead?limt=1')).body as Problem;
  const { status, headers, text } = await pageOf(type);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const words of [
    '<h1>Invalid query</h1>',
    'invalid_query',
    'status 400',
    errorCodes.get('invalid_query')?.remedy,
  ]) {
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

test('the typed client knows the codes of features with their statuses', () => {
  type Row =
    | typeof refused
    | (typeof keys)[keyof typeof keys]
    | typeof keyInUse
    | typeof keyReused
    | typeof stillReferenced
    | typeof cascadeTooLarge
    | typeof ruleViolated
    | typeof eventsRemoved
    | typeof changedSince
    | typeof lockedCode
    | typeof notUnique;
  type CodeOf<R> = R extends Row ? Pick<R, 'code' | 'status'> : never;
  expectTypeOf<CodeOf<Row>>().toExtend<Pick<ServerProblem<'refused'>, 'code' | 'status'>>();
});
