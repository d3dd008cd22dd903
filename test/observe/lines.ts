import { expect } from 'vitest';

import type { Command } from '../server/command.ts';
import { until } from '../server/workers.ts';

/** A line of the log. */
export type Line = Readonly<Record<string, unknown>>;

/** The lines of the log among what a server has printed for people. */
export const linesOf = (text: string): Line[] =>
  text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Line] : []));

/** The lines of requests, when there are so many. */
export async function requestLines(server: Command, count: number): Promise<Line[]> {
  const found = (): Line[] => linesOf(server.stdout).filter(({ status }) => status !== undefined);
  await until(`${count} requests are logged`, () => found().length >= count);
  expect(found()).toHaveLength(count);
  return found();
}
