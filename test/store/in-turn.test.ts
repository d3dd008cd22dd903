import { expect, test } from 'vitest';

import { chained } from '../../runtime/kernel/sql/steps.ts';
import type { Round, Steps } from '../../runtime/kernel/sql/types.ts';

const statement = (text: string): Round['statements'][number] => ({ text, values: [] });

/** Steps that read, and then write, unless they are refused. */
function* one(name: string, isRefused = false): Steps<string> {
  const [[read] = []] = yield { statements: [statement(`read ${name}`)], keepsTransactionOpen: true };
  if (isRefused) return `no ${String(read)}`;
  const [[written] = []] = yield { statements: [statement(`write ${name}`)] };
  return `${String(read)}, ${String(written)}`;
}

/** Does steps by an engine whose rows are the texts of their statements. */
function done(...all: Steps<string>[]): { readonly rounds: string[]; readonly results: string[] } {
  const rounds: string[] = [];
  const results: string[] = [];
  const steps = chained(all, (result, at) => {
    results[at] = result;
    return !result.startsWith('no');
  });
  for (let step = steps.next([]); !step.done;) {
    const { statements, keepsTransactionOpen } = step.value;
    const texts = statements.map(({ text }) => text);
    rounds.push(texts.join() + (keepsTransactionOpen ? '' : '; commit'));
    step = steps.next(texts.map((text) => [[text]]));
  }
  return { rounds, results };
}

test('steps in turn send the last round of each with the first one of the next', () => {
  expect(done(one('a'), one('b'))).toEqual({
    rounds: ['read a', 'write a,read b', 'write b; commit'],
    results: ['read a, write a', 'read b, write b'],
  });
});

test('steps behind refused ones are not done, and nothing is committed', () => {
  expect(done(one('a'), one('b', true), one('c'))).toEqual({
    rounds: ['read a', 'write a,read b'],
    results: ['read a, write a', 'no read b'],
  });
});

test('what is held is sent before steps that need no round are refused', () => {
  // oxlint-disable-next-line require-yield
  function* refused(): Steps<string> {
    return 'no';
  }
  expect(done(one('a'), refused())).toEqual({ rounds: ['read a', 'write a'], results: ['read a, write a', 'no'] });
});
