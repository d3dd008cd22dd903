import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { longRounds } from '../support/seed.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules that a theme decides: the others are judged in light, and with TEST_FULL=1 in both. */
const inDark = longRounds<object>({ runOnly: ['color-contrast', 'link-in-text-block'] }, {});

/** Fails for anything that axe finds on a page, in both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const options = colorScheme === 'dark' ? inDark : {};
    const found = await page.evaluate<string[]>(
      `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => [id, target.join(' '), failureSummary].join(': '))))`,
    );
    expect(found, `${page.url()} ${colorScheme}`).toEqual([]);
  }
}
