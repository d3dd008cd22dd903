import { expect, test } from 'vitest';

import { recordNamed } from '../service/resources.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();

const detailOf = async (names: readonly string[]): Promise<string> =>
  expectProblem(await server.request('GET', `${recordNamed('lead').path}?${names.join('&')}`), 400, 'invalid_query')
    .detail;

const unknown = (count: number): string[] => Array.from({ length: count }, (_, index) => index.toString(36));

test('of many wrong query parameters ten are named, and the others counted', async () => {
  expect(await detailOf(unknown(1_500))).toMatch(
    /^(?:The query parameter "\w" is unknown\. ){10}And 1490 more errors\.$/,
  );
  expect(await detailOf(unknown(11))).toMatch(/"9" is unknown\. And 1 more error\.$/);
  expect(await detailOf(unknown(10))).toMatch(/^(?:The query parameter "\w" is unknown\. ?){10}$/);
});

test('long ones are shortened, so that the answer stays short', async () => {
  const names = unknown(40).map((name) => name.padEnd(190, 'x'));
  expect((await detailOf(names)).length).toBeLessThan(3_000);
});
