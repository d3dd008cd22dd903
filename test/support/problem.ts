import { expect } from 'vitest';

import { type Answer, projectRoot } from './server.ts';

export type FieldError = { pointer: string; pointer_shortened?: true; code: string; message: string };

export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  request_id: string;
  errors?: FieldError[];
  errors_omitted?: number;
};

/** Text that no error may show: stack frames, files, SQL, and the words of libraries (node, zod, SQLite, PostgreSQL). */
const leaks = [
  /\bat \S+ \(|:\d+:\d+|node_modules|node:|file:\/\/|\.[jt]s\b/,
  /\bselect\b.+\bfrom\b|\binsert into\b|\bdelete from\b|\bupdate\b.+\bset\b|constraint|sqlite|postgres|savepoint/i,
  /Invalid input: expected|Too (big|small):|Unrecognized key|Unexpected (token|end)|JSON at position|in JSON at/,
  /HPE_|ERR_|Parse Error|TypeError|ZodError|UND_|ECONN/,
];

const text = expect.stringMatching(/\S/);

/** Checks the shape every error has, and that it gives nothing of the inside away. */
export function expectProblem(answer: Answer, status: number, code: string): Problem {
  expect(answer.status, answer.text).toBe(status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
  expect(answer.body).toMatchObject({
    type: `/problems/${code}`,
    title: text,
    status,
    detail: text,
    code,
    request_id: text,
  });
  const problem = answer.body as Problem;
  for (const { pointer_shortened: isShortened = true, ...error } of problem.errors ?? []) {
    expect(isShortened).toBe(true);
    expect(error).toEqual({ pointer: expect.stringMatching(/^(\/|$)/), code: text, message: text });
  }
  for (const leak of leaks) expect(answer.text).not.toMatch(leak);
  expect(answer.text).not.toContain(projectRoot);
  return problem;
}

/** A body that was refused for these fields, each once, and for no other. */
export function expectRefused(answer: Answer, ...pointers: string[]): Problem {
  const problem = expectProblem(answer, 422, 'invalid_body');
  const found = (problem.errors ?? []).map(({ pointer }) => pointer);
  expect(found.toSorted(), answer.text).toEqual(pointers.toSorted());
  return problem;
}

/** All that a problem says in words. */
export function wordsOf({ detail, errors = [] }: Problem): string {
  return [detail, ...errors.map(({ message }) => message)].join('\n');
}
