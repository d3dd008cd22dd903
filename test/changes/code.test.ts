import { expect, test } from 'vitest';
import { countLines } from '../../generator/changes/code.ts';

const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');

test.each([
  ['', '', 0, 0],
  ['', lines('a', 'b'), 2, 0],
  [lines('a', 'b'), '', 0, 2],
  [lines('a', 'b'), lines('a', 'b'), 0, 0],
  [lines('a', 'b'), lines('a', 'x', 'b'), 1, 0],
  [lines('a', 'b', 'c'), lines('a', 'c'), 0, 1],
  [lines('a', 'b', 'c'), lines('a', 'B', 'c'), 1, 1],
  [lines('a', 'b', 'c'), lines('c', 'a', 'b'), 1, 1],
  [lines('a', '', ''), lines('', 'a'), 1, 2],
  [lines('a'), 'a', 0, 0],
])('%j to %j: +%i −%i', (before, after, added, removed) => {
  expect(countLines(before, after)).toEqual({ added, removed });
});

/** The length of the longest common subsequence, by the table that every textbook has. */
function common(a: readonly string[], b: readonly string[]): number {
  const table = [a, ...a.map(() => a)].map(() => Array.from({ length: b.length + 1 }, () => 0));
  a.forEach((line, i) => {
    b.forEach((other, j) => {
      const [here, above] = [table[i + 1] as number[], table[i] as number[]];
      here[j + 1] = line === other ? (above[j] ?? 0) + 1 : Math.max(above[j + 1] ?? 0, here[j] ?? 0);
    });
  });
  return table[a.length]?.[b.length] ?? 0;
}

test('the edit is the shortest', () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let round = 0; round < 500; round++) {
    const [a, b] = [random(12), random(12)].map((length) => Array.from({ length }, () => 'abcd'.charAt(random(4))));
    const shared = common(a ?? [], b ?? []);
    expect(countLines(lines(...(a ?? [])), lines(...(b ?? [])))).toEqual({
      added: (b?.length ?? 0) - shared,
      removed: (a?.length ?? 0) - shared,
    });
  }
});

test('texts of 20,000 lines with nothing in common are counted at once', () => {
  const text = (word: string): string => Array.from({ length: 20_000 }, (_, i) => `${word} ${i}\n`).join('');
  expect(countLines(text('a'), text('b'))).toEqual({ added: 20_000, removed: 20_000 });
});
