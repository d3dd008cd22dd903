import { configureGlobal } from 'fast-check';
import type { TestContext } from 'vitest';

// Reports name the message of an error, but not that of its cause.
configureGlobal({ includeErrorInReport: true });

/** The seed of every random test: a fixed number, unless `TEST_SEED` gives another one (see vitest.config.ts). */
export const seed = Number(process.env['TEST_SEED']);

/** Whether this is `npm run test:long`. */
export const isLong = process.env['TEST_LONG'] !== undefined;

/** Whether this is `TEST_FULL=1 npm run test:long`, which repeats more often. */
const isFull = isLong && process.env['TEST_FULL'] === '1';

/** How often something is repeated: `many` times by `npm run test:long`, `all` times with `TEST_FULL=1`. */
export const longRounds = <T = number>(many: T, all: T): T => (isFull ? all : many);

/** How often something random is tried: `few` times by `npm test`, otherwise as by `longRounds`. */
export const rounds = (few: number, many: number, all = many): number => (isLong ? longRounds(many, all) : few);

/** For `beforeEach` where tests are random: prints the command that repeats one that fails. */
export function repeatable({ onTestFailed, task }: TestContext): void {
  onTestFailed(() => {
    const script = isLong ? 'run test:long' : 'test';
    const full = isFull ? ' TEST_FULL=1' : '';
    console.error(`To repeat it: TEST_SEED=${seed}${full} npm ${script} -- ${task.file.name}`);
  });
}
