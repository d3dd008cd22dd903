import { expect, test, vi } from 'vitest';

import { ApiError } from '../../runtime/model/errors.ts';
import { keyCheck } from '../../runtime/auth/keys.ts';
import { withoutKeys } from '../support/key-table.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedServer, testKey } from '../support/server.ts';

const bearer = (key: string): string => `Bearer ${key}`;

/** Whether the answer to a wrong key is there at once, for each of so many in a row. */
function promptAnswers(keys: ReturnType<typeof keyCheck>, addresses: readonly string[]): boolean[] {
  return addresses.map((address) => {
    const answer = keys.check(bearer('wrong-key-0123456789'), address);
    return !(answer instanceof Promise);
  });
}

const many = (count: number, address: (n: number) => string): string[] =>
  Array.from({ length: count }, (_, n) => address(n));

test('the eleventh wrong key of an address within a second waits, and says the same as the first', async () => {
  const keys = keyCheck([testKey], 'test', withoutKeys);
  expect(
    promptAnswers(
      keys,
      many(12, () => '192.0.2.1'),
    ),
  ).toEqual([...many(10, () => '').map(() => true), false, false]);
  expect(promptAnswers(keys, ['192.0.2.2'])).toEqual([true]);
  expect(keys.wrong).toBe(13);
  const [first, late] = [keys.check(bearer('x'), '192.0.2.3'), keys.check(bearer('x'), '192.0.2.1')];
  expect(first).toBeInstanceOf(ApiError);
  expect(await late).toEqual(first);
  // That took a second: it counts anew.
  expect(promptAnswers(keys, ['192.0.2.1'])).toEqual([true]);
});

test('a valid key of the same address never waits, a missing one neither', () => {
  const keys = keyCheck([testKey], 'test', withoutKeys);
  promptAnswers(
    keys,
    many(50, () => '192.0.2.1'),
  );
  expect(keys.check(bearer(testKey), '192.0.2.1')).toMatchObject({ organization: 1, limit: undefined });
  expect(keys.check(undefined, '192.0.2.1')).not.toBeInstanceOf(Promise);
  expect(keys.wrong).toBe(50);
});

test.each([
  ['the 64 bits of a network', (n: number) => `2001:db8:1:2:${n + 1}::1`],
  ['those, where they end in zeros', (n: number) => `2001:db8::${n + 1}`],
])('of IPv6 counts %s', (_, address) => {
  const keys = keyCheck([testKey], 'test', withoutKeys);
  expect(promptAnswers(keys, many(11, address)).at(-1)).toBe(false);
  expect(promptAnswers(keys, ['2001:db8:1:3::1', '::ffff:192.0.2.1'])).toEqual([true, true]);
});

test('addresses beyond the number that is tracked share one count', () => {
  // All within a second, however long that takes.
  vi.useFakeTimers({ toFake: ['performance'] });
  const keys = keyCheck([testKey], 'test', withoutKeys);
  const prompt = promptAnswers(
    keys,
    many(10_011, (n) => `10.0.${n >> 8}.${n & 255}`),
  );
  vi.useRealTimers();
  expect(prompt.indexOf(false)).toBe(10_010);
});

const server = sharedServer();

test('a header does not give a client another address, and others are answered meanwhile', async () => {
  const all = 30;
  let answered = 0;
  const prompt = Promise.withResolvers<void>();
  const wrong = many(all, (n) => `192.0.2.${n}`).map(async (address) => {
    const authorization = bearer('wrong-key-0123456789');
    const headers = { authorization, 'x-forwarded-for': address, forwarded: `for=${address}` };
    const answer = await server.request('GET', '/api/crm/competitor', undefined, headers);
    if (++answered === 10) prompt.resolve();
    return answer;
  });
  await prompt.promise;
  for (let n = 0; n < 3; n++) expect((await server.request('GET', '/api/crm/competitor')).status).toBe(200);
  // The others still wait.
  expect(answered).toBeLessThan(all);
  for (const answer of await Promise.all(wrong)) expectProblem(answer, 401, 'unauthorized');
});
