import type * as workerThreads from 'node:worker_threads';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

import { parseJson } from '../../runtime/kernel/api/json.ts';
import type * as bodyModule from '../../runtime/kernel/api/body.ts';

const threads: workerThreads.Worker[] = [];

// Real threads, which the tests can end.
vi.mock('node:worker_threads', async (original) => {
  const module = await original<typeof workerThreads>();
  return {
    ...module,
    Worker: class extends module.Worker {
      constructor(...args: ConstructorParameters<typeof workerThreads.Worker>) {
        super(...args);
        threads.push(this);
      }
    },
  };
});

/** With a thread of its own in each test. */
let parseBody: typeof bodyModule.parseBody;

beforeEach(async () => {
  threads.length = 0;
  vi.resetModules();
  ({ parseBody } = await import('../../runtime/kernel/api/body.ts'));
});

/** As a body is: alone in its memory. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const own = Buffer.allocUnsafeSlow(bytes.length + 10);
  own.set(bytes);
  return own.subarray(0, bytes.length);
}

const blank = ' '.repeat(1_048_577);

/** Parses a body that is long enough for the thread. */
const parse = async (text: string): Promise<unknown> =>
  (await parseBody(bytesOf(text + blank), { schema: z.unknown(), maxValues: 2_000 })).value;

test('the thread gives the same as parseJson, and one thread parses all bodies', async () => {
  const texts = [
    `{"a":"${'é🙂'.repeat(1_000)}","b":[1,null,{"c":false}]}`,
    String.raw`{"__proto__":{"a":1},"\ud800":"\udc00","":-0,"x":1e400}`,
    '"text"',
    `[${'1,'.repeat(1_000)}1]`,
  ];
  const parsed = await Promise.all(texts.map((text) => parse(text)));
  expect(parsed).toStrictEqual(texts.map((text) => parseJson(Buffer.from(text), 2_000)));
  expect(threads).toHaveLength(1);
});

test.each([
  ['{"a":1,"a":2}', 'An object in the body has the same key twice.'],
  ['['.repeat(1_000_000), 'The body is nested more than 32 levels deep.'],
  ['{"a" 1}', 'The body is not valid JSON; the first error is at character 6.'],
])('%.20s is refused in the same words', async (text, message) => {
  await expect(parse(text)).rejects.toMatchObject({ code: 'malformed_json', message });
  expect(await parse('1')).toEqual(1);
});

test('a body over 1 MiB goes to the thread, and its value is checked then', async () => {
  const rules = { schema: z.strictObject({ a: z.string() }), maxValues: 100 };
  const body = (bytes: number): Buffer => bytesOf(`{"a":"${'x'.repeat(bytes - 8)}"}`);
  expect(await parseBody(body(1_048_576), rules)).toEqual({ value: { a: 'x'.repeat(1_048_568) } });
  expect(threads).toHaveLength(0);
  const parsed = parseBody(body(1_048_577), rules);
  expect(parsed).toBeInstanceOf(Promise);
  expect(await parsed).toEqual({ value: { a: 'x'.repeat(1_048_569) } });
  expect(threads).toHaveLength(1);
  const refused = parseBody(bytesOf(`${' '.repeat(2_000_000)}{"a":1}`), rules);
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_body',
    extensions: { errors: [{ pointer: '/a', code: 'wrong_type' }] },
  });
});

test('the digest of a body is that of its values, whether the thread has it or not', async () => {
  const rules = { schema: z.unknown(), maxValues: 100 };
  const digestOf = async (text: string): Promise<unknown> => (await parseBody(bytesOf(text), rules, true)).digest;
  const digest = await digestOf('{"a":[1,{"b":2,"c":"é"}],"d":null}');
  for (const same of ['{"d":null,"a":[1.0,{"c":"\\u00e9","b":20e-1}]}']) {
    expect([await digestOf(same), await digestOf(same + blank)]).toEqual([digest, digest]);
  }
  for (const other of ['{"a":[{"b":2,"c":"é"},1],"d":null}', '{"a":[1,{"b":2,"c":"é"}]}', '[]', 'null']) {
    expect(await digestOf(other)).not.toBe(digest);
    expect(await digestOf(other)).toBe(await digestOf(other + blank));
  }
});

test('a thread that dies takes the bodies under way with it; the next goes to another', async () => {
  const lost = [parse(`["${'x'.repeat(1_000_000)}"]`), parse('2')];
  void threads[0]?.terminate();
  for (const one of lost) await expect(one).rejects.toMatchObject({ code: 'unavailable' });
  expect(await parse('3')).toEqual(3);
  expect(threads).toHaveLength(2);
});
