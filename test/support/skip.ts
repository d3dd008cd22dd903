import type { TestContext } from 'vitest';

/** Skips the rest of a test that runs already, and says why. */
export function skip(context: TestContext, reason: string): void {
  console.warn(`Skipped: ${context.task.name}: ${reason}.`);
  context.skip(reason);
}
