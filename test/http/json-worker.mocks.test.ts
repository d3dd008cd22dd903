import type * as workerThreads from 'node:worker_threads';
import { beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

import { parseJson } from '../../runtime/api/json.ts';
import { JsonWorker } from '../../runtime/api/json-worker.ts';
import { parseBody } from '../../runtime/api/parse-body.ts';

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

let worker: JsonWorker;

beforeEach(() => {
  threads.length = 0;
  worker = new JsonWorker();
});

/** As a body is: alone in its memory. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const own = Buffer.allocUnsafeSlow(bytes.length + 10);
  own.set(bytes);
  return own.subarray(0, bytes.length);
}

const parse = (text: string, maxValues = 100): ReturnType<JsonWorker['parse']> =>
  worker.parse(bytesOf(text), maxValues);

test('the thread gives the same as parseJson, and one thread parses all bodies', async () => {
  const texts = [
    `{"a":"${'é🙂'.repeat(1_000_000)}","b":[1,null,{"c":false}]}`,
    String.raw`{"__proto__":{"a":1},"\ud800":"\udc00","":-0,"x":1e400}`,
    '"text"',
    `[${'1,'.repeat(1_000)}1]`,
  ];
  const parsed = await Promise.all(texts.map((text) => parse(text)));
  expect(parsed).toStrictEqual(texts.map((text) => parseJson(Buffer.from(text), 100)));
  expect(threads).toHaveLength(1);
});

test.each([
  ['', 'The body is empty; it must be a JSON object.'],
  ['{"a":1,"a":2}', 'The body repeats the key "a", at character 8.'],
  ['['.repeat(1_000_000), 'The body is nested more than 32 levels deep, at character 33.'],
  ['{"a" 1}', 'The body is not valid JSON; the first error is at character 6.'],
])('%.20s is refused in the same words', async (text, message) => {
  await expect(parse(text)).rejects.toMatchObject({ code: 'malformed_json', message });
  expect(await parse('1')).toEqual({ value: 1, isCut: false });
});

test('few bodies wait', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 40 }, () => parse('{}')));
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(7);
  expect(refused[0]).toMatchObject({ reason: { code: 'overloaded', headers: { 'Retry-After': '5' } } });
  expect(await parse('{}')).toEqual({ value: {}, isCut: false });
});

test('a body over 1 MiB goes to the thread, and its value is checked then', async () => {
  const schema = z.strictObject({ a: z.string() });
  const body = (bytes: number): Buffer => bytesOf(`{"a":"${'x'.repeat(bytes - 8)}"}`);
  expect(parseBody(body(1_048_576), schema, 100)).toEqual({ a: 'x'.repeat(1_048_568) });
  expect(threads).toHaveLength(0);
  const parsed = parseBody(body(1_048_577), schema, 100);
  expect(parsed).toBeInstanceOf(Promise);
  expect(await parsed).toEqual({ a: 'x'.repeat(1_048_569) });
  expect(threads).toHaveLength(1);
  const refused = parseBody(bytesOf(`${' '.repeat(2_000_000)}{"a":1}`), schema, 100);
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_body',
    errors: [{ pointer: '/a', code: 'wrong_type' }],
  });
});

test('a thread that dies takes the bodies under way with it; the next goes to another', async () => {
  const lost = [parse(`["${'x'.repeat(1_000_000)}"]`), parse('2')];
  void threads[0]?.terminate();
  for (const one of lost) await expect(one).rejects.toMatchObject({ code: 'unavailable' });
  expect(await parse('3')).toEqual({ value: 3, isCut: false });
  expect(threads).toHaveLength(2);
});
