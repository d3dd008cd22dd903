import type { TestContext } from 'vitest';

/** Where every random test begins: a fixed number, unless `TEST_SEED` gives another one (see vitest.config.ts). */
export const seed = Number(process.env['TEST_SEED']);

/** Whether this is `npm run test:long`. */
const isLong = process.env['TEST_LONG'] !== undefined;

/** How often something random is tried: `few` times by `npm test`, `many` times by `npm run test:long`. */
export const rounds = (few: number, many: number): number => (isLong ? many : few);

/** For `beforeEach` where tests are random: prints the command that repeats one that fails. */
export function repeatable({ onTestFailed, task }: TestContext): void {
  onTestFailed(() => {
    const script = isLong ? 'run test:long' : 'test';
    console.error(`To repeat it: TEST_SEED=${seed} npm ${script} -- ${task.file.name}`);
  });
}
